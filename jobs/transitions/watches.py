"""Watches: a screen that is open on a job puts it first; when the last one ends, the job falls back."""

import logging
from collections.abc import Callable
from typing import Any

from django.db import InterfaceError, OperationalError

from jobs import events, sql
from jobs.conf import conf
from jobs.transitions import lanes

LOCK_MS = 200

SET = """
INSERT INTO jobs_watch (job, "user", until)
SELECT id, %(user)s, clock_timestamp() + make_interval(secs => %(seconds)s) FROM jobs_job
WHERE id = %(job)s AND status IN ('scheduled', 'waiting', 'ready', 'running')
ON CONFLICT (job, "user") DO UPDATE SET until = excluded.until
RETURNING job
"""

PROMOTE = """
UPDATE jobs_job SET band = 0, turn = clock_timestamp(), promoted = 'watch'
WHERE id = %(job)s AND band = 1 AND status IN ('scheduled', 'waiting', 'ready')
RETURNING id, lane, pool, kind, status
"""

# Ends the watches of this user beyond the newest few, on jobs that have not begun and go first by a watch alone.
SURPLUS = """
DELETE FROM jobs_watch WHERE id IN (
    SELECT w.id FROM jobs_watch w JOIN jobs_job j ON j.id = w.job
    WHERE w."user" = %(user)s AND j.promoted = 'watch' AND j.status IN ('scheduled', 'waiting', 'ready')
    ORDER BY (w.job = %(job)s) DESC, w.until DESC, w.id DESC OFFSET %(most)s)
RETURNING job
"""

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


def watch(job: int, user: str, *, place: bool = True) -> bool:
    """band 1 -> band 0 while the screen stays open; False when the job is finished."""
    with sql.short_transaction(lock_ms=LOCK_MS):
        if not sql.rows(SET, job=job, user=user, seconds=conf().WATCH_SECONDS):
            return False
        moved = sql.row(PROMOTE, job=job)
        spent = sql.rows(SURPLUS, user=user, job=job, most=conf().WATCHES_PER_USER)
    for row in spent:
        _fall_back(row["job"])
    if moved and place:
        lanes.offer(moved)
    return True


def spend(user: str) -> int:
    """Let the oldest of a user's watched promotions fall back until they are few."""
    spent = sql.rows(SURPLUS, user=user, job=0, most=conf().WATCHES_PER_USER)
    return sum(_fall_back(row["job"]) for row in spent)


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
