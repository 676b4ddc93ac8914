"""What people may do to a job: promote, stop, retry; and what a product may do: supersede."""

from typing import Any, Literal

from django.db import transaction

from jobs import events, sql
from jobs.conf import conf
from jobs.registry import KINDS
from jobs.transitions import audit, finish, items, lanes, turns, wake
from jobs.transitions.outcomes import Ending

type Stopping = Literal["cancelled", "stopping", "over"]

# band 1, or band 0 by a watch -> band 0 without an end. Never demotes.
PROMOTE = """
UPDATE jobs_job SET turn = CASE WHEN band = 1 THEN clock_timestamp() ELSE turn END, band = 0, promoted = 'staff'
WHERE id = %(job)s AND status IN ('scheduled', 'waiting', 'ready') AND promoted NOT IN ('staff', 'now')
RETURNING lane, pool, kind, status
"""

# queued -> cancelled, with its wish as its fingerprint, so that no poll undoes the stop.
CANCEL = """
UPDATE jobs_job SET status = 'cancelled', ended_at = clock_timestamp(), stop_by = %(by)s, run_at = NULL,
    fingerprint = CASE WHEN wanted_fingerprint <> '' THEN wanted_fingerprint ELSE fingerprint END,
    wanted_fingerprint = '', error_kind = '', error = ''
WHERE id = %(job)s AND status IN ('scheduled', 'waiting', 'ready')
RETURNING id, kind, owner, subject, fingerprint, lane
"""

CANCEL_ITEMS = """
UPDATE jobs_item SET status = 'cancelled', ended_at = clock_timestamp()
WHERE job = %(job)s AND status IN ('pending', 'running')
"""

# The row as it is, once nobody else is changing it: an attempt that ends meanwhile may be queued again.
LOCK = "SELECT status, promoted FROM jobs_job WHERE id = %(job)s FOR UPDATE"

# running -> still running, with a flag that names the attempt that is meant.
ASK_STOP = """
UPDATE jobs_job SET stop_token = token, stop_by = %(by)s WHERE id = %(job)s AND status = 'running'
RETURNING worker
"""

# finished -> queued anew, if it is its identity's newest row; counters and turn start again.
RETRY = f"""
UPDATE jobs_job j SET status = CASE WHEN j.lane = '' THEN 'ready' ELSE 'waiting' END, ended_at = NULL, run_at = NULL,
    started_at = NULL, attempts = 0, crashes = 0, downs = 0, singly = false, error = '', error_kind = '', stop_by = '',
    band = 1, promoted = '', queued_at = clock_timestamp(), vturn = s.vturn,
    turn = s.vturn + make_interval(secs => j.priority * %(ageing)s)
FROM (SELECT o.id, greatest(
        {turns.LAST.format(pool="o.pool", owner="o.owner", kind="o.kind")},
        least(clock_timestamp(), jobs_clock(o.pool))
    ) + make_interval(secs => %(spacing)s) AS vturn FROM jobs_job o WHERE o.id = %(job)s) s
WHERE j.id = s.id AND j.ended_at IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM jobs_job n WHERE n.kind = j.kind AND n.owner = j.owner AND n.subject = j.subject AND n.id > j.id)
RETURNING j.lane, j.pool, j.kind, j.status
"""  # noqa: S608

# Keeps enqueue off the identity; who does not get it finds that it was enqueued at this very moment.
TRY_LOCK = """
SELECT pg_try_advisory_xact_lock(hashtextextended(kind || chr(31) || owner || chr(31) || subject, 7)) AS got, kind
FROM jobs_job WHERE id = %(job)s
"""

REOPEN_ITEMS = """
UPDATE jobs_item SET status = 'pending', error = '', ended_at = NULL
WHERE job = %(job)s AND status IN ('failed', 'partial', 'cancelled', 'running')
"""

