"""The names of log lines; tests assert them. A filter tells of every line which job wrote it."""

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.db import Error

from jobs.text import cleaned

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
BEAT_FAILED = "worker.beat_failed"
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
    logger.log(level, "%s", " ".join([event, *(f"{key}={value}" for key, value in fields.items())]))


def reason(error: Exception) -> str:
    """Return the first line of what an error says, quoted: whether a password is wrong or nobody listens."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return json.dumps(cleaned(lines[0] if lines else type(error).__name__, most=200), ensure_ascii=False)


class Trouble:
    """Logs what goes wrong again and again once, until something else does or it went well."""

    def __init__(self, event: str, level: int = logging.WARNING) -> None:
        self.event, self.level, self._last = event, level, ""

    def met(self, error: Exception, event: str = "") -> None:
        """Tell it in the database's words, or by its type: a product's own words are not for a log."""
        why, before = reason(error) if isinstance(error, Error) else type(error).__name__, self._last
        self._last = why
        if why != before:
            log(event or self.event, self.level, why=why)

    def over(self) -> None:
        self._last = ""


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
