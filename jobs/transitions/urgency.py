"""How urgent a job is: run it now, past the gap and never past the capacity, or change its priority."""

from typing import Any, Literal

from django.db import OperationalError, transaction
from psycopg.errors import LockNotAvailable

from jobs import sql
from jobs.conf import conf
from jobs.transitions import audit, lanes, wake

type Running = Literal["now", "first", "lane", "paused", "closed", "busy", "over"]

LOCK_MS = 200

# What keeps a job from running now that no staff can go past; without a lock, for the claim asks again.
SEEN = """
SELECT j.lane, j.pool, p.paused AS pool_paused, p.closed_until > clock_timestamp() AS closed
FROM jobs_job j LEFT JOIN jobs_pool p ON p.name = j.pool
WHERE j.id = %(job)s AND j.status IN ('scheduled', 'waiting', 'ready')
"""

# The lane before its jobs; whoever places in it waits for this transaction.
LOCK_LANE = """
SELECT paused OR coalesce(held_until > clock_timestamp(), false) AS shut FROM jobs_lane
WHERE key = %(lane)s FOR UPDATE
"""

# queued -> waiting or ready, before everything that is due in its pool and in its lane.
FIRST = """
UPDATE jobs_job j SET band = 0, promoted = 'now', run_at = NULL,
    status = CASE WHEN j.status <> 'scheduled' THEN j.status WHEN j.lane = '' THEN 'ready' ELSE 'waiting' END,
    turn = least(clock_timestamp(), (
        SELECT min(b.turn) - interval '1 microsecond' FROM jobs_job b
        WHERE b.pool = j.pool AND b.band = 0 AND b.status IN ('scheduled', 'waiting', 'ready') AND b.id <> j.id
    ), (
        SELECT min(b.turn) - interval '1 microsecond' FROM jobs_job b
        WHERE b.lane = j.lane AND b.band = 0 AND b.status = 'waiting' AND b.id <> j.id
    ))
FROM (SELECT id, promoted, status FROM jobs_job WHERE id = %(job)s FOR UPDATE) old
WHERE j.id = old.id AND j.status IN ('scheduled', 'waiting', 'ready')
RETURNING j.lane, j.pool, j.kind, old.status, old.promoted
"""

STANDS = "SELECT status FROM jobs_job WHERE id = %(job)s"

# A seat that rests for its gap is free at once, while fewer are free than jobs are to run now. What lingers stays:
# the upstream may still be at work. No row is made, so the capacity is what it was; the gap after the call holds.
WAIVE = """
UPDATE jobs_seat SET free_at = clock_timestamp(), why = '' WHERE job IS NULL AND id = (
    SELECT id FROM jobs_seat WHERE pool = %(pool)s AND job IS NULL AND why = 'gap' AND free_at > clock_timestamp()
    ORDER BY free_at LIMIT 1 FOR UPDATE SKIP LOCKED)
  AND (SELECT count(*) FROM jobs_seat WHERE pool = %(pool)s AND job IS NULL AND free_at <= clock_timestamp())
    < (SELECT count(*) FROM jobs_job
       WHERE promoted = 'now' AND pool = %(pool)s AND band = 0 AND status IN ('scheduled', 'waiting', 'ready')
         AND status = 'ready')
RETURNING id
"""

FREE = """
SELECT 1 FROM jobs_seat WHERE pool = %(pool)s AND job IS NULL AND free_at <= clock_timestamp() LIMIT 1
"""

# queued -> queued with another priority: its turn moves by it, unless it goes first anyway.
PRIORITY = """
UPDATE jobs_job j SET priority = %(priority)s,
    turn = CASE WHEN j.band = 1 THEN j.vturn + make_interval(secs => %(priority)s * %(ageing)s) ELSE j.turn END
FROM (SELECT id, priority FROM jobs_job WHERE id = %(job)s FOR UPDATE) old
WHERE j.id = old.id AND j.status IN ('scheduled', 'waiting', 'ready') AND j.priority <> %(priority)s
RETURNING j.lane, j.pool, j.kind, j.status, old.priority AS old
"""


def run_now(job: int, *, by: str) -> Running:
    """queued -> ready before all others, with a seat whose gap is waived; the next claim of its pool takes it.

    "first" when every seat is taken or lingers: then it is the first to get one. "lane", "paused", "closed", "busy"
    (somebody is changing its lane this moment) and "over" say why nothing was done.
    """
    try:
        with sql.short_transaction(lock_ms=LOCK_MS):
            said = _run_now(job, by=by)
            if said not in ("now", "first"):
                transaction.set_rollback(True)
            return said
    except OperationalError as error:
        if isinstance(error.__cause__, LockNotAvailable):
            return "busy"
        raise


def _run_now(job: int, *, by: str) -> Running:
    seen = sql.row(SEEN, job=job)
    if seen is None:
        return "over"
    if seen["pool_paused"] or seen["closed"]:
        return "paused" if seen["pool_paused"] else "closed"
    if seen["lane"] and (sql.row(LOCK_LANE, lane=seen["lane"]) or {"shut": False})["shut"]:
        return "paused"
    moved = sql.row(FIRST, job=job)
    if moved is None:
        return "over"
    if moved["lane"]:
        sql.rows(lanes.PLACE, lane=moved["lane"])
    if (sql.row(STANDS, job=job) or {})["status"] != "ready":
        return "lane"
    waived = sql.row(WAIVE, pool=moved["pool"])
    old = {"status": moved["status"], "promoted": moved["promoted"]}
    new = {"status": "ready", "promoted": "now"} | ({"gap waived of seat": waived["id"]} if waived else {})
    audit.write(by, "job.run_now", f"job {job}", old=old, new=new)
    transaction.on_commit(lambda: wake.one(pool=moved["pool"], kind=moved["kind"]))
    return "now" if not moved["pool"] or waived or sql.rows(FREE, pool=moved["pool"]) else "first"


def change_priority(job: int, priority: int, *, by: str) -> bool:
    """queued -> queued with this priority, lower first; False when it is not queued or has it already."""
    with sql.short_transaction():
        moved: dict[str, Any] | None = sql.row(PRIORITY, job=job, priority=priority, ageing=conf().AGEING_SECONDS)
        if moved:
            old, new = {"priority": moved["old"]}, {"priority": priority}
            audit.write(by, "job.priority", f"job {job}", old=old, new=new)
    if moved is None:
        return False
    lanes.offer(moved)
    return True
