"""Watches: a screen that is open on a job puts it first; when the last one ends, the job falls back."""

import logging
from collections.abc import Callable
from typing import Any

from django.db import InterfaceError, OperationalError

from jobs import events, sql
from jobs.conf import conf
from jobs.transitions import lanes

LOCK_MS = 200

# Notes the watch and, when the job waits in band 1, puts it first: band 1 -> band 0. `watches` are the user's others.
WATCH = f"""
WITH seen AS (
    INSERT INTO jobs_watch (job, "user", until)
    SELECT id, %(user)s, clock_timestamp() + make_interval(secs => %(seconds)s) FROM jobs_job
    WHERE {sql.BOUNDED} AND id = %(job)s AND status IN ('scheduled', 'waiting', 'ready', 'running')
    ON CONFLICT (job, "user") DO UPDATE SET until = excluded.until
    RETURNING job
), moved AS (
    UPDATE jobs_job SET band = 0, turn = clock_timestamp(), promoted = 'watch'
    WHERE id = (SELECT job FROM seen) AND band = 1 AND status IN ('scheduled', 'waiting', 'ready')
    RETURNING id, lane, pool, kind, status
)
SELECT moved.*, (SELECT count(*) FROM jobs_watch w JOIN jobs_job j ON j.id = w.job
                 WHERE w."user" = %(user)s AND w.job <> %(job)s AND j.promoted = 'watch'
                   AND j.status IN ('scheduled', 'waiting', 'ready')) AS watches
FROM seen LEFT JOIN moved ON true
"""  # noqa: S608

# Ends the watches of this user beyond the newest few, on jobs that have not begun and go first by a watch alone, and
# has those that nobody else watches fall back: band 0 -> band 1 and the turn they had.
SURPLUS = f"""
WITH spent AS (
    DELETE FROM jobs_watch WHERE id IN (
        SELECT w.id FROM jobs_watch w JOIN jobs_job j ON j.id = w.job
        WHERE {sql.BOUNDED} AND w."user" = %(user)s AND j.promoted = 'watch'
          AND j.status IN ('scheduled', 'waiting', 'ready')
        ORDER BY (w.job = %(job)s) DESC, w.until DESC, w.id DESC OFFSET %(most)s)
    RETURNING job
), fallen AS (
    UPDATE jobs_job j SET band = 1, promoted = '', turn = vturn + make_interval(secs => priority * %(ageing)s)
    FROM spent WHERE j.id = spent.job AND band = 0 AND promoted = 'watch'
      AND status IN ('scheduled', 'waiting', 'ready')
      AND NOT EXISTS (SELECT 1 FROM jobs_watch w WHERE w.job = j.id AND w."user" <> %(user)s)
    RETURNING j.lane
)
SELECT count(*) AS fallen, array_agg(DISTINCT lane) FILTER (WHERE lane <> '') AS lanes FROM fallen
"""  # noqa: S608

ENDED = "DELETE FROM jobs_watch WHERE until < clock_timestamp() RETURNING job"

# band 0 -> band 1 and the turn it had, for jobs whose last watch has ended.
FALL_BACK = """
UPDATE jobs_job j SET band = 1, promoted = '', turn = vturn + make_interval(secs => priority * %(ageing)s)
WHERE id = %(job)s AND band = 0 AND promoted = 'watch' AND status IN ('scheduled', 'waiting', 'ready')
  AND NOT EXISTS (SELECT 1 FROM jobs_watch w WHERE w.job = j.id)
RETURNING lane
"""

# Promoted jobs that nobody watches: what a process that died on the way left behind.
UNWATCHED = """
SELECT j.id AS job FROM jobs_job j
WHERE j.band = 0 AND j.promoted = 'watch' AND j.status IN ('scheduled', 'waiting', 'ready')
  AND NOT EXISTS (SELECT 1 FROM jobs_watch w WHERE w.job = j.id)
LIMIT 200
"""


def is_due(left_s: float | None) -> bool:
    """A watch is extended when half of it is spent, not at every poll."""
    return left_s is None or left_s < conf().WATCH_SECONDS / 2


def watch(job: int, user: str) -> bool:
    """band 1 -> band 0 while the screen stays open; False when the job is finished."""
    found = sql.alone(WATCH, lock_ms=LOCK_MS, job=job, user=user, seconds=conf().WATCH_SECONDS)
    if found is None:
        return False
    if found["watches"] >= conf().WATCHES_PER_USER:
        spend(user, but=job)
    if found["id"]:
        lanes.offer(found)
    return True


def spend(user: str, *, but: int = 0) -> int:
    """Let the oldest of a user's watched promotions fall back until they are few; that of `but` is the last to."""
    most = conf().WATCHES_PER_USER
    found = sql.alone(SURPLUS, lock_ms=LOCK_MS, user=user, job=but, most=most, ageing=conf().AGEING_SECONDS) or {}
    for lane in found["lanes"] or ():
        lanes.place(lane)
    return int(found["fallen"])


def end_old() -> int:
    """Return jobs whose last watch ended to their turn; called by the sweep."""
    jobs = {row["job"] for row in sql.rows(ENDED)} | {row["job"] for row in sql.rows(UNWATCHED)}
    return sum(_fall_back(job) for job in sorted(jobs))


def _fall_back(job: int) -> int:
    moved = sql.row(FALL_BACK, job=job, ageing=conf().AGEING_SECONDS)
    if moved and moved["lane"]:
        lanes.place(moved["lane"])
    return 1 if moved else 0


def quietly(act: Callable[[], Any]) -> None:
    """Run what may be lost: when a lock or the database is not to be had, the next poll or a sweep does it."""
    try:
        act()
    except (OperationalError, InterfaceError) as error:
        events.log("job.attend_later", logging.WARNING, why=type(error).__name__)
