"""A ticket: what a job is doing or waits for, how many are before it, and when it will probably start."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils import timezone

from jobs import sql, starts_at
from jobs.conf import conf
from jobs.registry import KINDS, label

type Job = dict[str, Any]
type Usual = dict[str, tuple[float, float]]

QUEUED = ("scheduled", "waiting", "ready")
MOST = 1000  # positions are exact up to here
OFF = ("disabled", "The queue is switched off.")

COLUMNS = """
SELECT j.*, p.done, p.total, p.note, clock_timestamp() AS now,
       extract(epoch FROM clock_timestamp() - j.started_at)::float AS elapsed_s,
       (SELECT jsonb_object_agg(status, n) FROM
           (SELECT status, count(*) AS n FROM jobs_item WHERE job = j.id GROUP BY status) counted)::text AS items
"""
TABLES = "FROM jobs_job j LEFT JOIN jobs_progress p ON p.job = j.id "
JOB = COLUMNS + TABLES
NEWEST = JOB + "WHERE j.kind = %(kind)s AND j.owner = %(owner)s AND j.subject = %(subject)s ORDER BY j.id DESC LIMIT 1"
NEWEST_OF_EACH = f"""{JOB}
WHERE j.kind = %(kind)s AND j.owner = %(owner)s AND j.subject = ANY(%(subjects)s::text[])
  AND NOT EXISTS (
      SELECT 1 FROM jobs_job n WHERE n.kind = j.kind AND n.owner = j.owner AND n.subject = j.subject AND n.id > j.id)
"""  # noqa: S608  (made of statements only)
BY_ID = JOB + "WHERE j.id = %(id)s"
OF_OWNER = f"""{JOB}
WHERE j.kind = ANY(%(kinds)s::text[]) AND j.owner = %(owner)s
  AND (j.ended_at IS NULL OR j.ended_at > clock_timestamp() - interval '1 day')
ORDER BY j.ended_at DESC NULLS FIRST, j.band, j.turn, j.id LIMIT %(most)s
"""

# Everything that decides why queued jobs wait, in one statement for all of them. `ahead` are the jobs that are due
# before one in its pool or lane, by kind: rows, not a count, so that it stops at the limit.
WHY = """
SELECT q.id,
    (SELECT row_to_json(x) FROM (
        SELECT paused, held_label, held_until > clock_timestamp() AS held FROM jobs_lane
        WHERE key = q.lane) x) AS lane,
    (SELECT row_to_json(x) FROM (
        SELECT id, kind, status, extract(epoch FROM clock_timestamp() - started_at)::float AS elapsed_s FROM jobs_job
        WHERE lane = q.lane AND lane <> '' AND status IN ('ready', 'running') AND id <> q.id) x) AS head,
    (SELECT row_to_json(x) FROM (
        SELECT paused, jobs_capacity(capacity, reserve) AS capacity,
               closed_at, coalesce(down_since, closed_at) AS down_since,
               closed_until, closed_until > clock_timestamp() AS closed,
               extract(epoch FROM gap)::float AS gap_s, admit <= (
                   SELECT count(*) FROM jobs_job j JOIN jobs_seat s ON s.job = j.id
                   WHERE s.pool = name AND j.status = 'running' AND j.started_at > closed_at) AS tried
        FROM jobs_pool WHERE name = q.pool) x) AS pool,
    (SELECT json_agg(row_to_json(x)) FROM (
        SELECT s.why, s.job IS NOT NULL AS busy, j.kind,
               greatest(0, extract(epoch FROM s.free_at - clock_timestamp()))::float AS rests_s,
               extract(epoch FROM clock_timestamp() - j.started_at)::float AS elapsed_s
        FROM jobs_seat s LEFT JOIN jobs_job j ON j.id = s.job AND j.status = 'running'
        WHERE s.pool = q.pool) x) AS seats,
    (SELECT json_object_agg(x.kind, x.n ORDER BY x.kind) FROM (
        SELECT before.kind, count(*) AS n FROM (
            SELECT kind FROM jobs_job WHERE status = 'ready' AND pool = q.pool AND kind = ANY(%(kinds)s::text[])
              AND (band, turn, id) < (q.band, q.turn, q.id)
            UNION ALL
            SELECT kind FROM jobs_job WHERE status = 'waiting' AND pool = q.pool
              AND (band, turn, id) < (q.band, q.turn, q.id)
            UNION ALL
            SELECT kind FROM jobs_job WHERE status = 'waiting' AND lane = q.lane AND pool <> q.pool
              AND (band, turn, id) < (q.band, q.turn, q.id)
            UNION ALL
            SELECT kind FROM jobs_job WHERE lane = q.lane AND lane <> '' AND status = 'ready' AND pool <> q.pool
              AND id <> q.id
            LIMIT 1000
        ) before GROUP BY before.kind) x) AS ahead,
    EXISTS (SELECT 1 FROM jobs_worker w WHERE NOT w.draining AND q.kind = ANY(w.kinds)
            AND (q.pool = '' OR q.pool = ANY(w.pools))
            AND w.heartbeat_at > clock_timestamp() - make_interval(secs => %(fresh)s)) AS served,
    (SELECT sum(w.slots - (
        SELECT count(DISTINCT j.slot) FROM jobs_job j WHERE j.worker = w.id AND j.status = 'running'))
     FROM jobs_worker w WHERE NOT w.draining AND q.kind = ANY(w.kinds)
       AND (q.pool = '' OR q.pool = ANY(w.pools))
       AND w.heartbeat_at > clock_timestamp() - make_interval(secs => %(fresh)s))::int AS slots
