"""Routes: queued jobs go to the next pool while theirs is down for long, and come back when it is open again."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from jobs import events, sql
from jobs.conf import conf
from jobs.registry import KINDS, Kind
from jobs.transitions import audit, lanes, wake

MOST = 500  # jobs a transaction
MOST_NAMED = 50  # job numbers in one line of the audit

# Who runs jobs of this pool now.
SERVING = """
SELECT w.kinds FROM jobs_worker w WHERE NOT w.draining AND {pool} = ANY(w.pools)
  AND w.heartbeat_at > clock_timestamp() - make_interval(secs => %(fresh)s)
"""

# `fit`: takes jobs of others now. `away`: down for so long that it gives its own away. `room`: how many jobs may try it
# now although it is down, less those that do; they are what it learns from that it is back.
POOLS = f"""
SELECT p.name, p.down_since IS NULL AND can.run AS fit,
       coalesce(p.down_since <= clock_timestamp() - make_interval(secs => %(after)s), false) AS away,
       CASE WHEN NOT can.run OR p.closed_until > clock_timestamp() THEN 0 ELSE greatest(0, coalesce(p.admit, 0) - (
           SELECT count(*) FROM jobs_job j JOIN jobs_seat s ON s.job = j.id
           WHERE s.pool = p.name AND j.status = 'running' AND j.started_at > p.closed_at)) END AS room
FROM jobs_pool p CROSS JOIN LATERAL (
    SELECT NOT p.paused AND jobs_capacity(p.capacity, p.reserve) > 0 AND EXISTS (
        SELECT 1 FROM ({SERVING.format(pool="p.name")}) w WHERE %(kind)s = ANY(w.kinds)) AS run
) can WHERE p.name = ANY(%(route)s)
"""  # noqa: S608

# Ready jobs of a pool that somebody runs, of the kind and of others, up to what could matter.
READY = f"""
SELECT count(*) FILTER (WHERE kind = %(kind)s) AS mine, count(*) FILTER (WHERE kind <> %(kind)s) AS others
FROM (SELECT kind FROM jobs_job WHERE status = 'ready' AND pool = %(pool)s
        AND kind IN (SELECT unnest(w.kinds) FROM ({SERVING.format(pool="%(pool)s")}) w) LIMIT 1000) found
"""  # noqa: S608

# queued in one pool -> queued in another, with its turn; never one that runs. The last `leave` ready ones stay. Who
# waits for the first pool to be asked again waits no longer, and what it met there does not count at the other.
MOVE = """
WITH kept AS (
    SELECT id FROM jobs_job WHERE status = 'ready' AND pool = %(source)s AND kind = %(kind)s
    ORDER BY band DESC, turn DESC, id DESC LIMIT %(leave)s
), chosen AS MATERIALIZED (
    SELECT id, status = 'scheduled' AND error_kind IN ('down', 'misconfigured') AS met_down FROM jobs_job
    WHERE pool = %(source)s AND kind = %(kind)s AND status IN ('scheduled', 'waiting', 'ready')
      AND id NOT IN (SELECT id FROM kept)
    ORDER BY id LIMIT %(most)s FOR UPDATE SKIP LOCKED
)
UPDATE jobs_job j SET pool = %(target)s, downs = 0,
    status = CASE WHEN NOT met_down THEN status WHEN lane = '' THEN 'ready' ELSE 'waiting' END,
    run_at = CASE WHEN NOT met_down THEN run_at END,
    error_kind = CASE WHEN met_down THEN '' ELSE error_kind END, error = CASE WHEN met_down THEN '' ELSE error END
FROM chosen WHERE j.id = chosen.id AND j.status IN ('scheduled', 'waiting', 'ready')
RETURNING j.id, j.lane, j.pool, j.kind, j.status
"""

# ready in one pool -> ready in another that is due to be tried: the last in turn, who loses least by it.
SEND = """
UPDATE jobs_job SET pool = %(target)s, downs = 0 WHERE id IN (
    SELECT id FROM jobs_job WHERE status = 'ready' AND pool = %(source)s AND kind = %(kind)s
    ORDER BY band DESC, turn DESC, id DESC LIMIT %(most)s FOR UPDATE SKIP LOCKED) AND status = 'ready'
