"""Enqueue: (none or finished) -> queued. Idempotent, so that every poll may call it."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import IntegrityError, connection, transaction

from jobs import events, sql, ticket
from jobs.conf import conf
from jobs.registry import Kind
from jobs.text import packed
from jobs.ticket import Job
from jobs.transitions import lanes, turns, wake, watches

TRIES = 3

# The newest row of an identity as a ticket shows it, with the user's watch; no lock, and the only statement of an idle
# poll.
NEWEST = f"""{ticket.COLUMNS},
       extract(epoch FROM clock_timestamp() - j.ended_at)::float AS ended_ago_s,
       extract(epoch FROM w.until - clock_timestamp())::float AS watch_left_s
{ticket.TABLES} LEFT JOIN jobs_watch w ON w.job = j.id AND w."user" = %(user)s
WHERE j.kind = %(kind)s AND j.owner = %(owner)s AND j.subject = %(subject)s
ORDER BY j.id DESC LIMIT 1
"""

# Inserts the job and what lives beside it, the watch that puts it first included, unless a newer row of the identity,
# or a retry of it, has come meanwhile.
# The lock is held until the transaction ends: with this statement, or with the caller's. Nobody waits for it: who does
# not get it finds the row at the next poll. Who gets it a moment after somebody else's statement ended may not see that
# row yet, and is refused by the index of active jobs.
INSERT = f"""
WITH asked AS MATERIALIZED (
    SELECT pg_try_advisory_xact_lock(hashtextextended(%(identity)s, 7)) AS got, clock_timestamp() AS at
), stamp AS (
    SELECT greatest(
        {turns.LAST.format(pool="%(pool)s", owner="%(owner)s", kind="%(kind)s")},
        least(clock_timestamp(), jobs_clock(%(pool)s))
    ) + make_interval(secs => %(spacing)s) AS vturn
), job AS (
    INSERT INTO jobs_job (kind, owner, subject, fingerprint, wanted_fingerprint, lane, pool, status, priority, band,
                          promoted, turn, vturn, run_at, attempts, crashes, downs, stop_by, error_kind, error)
    SELECT %(kind)s, %(owner)s, %(subject)s, %(fingerprint)s, '', %(lane)s, %(pool)s,
           CASE WHEN %(run_at)s::timestamptz > asked.at THEN 'scheduled'
                WHEN %(lane)s = '' THEN 'ready' ELSE 'waiting' END,
           %(priority)s, CASE WHEN %(watch)s = '' THEN 1 ELSE 0 END, CASE WHEN %(watch)s = '' THEN '' ELSE 'watch' END,
           CASE WHEN %(watch)s = '' THEN vturn + make_interval(secs => %(priority)s * %(ageing)s)
                ELSE clock_timestamp() END,
           vturn, CASE WHEN %(run_at)s::timestamptz > asked.at THEN %(run_at)s::timestamptz END,
           0, 0, 0, '', '', ''
    FROM asked, stamp
    WHERE got AND NOT EXISTS (SELECT 1 FROM jobs_job WHERE kind = %(kind)s AND owner = %(owner)s
                              AND subject = %(subject)s
                              AND (id > %(newest)s OR status IN ('scheduled', 'waiting', 'ready', 'running')))
    RETURNING *
), payload AS (
    INSERT INTO jobs_payload (job, args) SELECT id, %(args)s::jsonb FROM job
), item AS (
    INSERT INTO jobs_item (job, key, position, status, error)
    SELECT job.id, i.key, i.n, 'pending', '' FROM job, unnest(%(items)s::text[]) WITH ORDINALITY i(key, n)
), seen AS (
    INSERT INTO jobs_watch (job, "user", until)
    SELECT id, %(watch)s, clock_timestamp() + make_interval(secs => %(seconds)s) FROM job WHERE %(watch)s <> ''
)
SELECT asked.got, job.*, NULL::bigint AS done, NULL::bigint AS total, NULL AS note, clock_timestamp() AS now,
       NULL::float AS elapsed_s, NULL AS items,
       (SELECT count(*) FROM jobs_watch w JOIN jobs_job j ON j.id = w.job
        WHERE w."user" = %(watch)s AND j.promoted = 'watch'
          AND j.status IN ('scheduled', 'waiting', 'ready')) AS watches
