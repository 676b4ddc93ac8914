"""Rules about single rows: states in which no statement of the queue leaves a job, a pool, a lane or a watch."""

from collections.abc import Sequence

from jobs import sql
from jobs.conf import conf
from jobs.registry import KINDS
from jobs.transitions import control, lanes, pools, rescue, sweep, watches
from jobs.transitions.rule import Rule, numbers

LONGEST_CLOSING_H = 8  # a Retry-After counts for six hours at most, and is spread by a quarter

# In band 0 without a reason, or with a reason outside of it.
UNPROMOTED = """
SELECT id::text AS thing FROM jobs_job WHERE status IN ('scheduled', 'waiting', 'ready')
  AND (band = 0) <> (promoted IN ('watch', 'staff', 'now', 'patience'))
"""
DEMOTE = """
UPDATE jobs_job SET band = 1, promoted = '', turn = vturn + make_interval(secs => priority * %(ageing)s)
WHERE id = ANY(%(ids)s::bigint[]) AND status IN ('scheduled', 'waiting', 'ready')
  AND (band = 0) <> (promoted IN ('watch', 'staff', 'now', 'patience'))
RETURNING id, lane, pool, kind, status
"""

# Users who go first with more jobs than they may.
CROWDING = """
SELECT w."user" AS thing FROM jobs_watch w JOIN jobs_job j ON j.id = w.job
WHERE j.promoted = 'watch' AND j.status IN ('scheduled', 'waiting', 'ready')
GROUP BY w."user" HAVING count(*) > %(most)s
"""

# Watches whose time was over a while ago.
OVERSTAYED = """
SELECT id::text AS thing FROM jobs_watch WHERE until < clock_timestamp() - make_interval(secs => %(grace)s)
"""

# Ended jobs that still carry a wish: whoever ended them must have granted or dropped it.
UNGRANTED = """
SELECT id::text AS thing FROM jobs_job WHERE ended_at IS NOT NULL AND wanted_fingerprint <> ''
"""
FOLD = """
UPDATE jobs_job SET fingerprint = wanted_fingerprint, wanted_fingerprint = ''
WHERE id = %(id)s AND ended_at IS NOT NULL AND wanted_fingerprint <> '' RETURNING status
"""

# Jobs with a time although they do not wait for one, and requests to stop that mean another attempt.
TIMED = "SELECT id::text AS thing FROM jobs_job WHERE run_at IS NOT NULL AND status <> 'scheduled'"
UNTIME = "UPDATE jobs_job SET run_at = NULL WHERE id = ANY(%(ids)s::bigint[]) AND status <> 'scheduled'"
MISDIRECTED = """
SELECT id::text AS thing FROM jobs_job WHERE stop_token IS NOT NULL AND stop_token IS DISTINCT FROM token
"""
UNSTOP = """
UPDATE jobs_job SET stop_token = NULL
WHERE id = ANY(%(ids)s::bigint[]) AND stop_token IS DISTINCT FROM token
"""

# Queued jobs of a pool that does not exist, and seats of one.
POOLLESS = """
SELECT DISTINCT j.pool AS thing FROM jobs_job j WHERE j.status IN ('scheduled', 'waiting', 'ready') AND j.pool <> ''
  AND NOT EXISTS (SELECT 1 FROM jobs_pool p WHERE p.name = j.pool)
"""
STRAY_SEATS = """
SELECT id::text AS thing FROM jobs_seat s WHERE job IS NULL AND NOT EXISTS (
    SELECT 1 FROM jobs_pool p WHERE p.name = s.pool)
"""
DROP_SEATS = """
DELETE FROM jobs_seat s WHERE id = ANY(%(ids)s::bigint[]) AND job IS NULL AND NOT EXISTS (
    SELECT 1 FROM jobs_pool p WHERE p.name = s.pool)
"""

# Pools that recover and can never be tried, and pools closed for longer than anything can close them.
STUCK = f"""
SELECT name AS thing FROM jobs_pool WHERE admit IS NOT NULL AND (admit < 1 OR closed_until IS NULL OR closed_at IS NULL)
   OR closed_until > clock_timestamp() + interval '{LONGEST_CLOSING_H} h'
"""  # noqa: S608
UNSTICK = f"""
UPDATE jobs_pool SET closed_at = least(closed_at, clock_timestamp()), admit = 1,
    closed_until = CASE WHEN closed_until < clock_timestamp() + interval '{LONGEST_CLOSING_H} h' THEN closed_until
                        ELSE clock_timestamp() END
WHERE name = ANY(%(names)s)
"""  # noqa: S608

# Seats that rest for longer than any call and any gap.
OVERSLEPT = """
SELECT s.id::text AS thing FROM jobs_seat s LEFT JOIN jobs_pool p ON p.name = s.pool
WHERE s.job IS NULL AND s.free_at > clock_timestamp() + make_interval(secs => %(longest)s) + coalesce(p.gap, '0')
"""
WAKE_SEATS = """
UPDATE jobs_seat SET free_at = clock_timestamp() + make_interval(secs => %(seconds)s), why = 'lingering'
WHERE id = ANY(%(ids)s::bigint[]) AND job IS NULL
"""

