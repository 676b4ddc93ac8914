"""The one place where an attempt ends: running -> finished, or running -> queued again."""

import logging
from typing import Any

from django.db import OperationalError, transaction

from jobs import events, sql
from jobs.conf import conf
from jobs.exceptions import TooLarge
from jobs.registry import KINDS, Kind
from jobs.text import cleaned, packed
from jobs.transitions import items, lanes, pools, wake
from jobs.transitions.outcomes import Attempted, Change, Ending, as_meant, decide, kept_as

ERROR_LENGTH = 500
ATTEMPT_ERROR_LENGTH = 2000
LOG_LENGTH = 10_000
KIND_LENGTH = 64

# What a sign of a failing upstream is judged by; without locks, for the pool is locked before the job.
BEGUN = """
SELECT j.pool, coalesce(c.started_at, j.started_at) AS started_at, c.job IS NOT NULL AND c.over_at IS NULL AS calling
FROM jobs_job j LEFT JOIN jobs_call c ON c.job = j.id AND c.token = j.token
WHERE j.id = %(id)s AND j.token = %(token)s AND j.status = 'running'
"""

# Locks the job while this token runs it; no row means that somebody else has ended it.
FENCE = """
SELECT id, kind, owner, subject, fingerprint, wanted_fingerprint, lane, pool, attempts, crashes, downs, stop_token,
       (SELECT jsonb_object_agg(status, n) FROM
           (SELECT status, count(*) AS n FROM jobs_item WHERE job = %(id)s GROUP BY status) counted) AS items
FROM jobs_job WHERE id = %(id)s AND token = %(token)s AND status = 'running' FOR UPDATE
"""

# running -> its next state, with the attempt, the seat, the call and the open items, all or nothing.
# A seat is free when the upstream is: after an answer it rests for the gap; after a stream was broken off it
# lingers for 5 s (if nothing had come, for as long as its caller said); otherwise until the call must have ended.
END = """
WITH old AS MATERIALIZED (SELECT * FROM jobs_job WHERE id = %(id)s),
call AS MATERIALIZED (SELECT * FROM jobs_call WHERE job = %(id)s AND token = %(token)s),
pool AS (SELECT gap, closed_until FROM jobs_pool WHERE name = (SELECT pool FROM old)),
seat AS (
    UPDATE jobs_seat s SET job = NULL, token = NULL,
        free_at = CASE
            WHEN call.job IS NULL THEN clock_timestamp()
            WHEN call.over_at IS NOT NULL THEN call.over_at + pool.gap
            WHEN call.streamed AND (call.broken_at IS NOT NULL OR %(process_ended)s)
                THEN coalesce(call.broken_at, clock_timestamp()) + pool.gap
                     + CASE WHEN call.spoke THEN interval '5 s' ELSE make_interval(secs => call.linger_s) END
            ELSE greatest(call.call_until, clock_timestamp()) + pool.gap END,
        why = CASE WHEN call.job IS NULL THEN '' WHEN call.over_at IS NOT NULL THEN 'gap' ELSE 'lingering' END
    FROM pool LEFT JOIN call ON true WHERE s.job = %(id)s AND s.token = %(token)s
), gone AS (
    DELETE FROM jobs_call WHERE job = %(id)s
), attempt AS (
    INSERT INTO jobs_attempt (token, job, kind, number, worker, slot, seat, started_at, ended_at, outcome,
                              error_kind, error, log)
    SELECT token, id, kind, (SELECT count(*) + 1 FROM jobs_attempt WHERE job = %(id)s), worker, slot, seat,
           started_at, clock_timestamp(), %(outcome)s, %(how_kind)s, %(how_error)s, %(log)s FROM old
), item AS (
    UPDATE jobs_item SET status = CASE WHEN %(status)s = 'cancelled' THEN 'cancelled' ELSE 'pending' END,
                         ended_at = CASE WHEN %(status)s = 'cancelled' THEN clock_timestamp() END
    WHERE job = %(id)s AND (%(anew)s OR status = 'running' OR (status = 'pending' AND %(status)s = 'cancelled'))
), payload AS (
    UPDATE jobs_payload SET result = %(result)s::jsonb WHERE job = %(id)s AND %(result)s IS NOT NULL
)
UPDATE jobs_job j SET
    status = CASE WHEN %(status)s <> 'queued' THEN %(status)s WHEN j.lane = '' THEN 'ready' ELSE 'waiting' END,
    run_at = CASE WHEN %(status)s = 'scheduled' THEN
        CASE WHEN %(outcome)s IN ('down', 'misconfigured')
             THEN greatest((SELECT closed_until FROM pool), clock_timestamp() + make_interval(secs => %(least)s))
             ELSE clock_timestamp() END + make_interval(secs => %(delay)s) END,
    ended_at = CASE WHEN %(final)s THEN clock_timestamp() END,
    attempts = %(attempts)s, crashes = %(crashes)s, downs = %(downs)s, singly = %(singly)s OR j.singly AND NOT %(anew)s,
    fingerprint = %(fingerprint)s, wanted_fingerprint = '',
    error_kind = %(error_kind)s, error = %(error)s,
    vturn = CASE WHEN %(anew)s THEN s.vturn ELSE j.vturn END,
    turn = CASE WHEN NOT %(anew)s OR j.promoted = 'watch' THEN j.turn
                ELSE s.vturn + make_interval(secs => j.priority * %(ageing)s) END,
    band = CASE WHEN %(anew)s AND j.promoted <> 'watch' THEN 1 ELSE j.band END,
    promoted = CASE WHEN %(anew)s AND j.promoted <> 'watch' THEN '' ELSE j.promoted END,
    worker = NULL, slot = NULL, token = NULL, seat = NULL, deadline = NULL, stop_token = NULL,
    started_at = CASE WHEN %(final)s THEN j.started_at END,
    queued_at = CASE WHEN %(anew)s THEN clock_timestamp() ELSE j.queued_at END
FROM (SELECT greatest(old.vturn, least(clock_timestamp(), jobs_clock(old.pool)))
             + make_interval(secs => %(spacing)s) AS vturn FROM old) s
WHERE j.id = %(id)s
RETURNING j.status
"""


