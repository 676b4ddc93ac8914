"""What must hold on a live system, how to see that it does not, and how to mend it.

Each statement returns the things (as text) that break one rule. What may be so for a moment while a process is between
two statements is only counted after a grace.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from jobs import sql
from jobs.conf import conf
from jobs.transitions import (
    audit,
    finish,
    lanes,
    pools,
    rescue,
    rules_of_leftovers,
    rules_of_rows,
    sweep,
    watches,
)
from jobs.transitions.outcomes import Attempted
from jobs.transitions.rule import Rule, numbers

MOST = 100  # things shown and mended in one pass, of each rule


@dataclass(frozen=True, slots=True, kw_only=True)
class Violation:
    rule: Rule
    things: tuple[str, ...]


# Running pooled jobs whose seat is not theirs.
SEATLESS = """
SELECT j.id::text AS thing FROM jobs_job j LEFT JOIN jobs_seat s ON s.id = j.seat
WHERE j.status = 'running' AND j.pool <> ''
  AND (s.id IS NULL OR s.job <> j.id OR s.token <> j.token OR s.pool <> j.pool)
"""

# Seats taken by a job that does not run under that token.
ORPHANED = """
SELECT s.id::text AS thing FROM jobs_seat s WHERE s.job IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM jobs_job j WHERE j.id = s.job AND j.status = 'running' AND j.token = s.token AND j.seat = s.id)
"""
FREE_ORPHANED = """
UPDATE jobs_seat s SET job = NULL, token = NULL, why = 'lingering',
    free_at = clock_timestamp() + make_interval(secs => %(seconds)s) + (SELECT gap FROM jobs_pool WHERE name = s.pool)
WHERE id = ANY(%(ids)s::bigint[]) AND NOT EXISTS (
    SELECT 1 FROM jobs_job j WHERE j.id = s.job AND j.status = 'running' AND j.token = s.token)
"""

# Pools whose seats are fewer than their capacity, or more while spare ones rest no longer.
MISCOUNTED = """
SELECT p.name AS thing FROM jobs_pool p WHERE
    (SELECT count(*) FROM jobs_seat s WHERE s.pool = p.name) < jobs_capacity(p.capacity, p.reserve)
    OR ((SELECT count(*) FROM jobs_seat s WHERE s.pool = p.name) > jobs_capacity(p.capacity, p.reserve) AND EXISTS (
        SELECT 1 FROM jobs_seat s WHERE s.pool = p.name AND s.job IS NULL
        AND s.free_at < clock_timestamp() - make_interval(secs => %(grace)s)))
"""

# Running jobs of workers that are silent for longer than it takes to rescue them.
UNRESCUED = """
SELECT j.id::text AS thing FROM jobs_job j LEFT JOIN jobs_worker w ON w.id = j.worker
WHERE j.status = 'running' AND (
    w.id IS NULL AND j.started_at < clock_timestamp() - make_interval(secs => %(grace)s)
    OR w.heartbeat_at < clock_timestamp() - make_interval(secs => %(silent)s))
"""

# Running jobs far beyond their time-out whose worker lives: it should have ended them.
OVERDUE = """
SELECT j.id::text AS thing FROM jobs_job j
WHERE j.status = 'running' AND j.deadline < clock_timestamp() - make_interval(secs => %(silent)s)
"""

# Lanes in which somebody waits and nobody is first, or somebody is first although the lane is paused or held.
MISPLACED = """
SELECT DISTINCT j.lane AS thing FROM jobs_job j LEFT JOIN jobs_lane l ON l.key = j.lane
WHERE j.lane <> '' AND (
    (j.status = 'waiting' AND NOT coalesce(l.paused OR l.held_until > clock_timestamp(), false) AND NOT EXISTS (
        SELECT 1 FROM jobs_job h WHERE h.lane = j.lane AND h.lane <> '' AND h.status IN ('ready', 'running')))
    OR (j.status = 'ready' AND (l.paused OR l.held_until > clock_timestamp())))
"""

# Scheduled jobs whose time came a while ago: nobody sweeps.
UNDUE = """
SELECT id::text AS thing FROM jobs_job
WHERE status = 'scheduled' AND run_at < clock_timestamp() - make_interval(secs => %(grace)s)
"""

# Promoted by a watch that nobody has.
UNWATCHED = """
SELECT id::text AS thing FROM jobs_job j WHERE band = 0 AND promoted = 'watch'
  AND status IN ('scheduled', 'waiting', 'ready') AND NOT EXISTS (SELECT 1 FROM jobs_watch w WHERE w.job = j.id)
"""

# Calls, items, watches and sleeping slots of what is no more.
STALE_CALLS = """
SELECT c.job::text AS thing FROM jobs_call c WHERE NOT EXISTS (
    SELECT 1 FROM jobs_job j WHERE j.id = c.job AND j.status = 'running' AND j.token = c.token)
"""
DROP_CALLS = """
DELETE FROM jobs_call c WHERE job = ANY(%(ids)s::bigint[]) AND NOT EXISTS (
    SELECT 1 FROM jobs_job j WHERE j.id = c.job AND j.status = 'running' AND j.token = c.token)