# What nobody sweeps: chores that are overdue while workers live, holds that are over, workers that are silent.
OVERDUE_CHORES = """
SELECT name AS thing FROM jobs_chore WHERE name IN ('quick', 'thorough')
  AND due_at < clock_timestamp() - make_interval(secs => %(silent)s)
  AND EXISTS (SELECT 1 FROM jobs_worker WHERE started_at < clock_timestamp() - make_interval(secs => %(silent)s)
              AND heartbeat_at > clock_timestamp() - make_interval(secs => %(silent)s))
"""
EXPIRED_HOLDS = """
SELECT key AS thing FROM jobs_lane WHERE held_until < clock_timestamp() - make_interval(secs => %(silent)s)
"""
UNFORGOTTEN = """
SELECT id::text AS thing FROM jobs_worker w WHERE heartbeat_at < clock_timestamp() - make_interval(secs => %(silent)s)
  AND NOT EXISTS (SELECT 1 FROM jobs_job j WHERE j.worker = w.id AND j.status = 'running')
"""


def _demote(things: Sequence[str]) -> None:
    for moved in sql.rows(DEMOTE, ids=numbers(things), ageing=conf().AGEING_SECONDS):
        lanes.offer(moved)


def _grant(things: Sequence[str]) -> None:
    """Queue the job for its wish, unless it was stopped, which no wish undoes."""
    for job in numbers(things):
        folded = sql.row(FOLD, id=job)
        if folded and folded["status"] != "cancelled":
            control.retry(job, by="audit")


def _sweep(things: Sequence[str]) -> None:
    """Do the round that is overdue, in this process."""
    sweep.take_turn("quick", every_s=0)
    sweep.quick()
    sweep.take_turn("thorough", every_s=0)
    sweep.thorough(list(KINDS))


def _wake_seats(things: Sequence[str]) -> None:
    sql.run(WAKE_SEATS, ids=numbers(things), seconds=conf().CLAIM_TIMEOUT_SECONDS)


RULES = (
    Rule(
        name="promoted-job-has-a-reason",
        sentence="A job goes first for no reason, or does not although there is one. It falls back to its turn.",
        broken=UNPROMOTED,
        mend=_demote,
    ),
    Rule(
        name="promotions-are-few",
        sentence="Somebody's open screens put more jobs first than they may. The oldest fall back to their turn.",
        broken=CROWDING,
        mend=lambda things: [watches.spend(user) for user in things],
    ),
    Rule(
        name="watch-ends",
        sentence="A watch is kept though its time is over: nobody sweeps. It is ended.",
        broken=OVERSTAYED,
        mend=lambda things: watches.end_old(),
    ),
    Rule(
        name="ended-job-has-no-wish",
        sentence="A job has ended with a wish that nobody granted. It is queued for it, unless it was stopped.",
        broken=UNGRANTED,
        mend=_grant,
        deep=True,
    ),
    Rule(
        name="only-a-scheduled-job-has-a-time",
        sentence="A job has a time to run at, though it does not wait for one. The time is removed.",
        broken=TIMED,
        mend=lambda things: sql.run(UNTIME, ids=numbers(things)),
        deep=True,
    ),
    Rule(
        name="stop-means-its-attempt",
        sentence="A request to stop means an attempt that is over, and would end the next one. It is removed.",
        broken=MISDIRECTED,
        mend=lambda things: sql.run(UNSTOP, ids=numbers(things)),
        deep=True,
    ),
    Rule(
        name="queued-job-has-its-pool",
        sentence="Jobs wait for a pool that does not exist. It is made if the settings declare it; else stop them.",
        broken=POOLLESS,
        mend=lambda things: pools.create_declared(),
    ),
    Rule(
        name="seat-has-its-pool",
        sentence="A seat belongs to a pool that does not exist. It is deleted.",
        broken=STRAY_SEATS,
        mend=lambda things: sql.run(DROP_SEATS, ids=numbers(things)),
    ),
    Rule(
        name="closed-pool-is-tried-again",
        sentence="A pool is closed for longer than any upstream can ask, or can never be tried. One job tries it now.",
        broken=STUCK,
        mend=lambda things: sql.run(UNSTICK, names=list(things)),
    ),
    Rule(
        name="seat-rests-no-longer-than-a-call",
        sentence="A seat rests for longer than any call lasts. It rests as long as a call may last from now on.",
        broken=OVERSLEPT,
        mend=_wake_seats,
    ),
    Rule(
        name="chores-are-done",
        sentence="The sweeps are overdue though workers live. They are done here; look at why the workers do not.",
        broken=OVERDUE_CHORES,
        mend=_sweep,
    ),
    Rule(
        name="hold-ends",
        sentence="A lane is held by an edit whose time is over: nobody sweeps. The hold is ended.",
        broken=EXPIRED_HOLDS,
        mend=lambda things: sweep.holds(),
    ),
    Rule(
        name="silent-worker-is-forgotten",
        sentence="A worker is silent for long and still counted: nobody sweeps. It is forgotten.",
        broken=UNFORGOTTEN,
        mend=lambda things: rescue.rescue(),
    ),
)


def limits() -> dict[str, float]:
    """Return what the statements above go by."""
    longest = max([conf().CLAIM_TIMEOUT_SECONDS, *(kind.timeout_s for kind in KINDS.values())])
    return {"most": conf().WATCHES_PER_USER, "longest": longest + 3600}
