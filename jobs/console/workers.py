"""The workers and how fresh their leases are."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from jobs import sql
from jobs.conf import conf
from jobs.console import words

WORKERS = """
SELECT w.id, w.host, w.pid, w.slots, w.pools, w.kinds, w.draining OR w.drain_by <> '' AS draining, w.started_at,
       w.memory_mb, w.version,
       extract(epoch FROM clock_timestamp() - w.heartbeat_at)::float AS beat_s,
       (SELECT count(DISTINCT j.slot) FROM jobs_job j WHERE j.worker = w.id AND j.status = 'running') AS busy
FROM jobs_worker w ORDER BY w.host, w.started_at
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Worker:
    id: UUID
    name: str
    slots: int
    busy: int
    state: str  # working, draining, silent
    beat: str  # how long ago, in words
    started_at: datetime
    pools: tuple[str, ...]
    kinds: tuple[str, ...]
    version: str
    memory_mb: int  # 0: not told yet


def all_workers() -> tuple[Worker, ...]:
    return tuple(_worker(row) for row in sql.rows(WORKERS))


def _worker(row: Mapping[str, Any]) -> Worker:
    return Worker(
        id=row["id"],
        name=f"{row['host']}:{row['pid']}",
        slots=row["slots"],
        busy=row["busy"],
        state=_state(row),
        beat=words.lasting(row["beat_s"]),
        started_at=row["started_at"],
        pools=tuple(row["pools"]),
        kinds=tuple(row["kinds"]),
        version=row["version"],
        memory_mb=round(row["memory_mb"]),
    )


def _state(row: Mapping[str, Any]) -> str:
    if row["beat_s"] > conf().SELF_KILL_SECONDS:
        return "silent"
    return "draining" if row["draining"] else "working"
