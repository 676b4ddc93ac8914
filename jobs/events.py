"""The names of log lines; tests assert them. A filter tells of every line which job wrote it."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

ENQUEUED = "job.enqueued"
CLAIMED = "job.claimed"
ENDED = "job.ended"
RAISED = "job.raised"
FENCED = "job.fenced"
RESCUED = "job.rescued"
STOP_ASKED = "job.stop_asked"
KILLED = "slot.killed"
SLOT_STARTED = "slot.started"
SLOT_DIED = "slot.died"
SLOT_UNBORN = "slot.unborn"
WORKER_STARTED = "worker.started"
WORKER_DRAINING = "worker.draining"
WORKER_STOPPED = "worker.stopped"
LEASE_LOST = "worker.lease_lost"
DATABASE_AWAY = "worker.database_away"
SWEEP_FAILED = "sweep.failed"
CLOCK_STARTED = "clock.started"
POISON = "job.poison"
REROUTED = "job.rerouted"
POOL_CLOSED = "pool.closed"
POOL_REOPENED = "pool.reopened"
RESTORED = "database.restored"

logger = logging.getLogger("jobs")
_job: ContextVar[int | None] = ContextVar("job", default=None)


def log(event: str, /, level: int = logging.INFO, **fields: Any) -> None:
    """Write `event key=value …`; values are ids, names and numbers, never payloads."""
    logger.log(level, "%s %s", event, " ".join(f"{key}={value}" for key, value in fields.items()))


@contextmanager
def within(job: int) -> Iterator[None]:
    """Have the lines of the block, whoever writes them, carry the job's id."""
    before = _job.set(job)
    try:
        yield
    finally:
        _job.reset(before)


class WithJob(logging.Filter):
    """Gives every record `job`: the id of the job whose code wrote it, or nothing."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.job = _job.get() or ""
        return True