RETURNING id, lane, pool, kind, status
"""

# The virtual clock of a pool whose jobs have left goes on with them, or who is asked for now would pass them all.
CLOCK = """
UPDATE jobs_pool p SET clock = first.vturn FROM (
    SELECT j.vturn FROM unnest(%(route)s::text[]) line(pool) CROSS JOIN LATERAL (
        SELECT vturn, turn, id FROM jobs_job
        WHERE status = 'ready' AND pool = line.pool AND kind = %(kind)s AND band = 1
        ORDER BY band, turn, id LIMIT 1) j ORDER BY j.turn, j.id LIMIT 1) first
WHERE p.name = %(pool)s AND first.vturn > p.clock
"""


def follow() -> int:
    """Move what has to move, of every kind that has a route; return how many."""
    return sum(_follow(name, route) for name, route in _routes().items())


def _routes() -> dict[str, tuple[str, ...]]:
    return {kind.name: route for kind in KINDS.values() if len(route := _route(kind)) > 1}


def _route(kind: Kind) -> tuple[str, ...]:
    try:
        return kind.pools_in_order()
    except Exception as error:  # of the product: its jobs stay, and others do not suffer
        events.log(events.SWEEP_FAILED, logging.WARNING, kind=kind.name, why=type(error).__name__)
        return ()


def _follow(kind: str, route: Sequence[str]) -> int:
    asked = {"kind": kind, "after": conf().SPARE_AFTER_SECONDS, "fresh": conf().RESCUE_SECONDS}
    known = {row["name"]: row for row in sql.rows(POOLS, route=list(route), **asked)}
    route = [name for name in route if name in known]
    moved = 0
    for place, source in enumerate(route):
        pool, target = known[source], _target(route, place, known)
        tries, _ready = _tries(kind, pool)
        if target:
            moved += move(MOVE, kind, source, target, leave=tries if pool["away"] else 0, most=MOST)
        if tries:
            later = route[place + 1 :] if pool["away"] else []
            moved += _send(kind, pool, [known[name] for name in [*later, *_given_up(route[:place], known)]])
        if pool["away"]:
            sql.run(CLOCK, kind=kind, pool=source, route=route)
    return moved


def _target(route: Sequence[str], place: int, known: Mapping[str, Mapping[str, Any]]) -> str:
    """Return where the jobs of this pool belong now; "" when they stay.

    Back to the first that is fit; on to the next that is when their own has been down for long.
    """
    earlier = next((name for name in route[:place] if known[name]["fit"]), "")
    later = next((name for name in route[place + 1 :] if known[name]["fit"]), "")
    return earlier or (later if known[route[place]]["away"] else "")


def _given_up(earlier: Sequence[str], known: Mapping[str, Mapping[str, Any]]) -> list[str]:
    return [name for name in earlier if known[name]["away"]]


def _tries(kind: str, pool: Mapping[str, Any]) -> tuple[int, int]:
    """Return how many jobs of the kind may try this pool now, and how many are ready in it."""
    if not pool["room"] and not pool["away"] and not pool["fit"]:
        return 0, 0
    ready = sql.row(READY, pool=pool["name"], kind=kind, fresh=conf().RESCUE_SECONDS) or {}
    return max(0, pool["room"] - ready["others"]), ready["mine"]


def _send(kind: str, target: Mapping[str, Any], givers: Sequence[Mapping[str, Any]]) -> int:
    """Have as many try the pool as may, from the nearest that has more than may try itself."""
    tries, ready = _tries(kind, target)
    for giver in givers:
        kept, there = _tries(kind, giver)
        most = min(tries - ready, there - kept)
        if most > 0 and (moved := move(SEND, kind, giver["name"], target["name"], most=most)):
            return moved
    return 0


def move(statement: str, kind: str, source: str, target: str, *, by: str = "route", **more: Any) -> int:
    """Run a statement that moves queued jobs of a pool to another; write down who was moved, and return how many."""
    with sql.short_transaction():
        moved = sql.rows(statement, kind=kind, source=source, target=target, **more)
        if moved:
            named = sorted(row["id"] for row in moved)[:MOST_NAMED]
            said = {"to": target, "kind": kind, "count": len(moved), "jobs": named}
            audit.write(by, "job.reroute", f"pool {source}", new=said)
    for row in moved:
        events.log(events.REROUTED, id=row["id"], kind=kind, source=source, target=target)
    for lane in {row["lane"] for row in moved if row["lane"]}:
        lanes.place(lane)
    if any(row["status"] == "ready" and not row["lane"] for row in moved):
        wake.one(pool=target, kind=kind)
    return len(moved)
