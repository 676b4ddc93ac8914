"""Lanes: who is at the head, and holds by synchronous work."""

import contextlib
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db import OperationalError, connection, transaction
from psycopg.errors import LockNotAvailable

from jobs import sql
from jobs.exceptions import LaneBusy
from jobs.registry import HOLDS, label
from jobs.transitions import audit, wake

# One function in the database: lock the lane, elect its head (see migration 0002).
PLACE = "SELECT promoted, pool, kind FROM jobs_place(%(lane)s)"

LOCK = "SELECT 1 FROM jobs_lane WHERE key = %(lane)s FOR UPDATE NOWAIT"

# Reads what is at work, waits or holds; sent after the lock, because a statement's snapshot is older than its locks.
BUSY = """
SELECT coalesce(
    (SELECT kind FROM jobs_job WHERE lane = %(lane)s AND lane <> '' AND status IN ('ready', 'running') LIMIT 1),
    (SELECT kind FROM jobs_job WHERE lane = %(lane)s AND status = 'waiting' LIMIT 1)) AS kind,
    (SELECT held_label FROM jobs_lane WHERE key = %(lane)s AND held_until > clock_timestamp()) AS held
"""

AT_WORK = "SELECT kind FROM jobs_job WHERE lane = %(lane)s AND lane <> '' AND status IN ('ready', 'running')"

HOLD = """
UPDATE jobs_lane SET held_kind = %(kind)s, held_label = %(label)s, held_token = %(token)s,
                     held_until = clock_timestamp() + make_interval(secs => %(seconds)s)
WHERE key = %(lane)s
"""

LANE_EXISTS = """
INSERT INTO jobs_lane (key, label, paused, held_kind, held_label) VALUES (%(lane)s, '', false, '', '')
ON CONFLICT (key) DO NOTHING
"""

STILL_HELD = """
SELECT 1 FROM jobs_lane WHERE key = %(lane)s AND held_token = %(token)s AND held_until > clock_timestamp() FOR UPDATE
"""

RELEASE = """
UPDATE jobs_lane SET held_kind = '', held_label = '', held_token = NULL, held_until = NULL
WHERE key = %(lane)s AND held_token = %(token)s
"""

HOLDERS = """
SELECT kind AS name, 'job' AS sort FROM jobs_job WHERE lane = %(lane)s AND lane <> '' AND status IN ('ready', 'running')
UNION ALL
SELECT held_label, 'hold' FROM jobs_lane WHERE key = %(lane)s AND held_until > clock_timestamp()
"""

PAUSE = "UPDATE jobs_lane SET paused = %(paused)s WHERE key = %(lane)s AND paused <> %(paused)s"


def place(lane: str) -> None:
    """waiting -> ready for the best of the lane, ready -> waiting for a head that lost; wakes a slot.

    On commit, for it locks the lane before its jobs. Nobody waits for an edit that holds the lane: its end places.
    """
    if lane:
        transaction.on_commit(lambda: _place(lane))


def _place(lane: str) -> None:
    try:
        promoted = sql.row(PLACE, lane=lane)
    except OperationalError as error:
        if isinstance(error.__cause__, LockNotAvailable):
            return
        raise
    if promoted and promoted["promoted"]:
        wake.one(pool=promoted["pool"], kind=promoted["kind"])


def offer(job: Mapping[str, Any]) -> None:
    """Have the lane of a job that moved choose its head, or wake a slot for it when it has none and is ready."""
    if job["lane"]:
        place(job["lane"])
    elif job["status"] == "ready":
        transaction.on_commit(lambda: wake.one(pool=job["pool"], kind=job["kind"]))


def pause(lane: str, *, by: str, paused: bool) -> bool:
    """open <-> paused; False when it is so already, and then nothing is written down."""
    with sql.short_transaction():
        sql.run(LANE_EXISTS, lane=lane)
        if not sql.run(PAUSE, lane=lane, paused=paused):
            return False
        audit.write(by, "lane.pause" if paused else "lane.resume", f"lane {lane}", old=not paused, new=paused)
        place(lane)
    return True


def holders(lane: str) -> list[str]:
    """Return what is at work in the lane, in words."""
    found = sql.rows(HOLDERS, lane=lane)
    return [row["name"] if row["sort"] == "hold" else label(row["name"]) for row in found]


@contextlib.contextmanager
def hold(lane: str | Sequence[str], kind: str, *, seconds: float = 30, wait_s: float = 0) -> Iterator[None]:
    """Take a lane, or several, for a synchronous edit and run the block in a transaction that owns them.

    Raises LaneBusy, naming the holder, when anything is at work or waits in one of them. With `wait_s` it takes the
    next turn instead: nothing new begins in the lane, and what runs has so long to end.
    """
    if connection.in_atomic_block:
        raise RuntimeError("hold() is taken outside any transaction, or nobody else could see it.")
    if kind not in HOLDS:
        raise ValueError(f"No hold is called {kind!r}; register it with jobs.api.hold_kind.")
    lanes = [lane] if isinstance(lane, str) else sorted(set(lane))
    token = uuid.uuid4()
    taken: list[str] = []
    try:
        for one in lanes:
            _take(one, kind, token, seconds + wait_s, patient=wait_s > 0)
            taken.append(one)
            if wait_s:
                _await_turn(one, wait_s)
        with sql.short_transaction():
            if not all(sql.rows(STILL_HELD, lane=one, token=token) for one in lanes):
                raise LaneBusy("Something else")
            yield
    finally:
        for one in taken:
            sql.run(RELEASE, lane=one, token=token)
            place(one)


def _await_turn(lane: str, wait_s: float) -> None:
    """Have a ready head step back, then wait until what runs in the lane has ended; raises LaneBusy."""
    place(lane)
    until = time.monotonic() + wait_s
    while working := sql.row(AT_WORK, lane=lane):
        if time.monotonic() > until:
            raise LaneBusy(label(working["kind"]))
        time.sleep(0.1)


def _take(lane: str, kind: str, token: uuid.UUID, seconds: float, *, patient: bool = False) -> None:
    sql.run(LANE_EXISTS, lane=lane)
    try:
        with sql.short_transaction():
            sql.rows(LOCK, lane=lane)
            if holder := _held(lane) if patient else _busy(lane):
                raise LaneBusy(holder)
            sql.run(HOLD, lane=lane, kind=kind, label=HOLDS[kind], token=token, seconds=seconds)
    except OperationalError as error:  # another transaction has the lane row this very moment
        if isinstance(error.__cause__, LockNotAvailable):
            raise LaneBusy(_busy(lane) or "Something else") from error
        raise


def _held(lane: str) -> str:
    return str((sql.row(BUSY, lane=lane) or {})["held"] or "")


def _busy(lane: str) -> str:
    busy = sql.row(BUSY, lane=lane) or {}
    return str(busy["held"] or (busy["kind"] and label(busy["kind"])) or "")