FROM unnest(%(id)s::bigint[], %(lane)s::text[], %(pool)s::text[], %(kind)s::text[], %(band)s::int[],
            %(turn)s::timestamptz[]) q(id, lane, pool, kind, band, turn)
"""

# How long attempts of these kinds took lately: the middle half.
USUAL = """
SELECT k.kind, percentile_cont(ARRAY[0.25, 0.75]) WITHIN GROUP (ORDER BY a.seconds) AS middle
FROM unnest(%(kinds)s::text[]) k(kind) CROSS JOIN LATERAL (
    SELECT extract(epoch FROM ended_at - started_at)::float AS seconds FROM jobs_attempt
    WHERE kind = k.kind AND outcome IN ('succeeded', 'partial') ORDER BY ended_at DESC LIMIT 50) a
GROUP BY k.kind
"""

SILENT_WORKERS = """
SELECT id, greatest(0, %(after)s - extract(epoch FROM clock_timestamp() - heartbeat_at))::float AS moves_on_s
FROM jobs_worker
WHERE id = ANY(%(workers)s::uuid[]) AND heartbeat_at < clock_timestamp() - make_interval(secs => %(silent)s)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ticket:
    """A job as its owner may see it. Times are aware; durations are in seconds."""

    id: int
    kind: str
    owner: str
    subject: str
    status: str  # a status of Job, or "enqueuing"
    fingerprint: str = ""
    wanted_fingerprint: str = ""
    reason: str = ""
    sentence: str = ""
    position: int | None = None  # 1: next
    ahead: Mapping[str, int] = field(default_factory=dict)
    starts_from: datetime | None = None
    starts_until: datetime | None = None
    retry_at: datetime | None = None
    closed_since: datetime | None = None
    usual_s: tuple[float, float] | None = None
    started_at: datetime | None = None
    ended_at: datetime | None = None
    run_at: datetime | None = None
    elapsed_s: float | None = None
    progress: tuple[int, int, str] | None = None
    items: Mapping[str, int] = field(default_factory=dict)
    error: str = ""
    error_kind: str = ""
    attempts: int = 0
    stopping: bool = False
    stop_by: str = ""

    @property
    def is_active(self) -> bool:
        return self.status in (*QUEUED, "running", "enqueuing")

    @property
    def is_finished(self) -> bool:
        return not self.is_active

    @property
    def can_stop(self) -> bool:
        return self.status in (*QUEUED, "running") and not self.stopping

    @property
    def can_retry(self) -> bool:
        return self.status in ("failed", "partial", "cancelled", "interrupted")


def of_identity(kind: str, owner: str, subject: str) -> Ticket | None:
    return next(iter(explain(sql.rows(NEWEST, kind=kind, owner=owner, subject=subject))), None)


