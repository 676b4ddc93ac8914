"""Enqueue many at once, judged as one is."""

from collections.abc import Sequence
from itertools import batched
from typing import Any

from django.db import connection, transaction

from jobs import sql
from jobs.conf import conf
from jobs.registry import Kind, kind_of
from jobs.text import packed
from jobs.transitions import lanes, turns, wake, watches
from jobs.transitions.enqueue import Wish, note, own_or_outer_transaction

BULK = 500  # rows of one transaction: each locks its identity, and the server's table of locks is small

# A statement of its own: the rows are then judged by a snapshot that is younger than the locks.
TRY_LOCKS = """
SELECT w.n FROM unnest(%(owners)s::text[], %(subjects)s::text[]) WITH ORDINALITY w(owner, subject, n)
WHERE pg_try_advisory_xact_lock(hashtextextended(%(kind)s || chr(31) || w.owner || chr(31) || w.subject, 7))
"""

# Turns are stamped by row number within the owner.
INSERT_MANY = f"""
WITH wish AS (
    SELECT w.*, row_number() OVER (PARTITION BY w.pool, w.owner ORDER BY w.n) AS place
    FROM unnest(%(owners)s::text[], %(subjects)s::text[], %(fingerprints)s::text[], %(lanes)s::text[],
                %(pools)s::text[], %(args)s::text[]) WITH ORDINALITY w(owner, subject, fingerprint, lane, pool, args, n)
    LEFT JOIN LATERAL (
        SELECT status, fingerprint, error_kind, ended_at FROM jobs_job j
        WHERE j.kind = %(kind)s AND j.owner = w.owner AND j.subject = w.subject ORDER BY j.id DESC LIMIT 1
    ) newest ON true
    WHERE newest.status IS NULL
       OR newest.status NOT IN ('scheduled', 'waiting', 'ready', 'running') AND (
            w.fingerprint NOT IN ('', newest.fingerprint)
            OR newest.status = 'failed' AND newest.error_kind <> 'rejected'
               AND newest.ended_at <= clock_timestamp() - make_interval(secs => %(cooldown)s))
), base AS (
    SELECT pool, owner, greatest(
        {turns.LAST.format(pool="o.pool", owner="o.owner", kind="%(kind)s")},
        least(clock_timestamp(), jobs_clock(o.pool))) AS vturn
    FROM (SELECT DISTINCT pool, owner FROM wish) o
), job AS (
    INSERT INTO jobs_job (kind, owner, subject, fingerprint, wanted_fingerprint, lane, pool, status, priority, band,
                          promoted, turn, vturn, attempts, crashes, downs, stop_by, error_kind, error)
    SELECT %(kind)s, w.owner, w.subject, w.fingerprint, '', w.lane, w.pool,
           CASE WHEN w.lane = '' THEN 'ready' ELSE 'waiting' END, %(priority)s, 1, '',
           b.vturn + make_interval(secs => w.place * %(spacing)s + %(priority)s * %(ageing)s),
           b.vturn + make_interval(secs => w.place * %(spacing)s), 0, 0, 0, '', '', ''
    FROM wish w JOIN base b ON b.pool = w.pool AND b.owner = w.owner ORDER BY w.n
    RETURNING id, owner, subject, lane, pool
), payload AS (
    INSERT INTO jobs_payload (job, args)
    SELECT job.id, w.args::jsonb FROM job JOIN wish w ON w.owner = job.owner AND w.subject = job.subject
)
SELECT id, lane, pool FROM job
"""  # noqa: S608

# Active rows whose fingerprint, or last wish, is another than is asked for now.
OTHERWISE = """
SELECT j.id, w.fingerprint FROM unnest(%(owners)s::text[], %(subjects)s::text[], %(fingerprints)s::text[])
    w(owner, subject, fingerprint)
JOIN jobs_job j ON j.kind = %(kind)s AND j.owner = w.owner AND j.subject = w.subject
WHERE j.status IN ('scheduled', 'waiting', 'ready', 'running')
  AND w.fingerprint NOT IN ('', coalesce(nullif(j.wanted_fingerprint, ''), j.fingerprint)) ORDER BY j.id
"""


def enqueue_many(kind_name: str, wishes: Sequence[Wish], *, priority: int) -> list[int]:
    """Insert what the table of wishes calls for, by statements of up to 500 rows; return the new ids.

    More than that inside a transaction is done when it commits, in transactions of its own, and returns nothing.
    """
    if not conf().ENABLED:
        return []
    unique = list({wish.identity: wish for wish in wishes}.values())
    if len(unique) > BULK and connection.in_atomic_block:
        transaction.on_commit(lambda: _insert_parts(kind_name, unique, priority=priority))
        return []
    return _insert_parts(kind_name, unique, priority=priority)


def _insert_parts(kind_name: str, wishes: list[Wish], *, priority: int) -> list[int]:
    kind = kind_of(kind_name)
    return [job for part in batched(wishes, BULK) for job in _insert_many(kind, part, priority=priority)]


def _insert_many(kind: Kind, wishes: Sequence[Wish], *, priority: int) -> list[int]:
    asked = {
        "kind": kind.name,
        "owners": [wish.owner for wish in wishes],
        "subjects": [wish.subject for wish in wishes],
        "fingerprints": [wish.fingerprint for wish in wishes],
    }
    args = [packed(dict(wish.args), what="The arguments of a job") for wish in wishes]
    with own_or_outer_transaction():
        got = [row["n"] - 1 for row in sql.rows(TRY_LOCKS, **asked)]
        mine = [wishes[n] for n in got]
        made = sql.rows(
            INSERT_MANY,
            kind=kind.name,
            owners=[wish.owner for wish in mine],
            subjects=[wish.subject for wish in mine],
            fingerprints=[wish.fingerprint for wish in mine],
            lanes=[kind.lane_of(wish.owner, wish.subject, wish.args) for wish in mine],
            pools=[kind.pool_of(wish.owner, wish.subject, wish.args) for wish in mine],
            route=list(kind.pools_in_order()),
            args=[args[n] for n in got],
            priority=priority,
            cooldown=kind.cooldown_s,
            spacing=conf().SPACING_SECONDS,
            ageing=conf().AGEING_SECONDS,
        )
        transaction.on_commit(lambda: _after_many(kind.name, made))
        transaction.on_commit(lambda: watches.quietly(lambda: _note_many(asked)))
    return [int(row["id"]) for row in made]


def _note_many(asked: dict[str, Any]) -> None:
    for row in sql.rows(OTHERWISE, **asked):
        note(row["id"], row["fingerprint"])


def _after_many(kind: str, made: list[dict[str, Any]]) -> None:
    for lane in {row["lane"] for row in made if row["lane"]}:
        watches.quietly(lambda lane=lane: lanes.place(lane))  # type: ignore[misc]
    for pool in {row["pool"] for row in made if not row["lane"]}:
        watches.quietly(lambda pool=pool: wake.one(pool=pool, kind=kind))  # type: ignore[misc]