"""
STALE_ITEMS = """
SELECT i.id::text AS thing FROM jobs_item i JOIN jobs_job j ON j.id = i.job
WHERE i.status = 'running' AND j.status <> 'running'
"""
REOPEN_ITEMS = "UPDATE jobs_item SET status = 'pending' WHERE id = ANY(%(ids)s::bigint[]) AND status = 'running'"
STALE_IDLE = """
SELECT i.id::text AS thing FROM jobs_idle i WHERE NOT EXISTS (
    SELECT 1 FROM jobs_worker w WHERE w.id = i.worker
    AND w.heartbeat_at > clock_timestamp() - make_interval(secs => %(silent)s))
"""
DROP_IDLE = "DELETE FROM jobs_idle WHERE id = ANY(%(ids)s::bigint[])"

# Kinds of which jobs are ready and nobody serves them.
UNSERVED = """
SELECT DISTINCT j.kind AS thing FROM jobs_job j WHERE j.status = 'ready' AND NOT EXISTS (
    SELECT 1 FROM jobs_worker w WHERE NOT w.draining AND j.kind = ANY(w.kinds)
    AND (j.pool = '' OR j.pool = ANY(w.pools))
    AND w.heartbeat_at > clock_timestamp() - make_interval(secs => %(silent)s))
"""

TOKEN = "SELECT token FROM jobs_job WHERE id = %(id)s AND status = 'running'"  # noqa: S105


def _run_again(things: Sequence[str]) -> None:
    for job in numbers(things):
        found = sql.row(TOKEN, id=job)
        if found:
            finish.end(job, found["token"], Attempted(outcome="drained", process_ended=False))


def _free(things: Sequence[str]) -> None:
    sql.run(FREE_ORPHANED, ids=numbers(things), seconds=conf().CLAIM_TIMEOUT_SECONDS)


def _place(things: Sequence[str]) -> None:
    for lane in things:
        lanes.place(lane)


RULES = (
    Rule(
        name="running-job-has-its-seat",
        sentence="A running job holds no seat, so its pool may be overrun. It is put in line again.",
        broken=SEATLESS,
        mend=_run_again,
    ),
    Rule(
        name="taken-seat-has-its-job",
        sentence="A seat is taken by a job that does not run. It lingers as long as a call may last, and is free then.",
        broken=ORPHANED,
        mend=_free,
    ),
    Rule(
        name="seats-are-the-capacity",
        sentence="A pool has another number of seats than its capacity. Seats are made, or spare ones removed.",
        broken=MISCOUNTED,
        mend=lambda things: [pools.change(name, by="audit") for name in things],
    ),
    Rule(
        name="silent-worker-is-rescued",
        sentence="A job runs on a worker that is silent for long: nobody sweeps. It is rescued.",
        broken=UNRESCUED,
        mend=lambda things: rescue.rescue(),
    ),
    Rule(
        name="time-out-ends-a-job",
        sentence="A job runs far beyond its time-out although its worker beats. Restart that worker.",
        broken=OVERDUE,
        mend=None,
    ),
    Rule(
        name="lane-has-its-head",
        sentence="A lane has nobody at its head, or somebody although it is paused or held. Its head is elected anew.",
        broken=MISPLACED,
        mend=_place,
    ),
    Rule(
        name="due-job-is-in-line",
        sentence="The time of a scheduled job has come and nobody moved it: nobody sweeps. It is put in line.",
        broken=UNDUE,
        mend=lambda things: sweep.due(),
    ),
    Rule(
        name="watched-job-is-watched",
        sentence="A job goes first for a screen that is no longer open. It falls back to its turn.",
        broken=UNWATCHED,
        mend=lambda things: watches.end_old(),
    ),
    Rule(
        name="call-has-its-job",
        sentence="A call is on record for a job that does not make it. The record is deleted.",
        broken=STALE_CALLS,
        mend=lambda things: sql.run(DROP_CALLS, ids=numbers(things)),
    ),
    Rule(
        name="running-item-has-its-job",
        sentence="An item runs in a job that does not. It is open again.",
        broken=STALE_ITEMS,
        mend=lambda things: sql.run(REOPEN_ITEMS, ids=numbers(things)),
    ),
    Rule(
        name="sleeping-slot-has-its-worker",
        sentence="A slot sleeps of a worker that is silent or no more. Its row is deleted.",
        broken=STALE_IDLE,
        mend=lambda things: sql.run(DROP_IDLE, ids=numbers(things)),
    ),
    Rule(
        name="ready-job-is-served",
        sentence="Jobs of a kind are ready and no worker serves them. Start one that does.",
        broken=UNSERVED,
        mend=None,
    ),
    *rules_of_rows.RULES,
    *rules_of_leftovers.RULES,
)


def violations(*, deep: bool = True) -> list[Violation]:
    """Return every rule that something breaks now, with at most MOST of the things that do.

    Without `deep` only those whose statements read what is queued, running or kept small.
    """
    grace = max(2 * conf().HEARTBEAT_SECONDS, 5.0)
    values = {"grace": grace, "silent": conf().RESCUE_SECONDS + grace}
    values |= rules_of_rows.limits() | rules_of_leftovers.limits()
    found = []
    for rule in RULES:
        rows = sql.rows(f"{rule.broken} LIMIT {MOST}", **values) if deep or not rule.deep else []
        if rows:
            found.append(Violation(rule=rule, things=tuple(row["thing"] for row in rows)))
    return found


def repair(found: Sequence[Violation], *, by: str) -> list[Violation]:
    """Mend what can be mended; return what is broken afterwards."""
    for violation in found:
        if violation.rule.mend:
            violation.rule.mend(violation.things)
            audit.write(by, "audit.repair", violation.rule.name, new=list(violation.things))
    return violations()
