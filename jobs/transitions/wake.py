"""Wakes one sleeping slot that can take the work. NOTIFY is a hint; polling is the truth."""

from django.db import connection

from jobs import sql
from jobs.conf import conf

# Takes one sleeping slot of a fresh, undrained worker that serves the pool and the kind, and notifies it.
WAKE = """
WITH idle AS (
    DELETE FROM jobs_idle WHERE id = (
        SELECT i.id FROM jobs_idle i JOIN jobs_worker w ON w.id = i.worker
        WHERE NOT w.draining AND w.heartbeat_at > clock_timestamp() - make_interval(secs => %(fresh)s)
          AND (%(pool)s = '' OR %(pool)s = ANY(w.pools)) AND (%(kind)s = '' OR %(kind)s = ANY(w.kinds))
        LIMIT 1 FOR UPDATE OF i SKIP LOCKED
    ) RETURNING worker, slot
)
SELECT pg_notify('jobs_slot_' || replace(worker::text, '-', '') || '_' || slot, '') FROM idle
"""

WORKER = "SELECT pg_notify('jobs_worker_' || replace(%(worker)s::text, '-', ''), '')"


LISTEN = "LISTEN "


def one(*, pool: str, kind: str = "") -> bool:
    """Wake a slot for a job of this pool and kind; False when none sleeps."""
    return bool(sql.rows(WAKE, pool=pool, kind=kind, fresh=conf().SELF_KILL_SECONDS))


def pool(name: str) -> bool:
    """Wake a slot because a seat of this pool may be claimable."""
    return one(pool=name)


def supervisor(worker: object) -> None:
    """Have the worker look at its stop requests now instead of at its next heartbeat."""
    sql.rows(WORKER, worker=str(worker))


def listen(channel: str) -> None:
    """Have this session notified; a channel is made of our own letters and digits, never of anybody's words."""
    sql.run(LISTEN + channel)


def wait(seconds: float) -> bool:
    """Sleep until this session is notified, at most so long; a lost session raises Django's errors."""
    return bool(heard(seconds))


def heard(seconds: float) -> list[tuple[str, str]]:
    """Sleep as `wait` does; return what came, each a channel and a word."""
    with connection.wrap_database_errors:
        came = connection.connection.notifies(timeout=seconds, stop_after=1)
        return [(one.channel, one.payload) for one in came]


def slot_channel(worker: object, slot: int) -> str:
    return f"jobs_slot_{str(worker).replace('-', '')}_{slot}"


def worker_channel(worker: object) -> str:
    return f"jobs_worker_{str(worker).replace('-', '')}"
