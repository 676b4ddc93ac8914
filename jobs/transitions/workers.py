"""Workers and their sleeping slots."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from jobs import sql
from jobs.transitions import audit, wake

REGISTER = """
INSERT INTO jobs_worker (id, host, pid, slots, pools, kinds, version, draining)
VALUES (%(id)s, %(host)s, %(pid)s, %(slots)s, %(pools)s, %(kinds)s, %(version)s, false)
"""

# The heartbeat and its reply: what runs on this worker, with the stop requests and the time that is left, and whether
# staff ask it to leave.
BEAT = """
WITH me AS (
    UPDATE jobs_worker SET heartbeat_at = clock_timestamp(), draining = %(draining)s,
        memory_mb = %(memory)s WHERE id = %(id)s RETURNING id, drain_by <> '' AS leave
)
SELECT me.leave, j.id AS job, j.slot, j.token, j.stop_token = j.token AS stop,
       extract(epoch FROM j.deadline - clock_timestamp())::float AS left_s,
       extract(epoch FROM clock_timestamp() - j.started_at)::float AS lasts_s
FROM me LEFT JOIN jobs_job j ON j.worker = me.id AND j.status = 'running'
"""

RUNNING_ON = """
SELECT id, token, stop_token = token AS stop, extract(epoch FROM deadline - clock_timestamp())::float AS left_s
FROM jobs_job WHERE worker = %(worker)s AND slot = %(slot)s AND status = 'running' ORDER BY id
"""

# working -> asked to leave, once.
ASK_TO_LEAVE = """
UPDATE jobs_worker SET drain_by = %(by)s WHERE id = %(id)s AND drain_by = '' AND NOT draining RETURNING host, pid
"""

LEAVE = "DELETE FROM jobs_worker WHERE id = %(id)s"
LEAVE_IDLE = "DELETE FROM jobs_idle WHERE worker = %(id)s"
IDLE = """
INSERT INTO jobs_idle (worker, slot) VALUES (%(worker)s, %(slot)s) ON CONFLICT (worker, slot) DO NOTHING
"""
NOT_IDLE = "DELETE FROM jobs_idle WHERE worker = %(worker)s AND slot = %(slot)s"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a heartbeat brings."""

    running: list[dict[str, Any]]
    leave: bool  # staff ask this worker to end what it runs and leave


def register(
    worker: uuid.UUID,
    *,
    host: str,
    pid: int,
    slots: int,
    pools: Sequence[str],
    kinds: Sequence[str],
    version: str,
) -> None:
    sql.run(
        REGISTER,
        id=worker,
        host=host,
        pid=pid,
        slots=slots,
        pools=list(pools),
        kinds=list(kinds),
        version=version,
    )


def beat(worker: uuid.UUID, *, draining: bool, memory_mb: float = 0) -> Reply | None:
    """Extend the lease; return what runs here, or None when this worker was given up and its jobs moved on."""
    rows = sql.rows(BEAT, id=worker, draining=draining, memory=memory_mb)
    if not rows:
        return None
    return Reply(running=[row for row in rows if row["job"] is not None], leave=rows[0]["leave"])


def drain(worker: uuid.UUID, *, by: str) -> bool:
    """working -> draining, as at a SIGTERM; False when it drains already or is gone."""
    with sql.short_transaction():
        asked = sql.row(ASK_TO_LEAVE, id=worker, by=by[:150] or "staff")
        if asked:
            audit.write(by, "worker.drain", f"worker {asked['host']}:{asked['pid']}", old=False, new=True)
    if asked is None:
        return False
    wake.supervisor(worker)
    return True


def running_on(worker: uuid.UUID, slot: int) -> list[dict[str, Any]]:
    """Return what the database says this slot runs: after a kill it may be another job than the one meant.

    Of a batch of quick jobs these are many, of which one is being run.
    """
    return sql.rows(RUNNING_ON, worker=worker, slot=slot)


def sleep(worker: uuid.UUID, slot: int) -> None:
    sql.run(IDLE, worker=worker, slot=slot)


def wake_up(worker: uuid.UUID, slot: int) -> None:
    sql.run(NOT_IDLE, worker=worker, slot=slot)


def leave(worker: uuid.UUID) -> None:
    sql.run(LEAVE_IDLE, id=worker)
    sql.run(LEAVE, id=worker)