def end(job: int, token: object, how: Attempted, *, lock_ms: int = 0) -> Ending | None:
    """running -> what the table of outcomes says; None when this token has been ended already.

    Raises when a lock is not to be had within lock_ms (0: waits for it).
    """
    how, result = storable(how)
    with sql.short_transaction(lock_ms=lock_ms):
        closed = _tell_pool(job, token, how)
        fenced = sql.row(FENCE, id=job, token=token)
        if fenced is None:
            transaction.set_rollback(True)
            events.log(events.FENCED, id=job)
            return None
        fenced["items"] = sql.json_of(fenced["items"]) or {}
        how = as_meant(how, fenced)
        kind = KINDS.get(fenced["kind"])
        change = decide(fenced, how, kind=kind, conf=conf(), closed=closed)
        ending = _write(fenced, token, how, change, result=result)
        tell_product(kind, ending)
        _afterwards(fenced, ending)
    tell(job, ending.kind, outcome=how.outcome, status=ending.status)
    return ending


def tell(job: int, kind: str, *, outcome: str = "succeeded", status: str = "succeeded") -> None:
    events.log(events.ENDED, id=job, kind=kind, outcome=outcome, status=status)


def storable(how: Attempted) -> tuple[Attempted, str | None]:
    """Return the ending and its result as JSON; a result that cannot be stored fails the job instead of its ending."""
    if how.result is None:
        return how, None
    try:
        return how, packed(how.result, what="The result of the job")
    except TooLarge as error:
        return Attempted(outcome="rejected", error=str(error), error_kind="result", log=how.log), None


def _tell_pool(job: int, token: object, how: Attempted) -> bool:
    """Close the pool when the attempt says that its upstream is down; True when it did."""
    failed = how.outcome in ("down", "misconfigured") and how.blames_pool
    if not failed and not how.closes_after and how.outcome != "timeout":
        return False
    begun = sql.row(BEGUN, id=job, token=token)
    if begun is None or not begun["pool"] or (how.outcome == "timeout" and not begun["calling"]):
        return False
    return pools.down(
        begun["pool"],
        job=job,
        started_at=begun["started_at"],
        reason=cleaned(how.error, most=ERROR_LENGTH),
        hard=failed and (how.hard or how.outcome == "misconfigured"),
        signs=how.closes_after or 2,
        wait_s=how.after_s if failed else None,
        step_s=conf().MISCONFIGURED_SECONDS if how.outcome == "misconfigured" else None,
    )


def _write(job: dict[str, Any], token: object, how: Attempted, change: Change, *, result: str | None) -> Ending:
    error = cleaned(change.error, most=ERROR_LENGTH)
    outcome, how_kind, how_error = kept_as(how, change)
    written = sql.row(
        END,
        id=job["id"],
        token=token,
        process_ended=how.process_ended,
        outcome=outcome,
        how_kind=how_kind[:KIND_LENGTH],
        how_error=cleaned(how_error, most=ATTEMPT_ERROR_LENGTH),
        log=cleaned(how.log, most=LOG_LENGTH) if how.log else "",
        result=result,
        status=change.status,
        final=change.status not in ("queued", "scheduled"),
        delay=change.delay_s or 0,
        least=conf().DOWN_SECONDS,
        attempts=change.attempts,
        crashes=change.crashes,
        downs=change.downs,
        anew=change.anew,
        singly=change.singly,
        fingerprint=change.fingerprint,
        error_kind=change.error_kind[:KIND_LENGTH],
        error=error,
        spacing=conf().SPACING_SECONDS,
        ageing=conf().AGEING_SECONDS,
    )
    return Ending(
        job=job["id"],
        kind=job["kind"],
        owner=job["owner"],
        subject=job["subject"],
        fingerprint=change.fingerprint,
        status=(written or {})["status"],
        outcome=how.outcome,
        error=error,
        error_kind=change.error_kind,
        items=items.counts(job["id"]) if job["items"] else {},
    )


def tell_product(kind: Kind | None, ending: Ending) -> None:
    """Run `on_end` in a savepoint: whatever it does, the job ends; raise when the ending itself was lost meanwhile."""
    if kind is None or kind.on_end is None:
        return
    try:
        with transaction.atomic():
            kind.on_end(ending)
    except Exception as error:
        if transaction.get_rollback():
            raise OperationalError("The session was lost while a product was told, and the ending with it.") from error
        events.log("job.on_end_failed", logging.ERROR, id=ending.job, kind=ending.kind, why=type(error).__name__)


def _afterwards(job: dict[str, Any], ending: Ending) -> None:
    """On commit: its lane has room, it may be ready again, and so may its seat."""
    lanes.offer({**job, "status": ending.status})
    if job["pool"]:
        transaction.on_commit(lambda: wake.pool(job["pool"]))