FROM asked LEFT JOIN job ON true
"""  # noqa: S608

# Only a queued or running row can carry a wish.
WISH = f"""
UPDATE jobs_job SET wanted_fingerprint = CASE WHEN fingerprint = %(fingerprint)s THEN '' ELSE %(fingerprint)s END
WHERE {sql.BOUNDED} AND id = %(id)s AND status IN ('scheduled', 'waiting', 'ready', 'running')
RETURNING id
"""  # noqa: S608


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

    def __post_init__(self) -> None:
        for name in ("owner", "subject", "fingerprint", "watch"):
            if not isinstance(said := getattr(self, name), str):
                raise TypeError(f"The {name} of a job is text; pass str(…), not {type(said).__name__}.")

    @property
    def identity(self) -> str:
        return "\x1f".join((self.kind.name, self.owner, self.subject))


def enqueue(wish: Wish) -> Job | None:
    """Return the job that serves the wish, for a ticket; None when another open transaction is enqueuing it."""
    if not conf().ENABLED:
        return _newest(wish)
    for _ in range(TRIES):
        newest = _newest(wish)
        if newest and not _wants_new_row(wish, newest):
            return _looked_at(newest["id"]) if _attend(wish, newest) else newest
        inserted = _insert(wish, after=newest["id"] if newest else 0)
        if inserted and inserted["got"]:
            return _looked_at(inserted["id"]) if inserted["lane"] or wish.items else inserted
        if inserted:
            if connection.in_atomic_block:
                transaction.on_commit(lambda: watches.quietly(lambda: enqueue(wish)))
            return None
    return None


def attend(wish: Wish) -> Job | None:
    """Return the newest job of the identity, watched as by a wish; nothing is asked for."""
    newest = _newest(wish)
    return _looked_at(newest["id"]) if newest and _attend(wish, newest) else newest


def _looked_at(job: int) -> Job | None:
    """Read the job anew, after what moved it."""
    return sql.row(ticket.BY_ID, id=job)


def _newest(wish: Wish) -> Job | None:
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


def _attend(wish: Wish, newest: Job) -> bool:
    """Promote, watch and note another fingerprint, on commit and each by itself; say whether the row moves by it."""
    if newest["status"] not in ("scheduled", "waiting", "ready", "running"):
        return False
    asked = wish.fingerprint
    is_other = bool(asked) and asked != (newest["wanted_fingerprint"] or newest["fingerprint"])
    if is_other:
        transaction.on_commit(lambda: watches.quietly(lambda: note(newest["id"], asked)))
    is_due = bool(wish.watch) and watches.is_due(newest["watch_left_s"])
    if is_due:
        transaction.on_commit(lambda: watches.quietly(lambda: watches.watch(newest["id"], wish.watch)))
    return is_other or (is_due and newest["band"] > 0)


def note(job: int, fingerprint: str) -> None:
    """Record the wish; a save in progress holds the row, and a poll must not wait for it."""
    sql.alone(WISH, lock_ms=watches.LOCK_MS, id=job, fingerprint=fingerprint)


def own_or_outer_transaction() -> AbstractContextManager[None]:
    """The caller's transaction as it is, or a short one of our own."""
    return transaction.atomic() if connection.in_atomic_block else sql.short_transaction()


def _insert(wish: Wish, *, after: int) -> Job | None:
    """Return the new job with `got`; that alone false when another transaction holds the identity.

    None when the row to go by has changed.
    """
    args = packed(dict(wish.args), what="The arguments of the job")
    kind = wish.kind
    try:
        with transaction.atomic() if connection.in_atomic_block else nullcontext():
            made = sql.row(
                INSERT,
                kind=kind.name,
                identity=wish.identity,
                owner=wish.owner,
                subject=wish.subject,
                fingerprint=wish.fingerprint,
                lane=kind.lane_of(wish.owner, wish.subject, wish.args),
                pool=kind.pool_of(wish.owner, wish.subject, wish.args),
                route=list(kind.pools_in_order()),
                priority=wish.priority,
                watch=wish.watch,
                seconds=conf().WATCH_SECONDS,
                run_at=wish.run_at,
                newest=after,
                args=args,
                items=list(dict.fromkeys(wish.items)),
                spacing=conf().SPACING_SECONDS,
                ageing=conf().AGEING_SECONDS,
            )
            if made is None or (made["got"] and made["id"] is None):
                return None
            if made["got"]:
                transaction.on_commit(lambda: _after_insert(wish, made))
    except IntegrityError:
        return None
    if made["got"]:
        lane, pool = made["lane"] or "-", made["pool"] or "-"
        events.log(events.ENQUEUED, id=made["id"], kind=kind.name, pool=pool, lane=lane)
    return made


def _after_insert(wish: Wish, made: Job) -> None:
    """Lost when the process dies here; the next poll or a sweep finds it."""
    if wish.watch and made["watches"] >= conf().WATCHES_PER_USER:
        watches.quietly(lambda: watches.spend(wish.watch, but=made["id"]))
    lane, pool = made["lane"], made["pool"]
    watches.quietly(lambda: lanes.place(lane) if lane else wake.one(pool=pool, kind=wish.kind.name))
