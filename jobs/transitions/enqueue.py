"""Enqueue: (none or finished) -> queued. Idempotent, so that every poll may call it."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import IntegrityError, connection, transaction

from jobs import events, sql
from jobs.conf import conf
from jobs.registry import Kind
from jobs.text import packed
from jobs.transitions import lanes, wake, watches

TRIES = 3

# The newest row of an identity, with the user's watch; no lock, and the only statement of an idle poll.
NEWEST = """
SELECT j.id, j.status, j.fingerprint, j.wanted_fingerprint, j.error_kind, j.band, j.lane, j.pool,
       extract(epoch FROM clock_timestamp() - j.ended_at)::float AS ended_ago_s,
       extract(epoch FROM w.until - clock_timestamp())::float AS watch_left_s
FROM jobs_job j LEFT JOIN jobs_watch w ON w.job = j.id AND w."user" = %(user)s
WHERE j.kind = %(kind)s AND j.owner = %(owner)s AND j.subject = %(subject)s
ORDER BY j.id DESC LIMIT 1
"""

# Held until the caller's transaction ends. Nobody waits for it: who does not get it finds the row at the next poll.
TRY_LOCK = "SELECT pg_try_advisory_xact_lock(hashtextextended(%(identity)s, 7)) AS got"

# Inserts the job and what lives beside it, unless a newer row of the identity, or a retry of it, has come meanwhile.
INSERT = """
WITH stamp AS (
    SELECT greatest(
        (SELECT max(vturn) FROM jobs_job
         WHERE pool = %(pool)s AND owner = %(owner)s AND status IN ('scheduled', 'waiting', 'ready')),
        least(clock_timestamp(), jobs_clock(%(pool)s))
    ) + make_interval(secs => %(spacing)s) AS vturn
), job AS (
    INSERT INTO jobs_job (kind, owner, subject, fingerprint, wanted_fingerprint, lane, pool, status, priority, band,
                          promoted, turn, vturn, run_at, attempts, crashes, downs, stop_by, error_kind, error)
    SELECT %(kind)s, %(owner)s, %(subject)s, %(fingerprint)s, '', %(lane)s, %(pool)s,
           CASE WHEN %(run_at)s::timestamptz > clock_timestamp() THEN 'scheduled'
                WHEN %(lane)s = '' THEN 'ready' ELSE 'waiting' END,
           %(priority)s, 1, '', vturn + make_interval(secs => %(priority)s * %(ageing)s), vturn,
           %(run_at)s::timestamptz, 0, 0, 0, '', '', ''
    FROM stamp
    WHERE NOT EXISTS (SELECT 1 FROM jobs_job WHERE kind = %(kind)s AND owner = %(owner)s AND subject = %(subject)s
                      AND (id > %(newest)s OR status IN ('scheduled', 'waiting', 'ready', 'running')))
    RETURNING id
), payload AS (
    INSERT INTO jobs_payload (job, args) SELECT id, %(args)s::jsonb FROM job
), item AS (
    INSERT INTO jobs_item (job, key, position, status, error)
    SELECT job.id, i.key, i.n, 'pending', '' FROM job, unnest(%(items)s::text[]) WITH ORDINALITY i(key, n)
)
SELECT id FROM job
"""

# Only a queued or running row can carry a wish.
WISH = """
UPDATE jobs_job SET wanted_fingerprint = CASE WHEN fingerprint = %(fingerprint)s THEN '' ELSE %(fingerprint)s END
WHERE id = %(id)s AND status IN ('scheduled', 'waiting', 'ready', 'running')
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What a caller asks for."""

    kind: Kind
    owner: str
    subject: str
    fingerprint: str = ""
    priority: int = 10
    args: Mapping[str, Any]
    watch: str = ""
    items: Sequence[str] = ()
    run_at: datetime | None = None

    @property
    def identity(self) -> str:
        return "\x1f".join((self.kind.name, self.owner, self.subject))


def enqueue(wish: Wish) -> int | None:
    """Return the id of the job that serves the wish; None when another open transaction is enqueuing it."""
    if not conf().ENABLED:
        newest = _newest(wish)
        return newest["id"] if newest else None
    for _ in range(TRIES):
        newest = _newest(wish)
        if newest and not _wants_new_row(wish, newest):
            _attend(wish, newest)
            return int(newest["id"])
        inserted = _insert(wish, after=newest["id"] if newest else 0)
        if inserted:
            return inserted
        if inserted == 0:
            if connection.in_atomic_block:
                transaction.on_commit(lambda: watches.quietly(lambda: enqueue(wish)))
            return None
    return None


def _newest(wish: Wish) -> dict[str, Any] | None:
    return sql.row(NEWEST, kind=wish.kind.name, owner=wish.owner, subject=wish.subject, user=wish.watch)


def _wants_new_row(wish: Wish, newest: dict[str, Any]) -> bool:
    """The table of what an identity's newest row means for a new wish."""
    status = newest["status"]
    if status in ("scheduled", "waiting", "ready", "running"):
        return False
    same = newest["fingerprint"] == wish.fingerprint or not wish.fingerprint
    if not same:
        return True
    if status == "failed" and newest["error_kind"] != "rejected":
        return bool(newest["ended_ago_s"] >= wish.kind.cooldown_s)
    return False


