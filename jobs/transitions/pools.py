"""Pools: declared seats, live changes of capacity, and the breaker."""

import json
import random
from typing import Any

from jobs import events, sql
from jobs.conf import conf
from jobs.reserve import Reserve, parse
from jobs.transitions import audit, wake

# Creates a declared pool with its seats; a row that exists stays as staff set it.
CREATE = """
WITH pool AS (
    INSERT INTO jobs_pool (name, capacity, gap, paused, reserve, failures, closed_reason)
    VALUES (%(name)s, %(capacity)s, make_interval(secs => %(gap)s), false, %(reserve)s::jsonb, 0, '')
    ON CONFLICT (name) DO NOTHING RETURNING name, capacity
)
INSERT INTO jobs_seat (pool, free_at, why) SELECT name, clock_timestamp(), '' FROM pool, generate_series(1, capacity)
"""

# Locks the pool, so that two changes of its capacity follow one another.
LOCK = """
SELECT name, capacity, extract(epoch FROM gap)::float AS gap, paused, reserve FROM jobs_pool
WHERE name = %(name)s FOR UPDATE
"""

SET = """
UPDATE jobs_pool SET capacity = %(capacity)s, gap = make_interval(secs => %(gap)s), paused = %(paused)s,
    paused_by = CASE WHEN NOT %(paused)s THEN '' WHEN paused THEN paused_by ELSE %(by)s END,
    reserve = %(reserve)s::jsonb,
    admit = CASE WHEN admit >= %(capacity)s AND closed_until <= clock_timestamp() THEN NULL ELSE admit END,
    down_since = CASE WHEN admit >= %(capacity)s AND closed_until <= clock_timestamp() THEN NULL ELSE down_since END
WHERE name = %(name)s
"""

GROW = """
INSERT INTO jobs_seat (pool, free_at, why)
SELECT p.name, clock_timestamp(), '' FROM jobs_pool p CROSS JOIN LATERAL generate_series(
    1, jobs_capacity(p.capacity, p.reserve) - (SELECT count(*) FROM jobs_seat s WHERE s.pool = p.name))
WHERE p.name = ANY(%(names)s)
"""

# Locked in a statement of its own: counted in the statement that locks, the seats that another has just deleted
# count as too many again, and the pool loses its last one.
LOCK_MANY = "SELECT name FROM jobs_pool WHERE name = ANY(%(names)s) FOR UPDATE SKIP LOCKED"

# Deletes rested seats above the capacity. Until none is too many, no claim takes one.
SHRINK = """
WITH pool AS MATERIALIZED (
    SELECT name, jobs_capacity(capacity, reserve) AS capacity FROM jobs_pool WHERE name = ANY(%(names)s)
), spare AS MATERIALIZED (
    SELECT s.id, s.pool FROM jobs_seat s JOIN pool ON pool.name = s.pool
    WHERE s.job IS NULL AND s.free_at <= clock_timestamp() FOR UPDATE OF s SKIP LOCKED
), numbered AS (
    SELECT spare.id, row_number() OVER (PARTITION BY spare.pool ORDER BY spare.id) AS n,
           (SELECT count(*) FROM jobs_seat s WHERE s.pool = pool.name) - pool.capacity AS excess
    FROM spare JOIN pool ON pool.name = spare.pool
)
DELETE FROM jobs_seat WHERE id IN (SELECT id FROM numbered WHERE n <= excess)
"""

# closes: a hard sign at once; a soft one when enough different jobs have met one in a row.
DOWN = """
WITH pool AS MATERIALIZED (
    SELECT *, CASE WHEN %(job)s = ANY(suspects) THEN suspects ELSE suspects || %(job)s::bigint END AS met
    FROM jobs_pool WHERE name = %(name)s FOR UPDATE
), verdict AS (
    SELECT name, met, clock_timestamp() AS at,
           (closed_at IS NULL OR %(started_at)s > closed_at) AS fresh,
           %(hard)s OR cardinality(met) >= %(signs)s OR admit IS NOT NULL AS closing
    FROM pool
)
UPDATE jobs_pool p SET
    suspects = CASE WHEN closing THEN '{}' ELSE met END,
    down_since = CASE WHEN closing THEN coalesce(p.down_since, verdict.at) ELSE p.down_since END,
    failures = CASE WHEN closing THEN p.failures + 1 ELSE p.failures END,
    admit = CASE WHEN closing THEN 1 ELSE p.admit END,
    closed_at = CASE WHEN closing THEN verdict.at ELSE p.closed_at END,
    closed_until = CASE WHEN closing THEN greatest(p.closed_until, clock_timestamp() + make_interval(secs =>
        CASE WHEN %(wait)s::float > 0 THEN %(wait)s::float
             ELSE least(%(most)s::float, %(step)s::float * power(2, least(p.failures, 20))) END * %(jitter)s::float))
        ELSE p.closed_until END,
    closed_reason = CASE WHEN closing THEN %(reason)s ELSE p.closed_reason END
FROM verdict WHERE p.name = verdict.name AND verdict.fresh
RETURNING closing, p.closed_until
"""

# Whether this job met its last two signs, and meets one now, while others of the pool succeeded each time in between.
POISON = """
WITH sign AS (
    SELECT a.ended_at AS met_at, lead(a.ended_at, 1, clock_timestamp()) OVER (ORDER BY a.number) AS next_at
    FROM (SELECT number, ended_at FROM jobs_attempt
          WHERE job = %(job)s AND outcome IN ('down', 'misconfigured') AND error_kind <> 'database'
          ORDER BY number DESC LIMIT 2) a
)
SELECT count(*) = 2 AND bool_and(EXISTS (
    SELECT 1 FROM jobs_attempt o JOIN jobs_job j ON j.id = o.job
    WHERE o.ended_at > sign.met_at AND o.ended_at < sign.next_at AND o.outcome IN ('succeeded', 'partial', 'failed')
      AND o.job <> %(job)s AND j.pool = %(name)s)) AS poison
FROM sign JOIN jobs_job me ON me.id = %(job)s AND me.downs >= 2
"""

