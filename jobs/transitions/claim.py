"""ready -> running: one statement that takes a seat and a job together, or nothing."""

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from jobs import events, sql

# One function in the database: the best job and a seat, or nothing (see migration 0005). With `done` it first ends that
# job, which succeeded plainly, and claims nothing where it cannot.
CLAIM = """
SELECT * FROM jobs_claim(%(worker)s, %(slot)s, %(token)s, %(pools)s::text[], %(poolless)s, %(kinds)s::text[],
                         %(timeouts)s::float[], %(admitted)s, %(done)s, %(done_token)s, %(done_result)s)
"""

# A recovering pool admits a few. Its row is locked first, and counted in a second statement: counted in the
# statement that locks, the count is older than the lock and a second probe starts.
LOCK_RECOVERING = """
SELECT 1 FROM jobs_pool
WHERE name = %(pool)s AND NOT paused AND admit IS NOT NULL AND closed_until <= clock_timestamp()
FOR UPDATE SKIP LOCKED
"""

ADMITS = """
SELECT 1 FROM jobs_pool p WHERE p.name = %(pool)s AND p.admit >
    (SELECT count(*) FROM jobs_job j JOIN jobs_seat s ON s.job = j.id
     WHERE s.pool = p.name AND j.status = 'running' AND j.started_at > p.closed_at)
"""

# Seconds until something may be claimable that is not now; null when nothing is known.
NEXT = """
SELECT extract(epoch FROM min(at) - clock_timestamp())::float AS seconds FROM (
    SELECT min(greatest(s.free_at, p.closed_until)) AS at FROM jobs_seat s JOIN jobs_pool p ON p.name = s.pool
    WHERE s.job IS NULL AND p.name = ANY(%(pools)s::text[]) AND NOT p.paused
      AND greatest(s.free_at, p.closed_until) > clock_timestamp()
      AND (SELECT id FROM jobs_job j WHERE j.status = 'ready' AND j.pool = p.name
           ORDER BY kind, band, turn, id LIMIT 1) IS NOT NULL
    UNION ALL
    SELECT min(run_at) FROM jobs_job WHERE status = 'scheduled'
) known
"""

# The same for a pool that is open and has a job for this process in line: only its seats have to rest.
RESTS = """
SELECT extract(epoch FROM min(s.free_at) - clock_timestamp())::float AS seconds
FROM jobs_seat s JOIN jobs_pool p ON p.name = s.pool
WHERE s.job IS NULL AND p.name = ANY(%(pools)s::text[]) AND NOT p.paused
  AND coalesce(p.closed_until <= clock_timestamp(), true)
  AND EXISTS (SELECT 1 FROM unnest(%(kinds)s::text[]) k(kind) CROSS JOIN LATERAL (
      SELECT 1 FROM jobs_job WHERE status = 'ready' AND pool = p.name AND kind = k.kind LIMIT 1) j)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """What a process may claim: kinds with their time-out in seconds, and pools."""

    kinds: Mapping[str, float]
    pools: Sequence[str]
    poolless: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Claimed:
    id: int
    kind: str
    owner: str
    subject: str
    fingerprint: str
    wanted_fingerprint: str
    lane: str
    pool: str
    attempts: int
    band: int
    singly: bool
    token: uuid.UUID
    timeout_s: float
    args: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Contended:
    """Another claimer was faster in this pool: try again without it, at once."""

    pool: str


def claim(worker: uuid.UUID, slot: int, served: Served) -> Claimed | Contended | None:
    """ready -> running for the best job this process may take; None when there is none to take now."""
    while True:
        found = sql.row(CLAIM, **_values(worker, slot, served)) or {}
        if found["head"] is None:
            return None
        if not found["recovering"]:
            return _claimed(found)
        probe = _claim_recovering(worker, slot, served, found["head_pool"])
        if isinstance(probe, Claimed):
            return probe
        served = replace(served, pools=[pool for pool in served.pools if pool != found["head_pool"]])


def after(
    done: int, done_token: uuid.UUID, result: str | None, *, worker: uuid.UUID, slot: int, served: Served
) -> tuple[bool, Claimed | None]:
    """running -> succeeded for a job without lane and pool, and ready -> running for the next, in one statement.

    Returns whether it ended, and what was claimed. False means that it must end by `finish.end`, and nothing was
    claimed. None may also mean that another claimer was faster, or that the best is one for a recovering pool.
    """
    values = _values(worker, slot, served) | {"done": done, "done_token": done_token, "done_result": result}
    found = sql.row(CLAIM, **values) or {}
    if not found["ended"]:
        return False, None
    return True, claimed(found) if found["id"] else None


def _claim_recovering(worker: uuid.UUID, slot: int, served: Served, pool: str) -> Claimed | Contended | None:
    """The same for a pool that has been down, whose row is locked and counted before."""
    with sql.short_transaction():
        if not sql.rows(LOCK_RECOVERING, pool=pool) or not sql.rows(ADMITS, pool=pool):
            return None
        only = Served(kinds=served.kinds, pools=[pool], poolless=False)
        found = sql.row(CLAIM, **_values(worker, slot, only, admitted=True)) or {}
        return _claimed(found) if found["head"] is not None else None


def _values(worker: uuid.UUID, slot: int, served: Served, *, admitted: bool = False) -> dict[str, Any]:
    return {
        "worker": worker,
        "slot": slot,
        "token": uuid.uuid4(),
        "admitted": admitted,
        "done": None,
        "done_token": None,
        "done_result": None,
        **served_values(served),
    }


def served_values(served: Served) -> dict[str, Any]:
    """Return what the best is sought among."""
    return {
        "pools": list(served.pools),
        "poolless": served.poolless,
        "kinds": list(served.kinds),
        "timeouts": [float(seconds) for seconds in served.kinds.values()],
    }


def _claimed(found: dict[str, Any]) -> Claimed | Contended:
    return Contended(pool=found["head_pool"]) if found["id"] is None else claimed(found)


def claimed(found: dict[str, Any]) -> Claimed:
    """Return what a claim's row says, and log it."""
    args = found["args"]
    if isinstance(args, str):
        args = json.loads(args)
    job = Claimed(
        **{name: found[name] for name in Claimed.__slots__ if name != "args"},
        args=args or {},
    )
    events.log(
        events.CLAIMED,
        id=job.id,
        kind=job.kind,
        attempt=job.attempts + 1,
        waited_ms=max(0, round(found["waited_s"] * 1000)),
    )
    return job


def next_instant_s(served: Served) -> float | None:
    """Return the seconds until a gap, a closing or a run_at is over."""
    found = sql.row(NEXT, pools=list(served.pools))
    return found["seconds"] if found else None


def rests_s(served: Served) -> float | None:
    """Return the seconds until a seat has rested for which a job is in line; None when none rests for one."""
    found = sql.row(RESTS, pools=list(served.pools), kinds=list(served.kinds))
    return found["seconds"] if found else None