def _attend(wish: Wish, newest: dict[str, Any]) -> None:
    """Promote, watch and note another fingerprint, on commit and in short transactions of their own."""
    if newest["status"] not in ("scheduled", "waiting", "ready", "running"):
        return
    asked = wish.fingerprint
    if asked and asked != (newest["wanted_fingerprint"] or newest["fingerprint"]):
        transaction.on_commit(lambda: watches.quietly(lambda: note(newest["id"], asked)))
    if wish.watch and watches.is_due(newest["watch_left_s"]):
        transaction.on_commit(lambda: watches.quietly(lambda: watches.watch(newest["id"], wish.watch)))


def note(job: int, fingerprint: str) -> None:
    """Record the wish; a save in progress holds the row, and a poll must not wait for it."""
    with sql.short_transaction(lock_ms=watches.LOCK_MS):
        sql.run(WISH, id=job, fingerprint=fingerprint)


def own_or_outer_transaction() -> AbstractContextManager[None]:
    """The caller's transaction as it is, or a short one of our own."""
    return transaction.atomic() if connection.in_atomic_block else sql.short_transaction()


def _insert(wish: Wish, *, after: int) -> int | None:
    """Return the new id, 0 when another transaction holds the identity, None when the row to go by has changed."""
    args = packed(dict(wish.args), what="The arguments of the job")
    kind = wish.kind
    lane = kind.lane_of(wish.owner, wish.subject, wish.args)
    pool = kind.pool_of(wish.owner, wish.subject, wish.args)
    try:
        with own_or_outer_transaction():
            if not (sql.row(TRY_LOCK, identity=wish.identity) or {})["got"]:
                return 0
            new = sql.row(
                INSERT,
                kind=kind.name,
                owner=wish.owner,
                subject=wish.subject,
                fingerprint=wish.fingerprint,
                lane=lane,
                pool=pool,
                priority=wish.priority,
                run_at=wish.run_at,
                newest=after,
                args=args,
                items=list(dict.fromkeys(wish.items)),
                spacing=conf().SPACING_SECONDS,
                ageing=conf().AGEING_SECONDS,
            )
            if new is None:
                return None
            job = int(new["id"])
            transaction.on_commit(lambda: _after_insert(job, wish, lane=lane, pool=pool))
    except IntegrityError:
        return None
    events.log(events.ENQUEUED, id=job, kind=kind.name, pool=pool or "-", lane=lane or "-")
    return job


def _after_insert(job: int, wish: Wish, *, lane: str, pool: str) -> None:
    """Lost when the process dies here; the next poll or a sweep finds it."""
    if wish.watch:
        watches.quietly(lambda: watches.watch(job, wish.watch, place=False))
    watches.quietly(lambda: lanes.place(lane) if lane else wake.one(pool=pool, kind=wish.kind.name))