# An answered call: the pool reopens step by step, whatever the handler makes of the answer.
ANSWERED = """
UPDATE jobs_pool SET suspects = '{}',
    down_since = CASE WHEN admit IS NULL OR admit * 2 >= capacity THEN NULL ELSE down_since END,
    failures = CASE WHEN admit IS NULL OR admit * 2 >= capacity THEN 0 ELSE failures END,
    admit = CASE WHEN admit * 2 >= capacity THEN NULL ELSE admit * 2 END,
    closed_reason = CASE WHEN admit IS NULL OR admit * 2 >= capacity THEN '' ELSE closed_reason END
WHERE name = %(name)s AND (closed_at IS NULL OR %(started_at)s > closed_at)
  AND (suspects <> '{}' OR admit IS NOT NULL OR failures > 0)
RETURNING admit
"""

# closed -> may be tried now; tells until when it was closed.
PROBE = """
WITH old AS MATERIALIZED (
    SELECT name, closed_until FROM jobs_pool
    WHERE name = %(name)s AND closed_until > clock_timestamp() FOR UPDATE
)
UPDATE jobs_pool p SET closed_until = clock_timestamp() FROM old WHERE p.name = old.name
RETURNING old.closed_until AS old, p.closed_until AS new
"""


def create_declared(**kwargs: Any) -> None:
    """(none) -> rows for the pools of the settings."""
    for name, declared in conf().POOLS.items():
        kept = json.dumps(parse("\n".join(declared.get("reserve", ()))))
        sql.run(CREATE, name=name, capacity=declared["capacity"], gap=declared["gap"], reserve=kept)


def change(
    name: str,
    *,
    by: str,
    capacity: int | None = None,
    gap_s: float | None = None,
    paused: bool | None = None,
    reserve: Reserve | None = None,
) -> bool:
    """Change a pool live; False when there is no such pool. A shrink takes effect as calls end."""
    with sql.short_transaction():
        old = sql.row(LOCK, name=name)
        if old is None:
            return False
        new = {
            "capacity": old["capacity"] if capacity is None else capacity,
            "gap": old["gap"] if gap_s is None else gap_s,
            "paused": old["paused"] if paused is None else paused,
            "reserve": sql.json_of(old["reserve"]) if reserve is None else reserve,
        }
        sql.run(SET, name=name, by=by[:150], **{**new, "reserve": json.dumps(new["reserve"])})
        sql.run(GROW, names=[name])
        audit.write(by, "pool.change", f"pool {name}", old={key: sql.json_of(old[key]) for key in new}, new=new)
    trim([name])
    wake.pool(name)
    return True


def reset(name: str, *, by: str) -> bool:
    """Take the settings of the pool again."""
    declared = conf().POOLS[name]
    create_declared()
    kept = parse("\n".join(declared.get("reserve", ())))
    return change(name, by=by, capacity=declared["capacity"], gap_s=declared["gap"], reserve=kept)


def trim(names: list[str]) -> int:
    """Delete rested seats above the capacity, and make those that are missing; return how many were deleted."""
    with sql.short_transaction():
        locked = [row["name"] for row in sql.rows(LOCK_MANY, names=names)]
        sql.run(GROW, names=locked)
        return sql.run(SHRINK, names=locked)


def down(
    name: str,
    *,
    job: int,
    started_at: Any,
    reason: str,
    hard: bool,
    signs: int = 2,
    wait_s: float | None = None,
    step_s: float | None = None,
) -> bool:
    """open -> closed, by a job whose call began at started_at; False when this sign closes nothing.

    A sign that is not hard closes when so many different jobs have met one in a row, or while the pool recovers.

    A job that meets signs again and again while others are answered is what kills the upstream: its signs are its own.
    """
    if (sql.row(POISON, name=name, job=job) or {})["poison"]:
        events.log(events.POISON, id=job, pool=name)
        return False
    limits = conf()
    jitter = random.uniform(1, 1.25) if wait_s else random.uniform(0.75, 1.25)  # noqa: S311
    closed = sql.row(
        DOWN,
        name=name,
        job=job,
        started_at=started_at,
        hard=hard,
        signs=signs,
        wait=min(max(wait_s, 1.0), 6 * 3600.0) if wait_s else 0,
        step=step_s or limits.DOWN_SECONDS,
        most=max(limits.DOWN_MOST_SECONDS, step_s or 0),
        jitter=jitter,
        reason=reason,
    )
    if closed and closed["closing"]:
        events.log(events.POOL_CLOSED, pool=name, until=closed["closed_until"].isoformat())
        return True
    return False


def answered(name: str, *, started_at: Any) -> None:
    """recovering -> admits twice as many, or open."""
    moved = sql.row(ANSWERED, name=name, started_at=started_at)
    if moved:
        events.log(events.POOL_REOPENED, pool=name, admit=moved["admit"] or "all")
        wake.pool(name)


def probe(name: str, *, by: str) -> bool:
    """closed -> may be tried now; the seats and the gap hold as ever."""
    with sql.short_transaction():
        moved = sql.row(PROBE, name=name)
        if moved:
            old, new = ({"closed_until": f"{moved[side]:%Y-%m-%d %H:%M:%S}"} for side in ("old", "new"))
            audit.write(by, "pool.probe", f"pool {name}", old=old, new=new)
    if moved:
        wake.pool(name)
    return moved is not None