FAILED_ITEMS = "SELECT 1 FROM jobs_item WHERE job = %(job)s AND status IN ('failed', 'partial', 'cancelled') LIMIT 1"

OTHERS = """
SELECT id FROM jobs_job WHERE kind = %(kind)s AND owner = %(owner)s AND subject <> %(keep)s
  AND status IN ('scheduled', 'waiting', 'ready') ORDER BY id
"""


def promote(job: int, *, by: str) -> bool:
    """queued -> queued before all others, until it runs; False when it is not queued or promoted already."""
    with sql.short_transaction():
        old = sql.row(LOCK, job=job)
        moved = sql.row(PROMOTE, job=job)
        if old and moved:
            now = {"promoted": "staff"}
            audit.write(by, "job.promote", f"job {job}", old={"promoted": old["promoted"]}, new=now)
    if moved is None:
        return False
    lanes.offer(moved)
    return True


def stop(job: int, *, by: str) -> Stopping:
    """queued -> cancelled at once; running -> asked to stop; "over" when it had ended."""
    with sql.short_transaction():
        old = sql.row(LOCK, job=job)
        if old is None:
            return "over"
        if _cancel(job, by=by, old=old["status"]):
            return "cancelled"
        asked = sql.row(ASK_STOP, job=job, by=by[:150])
        if asked is None:
            return "over"
        audit.write(by, "job.stop", f"job {job}", old={"status": "running"}, new={"status": "asked to stop"})
        transaction.on_commit(lambda: wake.supervisor(asked["worker"]))
    events.log(events.STOP_ASKED, id=job)
    return "stopping"


def _cancel(job: int, *, by: str, old: str = "queued") -> bool:
    """queued -> cancelled, inside a transaction; False when it is not queued."""
    cancelled = sql.row(CANCEL, job=job, by=by[:150])
    if cancelled is None:
        return False
    sql.run(CANCEL_ITEMS, job=job)
    finish.tell_product(KINDS.get(cancelled["kind"]), _ending(cancelled))
    audit.write(by, "job.stop", f"job {job}", old={"status": old}, new={"status": "cancelled"})
    lanes.place(cancelled["lane"])
    return True


def _ending(job: dict[str, Any]) -> Ending:
    return Ending(
        job=job["id"],
        kind=job["kind"],
        owner=job["owner"],
        subject=job["subject"],
        fingerprint=job["fingerprint"],
        status="cancelled",
        outcome="stopped",
        items=items.counts(job["id"]),
    )


def retry(job: int, *, by: str, failed_items: bool = False) -> bool:
    """finished -> queued anew, ok items kept; False when it is active or not its identity's newest.

    With `failed_items` only a job is moved of which an item did not succeed.
    """
    with sql.short_transaction():
        locked = sql.row(TRY_LOCK, job=job)
        if locked is None or not locked["got"]:
            return False
        old = sql.row(LOCK, job=job) or {}
        if failed_items and not sql.rows(FAILED_ITEMS, job=job):
            return False
        kind = KINDS.get(locked["kind"])
        route = list(kind.pools_in_order()) if kind else []
        moved = sql.row(RETRY, job=job, route=route, spacing=conf().SPACING_SECONDS, ageing=conf().AGEING_SECONDS)
        if moved is None:
            return False
        sql.run(REOPEN_ITEMS, job=job)
        done = "job.retry_items" if failed_items else "job.retry"
        audit.write(by, done, f"job {job}", old={"status": old["status"]}, new={"status": moved["status"]})
    lanes.offer(moved)
    return True


def supersede(kind: str, owner: str, *, keep: str) -> int:
    """Cancel the owner's queued jobs of the kind with another subject; return how many."""
    others = sql.rows(OTHERS, kind=kind, owner=owner, keep=keep)
    return sum(_supersede(row["id"], keep=keep) for row in others)


def _supersede(job: int, *, keep: str) -> bool:
    with sql.short_transaction():
        return _cancel(job, by=f"superseded by {keep}")
