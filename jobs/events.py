"""The names of log lines; tests assert them."""

import logging
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
WORKER_STARTED = "worker.started"
WORKER_DRAINING = "worker.draining"
WORKER_STOPPED = "worker.stopped"
LEASE_LOST = "worker.lease_lost"
DATABASE_AWAY = "worker.database_away"
SWEEP_FAILED = "sweep.failed"
CLOCK_STARTED = "clock.started"
POISON = "job.poison"
POOL_CLOSED = "pool.closed"
POOL_REOPENED = "pool.reopened"
RESTORED = "database.restored"

logger = logging.getLogger("jobs")


def log(event: str, /, level: int = logging.INFO, **fields: Any) -> None:
    """Write `event key=value …`; values are ids, names and numbers, never payloads."""
    logger.log(level, "%s %s", event, " ".join(f"{key}={value}" for key, value in fields.items()))