def of_identities(kind: str, owner: str, subjects: Sequence[str]) -> dict[str, Ticket]:
    """Return the newest job of each subject; a subject that never had one is left out."""
    jobs = sql.rows(NEWEST_OF_EACH, kind=kind, owner=owner, subjects=list(subjects))
    return {ticket.subject: ticket for ticket in explain(jobs)}


def of_job(job_id: int) -> Ticket | None:
    return next(iter(explain(sql.rows(BY_ID, id=job_id))), None)


def of_owner(owner: str, *, most: int = 50) -> list[Ticket]:
    """Return the owner's active jobs in order, then those that ended within a day."""
    return explain(sql.rows(OF_OWNER, owner=owner, kinds=list(KINDS), most=most))


def being_enqueued(kind: str, owner: str, subject: str) -> Ticket:
    reason, sentence = ("", "It is being put in line.") if conf().ENABLED else OFF
    return Ticket(id=0, kind=kind, owner=owner, subject=subject, status="enqueuing", reason=reason, sentence=sentence)


def explain(jobs: Sequence[Job]) -> list[Ticket]:
    """Return a ticket for each; what many wait for takes as many queries as what one waits for."""
    queued = [job for job in jobs if job["status"] in QUEUED]
    running = [job for job in jobs if job["status"] == "running"]
    said = _why_they_wait(queued) if queued else {}
    said |= _how_they_run(running) if running else {}
    return [_ticket(job, said.get(job["id"], {})) for job in jobs]


def _ticket(job: Job, said: Mapping[str, Any]) -> Ticket:
    known: dict[str, Any] = {
        name: job[name]
        for name in (
            "id", "kind", "owner", "subject", "status", "fingerprint", "wanted_fingerprint", "started_at", "ended_at",
            "run_at", "elapsed_s", "error", "error_kind", "attempts", "stop_by",
        )
    }  # fmt: skip
    known["items"] = sql.json_of(job["items"]) or {}
    known["stopping"] = _is_stopping(job)
    if job["total"]:
        known["progress"] = (job["done"], job["total"], job["note"])
    return Ticket(**known, **said)


def _is_stopping(job: Job) -> bool:
    return job["stop_token"] is not None and job["stop_token"] == job["token"]


def _how_they_run(jobs: Sequence[Job]) -> dict[int, dict[str, Any]]:
    usual = usual_of(sorted({job["kind"] for job in jobs}))
    workers = [job["worker"] for job in jobs]
    silent = sql.rows(SILENT_WORKERS, workers=workers, after=conf().RESCUE_SECONDS, silent=conf().SELF_KILL_SECONDS)
    moves_on = {row["id"]: max(1, round(row["moves_on_s"])) for row in silent}
    return {
        job["id"]: _how_it_runs(job, moves_on.get(job["worker"])) | {"usual_s": usual.get(job["kind"])} for job in jobs
    }


def _how_it_runs(job: Job, moves_on_s: int | None) -> dict[str, Any]:
    if moves_on_s:
        sentence = f"Its worker has fallen silent; the job moves on in {moves_on_s} s."
        return {"reason": "silent_worker", "sentence": sentence}
    return {"sentence": "It is being stopped." if _is_stopping(job) else "It is running."}


def _why_they_wait(jobs: Sequence[Job]) -> dict[int, dict[str, Any]]:
    facts = {row["id"]: row for row in why(jobs)}
    ahead: dict[int, dict[str, int]] = {pk: row["ahead"] or {} for pk, row in facts.items()}
    at_work = [row for found in facts.values() for row in (found["head"] or {}, *(found["seats"] or ()))]
    before = {kind for found in ahead.values() for kind in found}
    usual = usual_of(
        sorted({*(job["kind"] for job in jobs), *before, *(row["kind"] for row in at_work if row.get("kind"))})
    )
    return {job["id"]: _why_it_waits(job, facts[job["id"]], ahead[job["id"]], usual) for job in jobs}


def why(jobs: Sequence[Job]) -> list[dict[str, Any]]:
    """Return what each of the queued jobs waits for, in one statement."""
    asked = {name: [job[name] for job in jobs] for name in ("id", "lane", "pool", "kind", "band", "turn")}
    return [_facts(row) for row in sql.rows(WHY, **asked, kinds=list(KINDS), fresh=conf().RESCUE_SECONDS)]


def _facts(row: Mapping[str, Any]) -> dict[str, Any]:
    plain = ("id", "served", "slots")
    return {name: value if name in plain else sql.json_of(value) for name, value in row.items()}


def _why_it_waits(job: Job, facts: dict[str, Any], ahead: dict[str, int], usual: Usual) -> dict[str, Any]:
    position = sum(ahead.values()) + 1
    reason, sentence = reason_of(job, facts, position)
    starts = (None, None) if reason in starts_at.UNKNOWN else starts_at.between(job, facts, ahead, usual)
    pool = facts["pool"] or {}
    closed = bool(pool.get("closed"))
    return {
        "ahead": ahead,
        "position": position,
        "usual_s": usual.get(job["kind"]),
        "starts_from": starts[0],
        "starts_until": starts[1],
        "reason": reason,
        "sentence": sentence,
        "retry_at": job["run_at"] or (datetime.fromisoformat(pool["closed_until"]) if closed else None),
        "closed_since": datetime.fromisoformat(pool["down_since"]) if closed or _met_down(job, pool) else None,
    }


def usual_of(kinds: list[str]) -> Usual:
    """Return how many seconds a job of each kind took lately: the middle half, lower and upper end."""
    return {row["kind"]: (row["middle"][0], row["middle"][1]) for row in sql.rows(USUAL, kinds=kinds)}


def reason_of(job: dict[str, Any], facts: dict[str, Any], position: int) -> tuple[str, str]:
    """Return the first thing in the way, as a code and a sentence."""
    lane, head, pool = facts["lane"] or {}, facts["head"], facts["pool"] or {}
    if not conf().ENABLED:
        return OFF
    if job["status"] == "scheduled" and (facts["served"] or job["run_at"] > timezone.now()):
        return _scheduled(job, pool)
    if not facts["served"]:
        return "no_worker", "No worker that serves it is running."
    if lane.get("paused") or pool.get("paused"):
        return "paused", f"{'Its line' if lane.get('paused') else 'The service'} is paused by staff."
    if pool.get("capacity") == 0:
        return "paused", "The service has no place for Coach at this hour; staff decide which."
    if lane.get("held"):
        return "hold", f"{lane['held_label']} is at work on the same thing."
    if head and job["status"] == "waiting":
        return "lane", f"{label(head['kind'])} of the same source comes first."
    if pool.get("closed"):
        return "closed", f"The service is not answering; next try {pool['closed_until'][11:16]} UTC."
    if position > 1:
        return "turn", f"{position - 1} before it."
    if pool.get("tried"):
        return "recovering", "It is next; the service has been away, and another job is trying it first."
    reason, sentence = _seat(facts["seats"] or [], job["pool"])
    if reason == "turn" and (facts["slots"] or 0) <= 0:
        return "slot", "It is next; every worker is busy with other jobs."
    return reason, sentence


def _scheduled(job: dict[str, Any], pool: dict[str, Any]) -> tuple[str, str]:
    at = f"{job['run_at']:%H:%M:%S} UTC"
    if _met_down(job, pool):
        since = "closed" if pool.get("closed") else "run_at"
        return since, f"The service was not answering; it is asked again at {at}."
    if job["error"]:
        return "run_at", f"The last attempt failed; the next one is at {at}."
    return "run_at", f"It is set for {at}."


def _met_down(job: dict[str, Any], pool: dict[str, Any]) -> bool:
    """Say whether the job waits because its upstream was away when it was asked."""
    return job["error_kind"] in ("down", "misconfigured") and bool(pool.get("closed_at"))


def _seat(seats: list[dict[str, Any]], pool: str) -> tuple[str, str]:
    if not pool:
        return "turn", "It is next."
    resting = [seat for seat in seats if not seat["busy"]]
    if not seats or not resting:
        return "seat", "It is next; every place at the service is taken."
    rests = min(seat["rests_s"] for seat in resting)
    if rests > 0:
        return "gap", f"It is next; the service rests for {max(1, round(rests))} s."
    return "turn", "It is next."


COUNTS = """
SELECT status, count(*) AS n FROM jobs_job
WHERE owner = %(owner)s AND status IN ('scheduled', 'waiting', 'ready', 'running') GROUP BY status
"""


def counts(owner: str) -> dict[str, int]:
    return {row["status"]: row["n"] for row in sql.rows(COUNTS, owner=owner)}
