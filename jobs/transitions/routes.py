"""Routes: queued jobs go to the next pool while theirs is down for long, and come back when it is open again."""

from collections.abc import Mapping, Sequence
from typing import Any

from jobs import events, sql
from jobs.conf import conf
from jobs.registry import KINDS
from jobs.transitions import audit, lanes, wake

MOST = 500  # jobs a transaction
MOST_NAMED = 50  # job numbers in one line of the audit

# `fit`: takes jobs of others now. `away`: down for so long that it gives its own away. `room`: how many jobs may try it
# now although it is down, less those that do; they are what it learns from that it is back.
POOLS = """
SELECT p.name, p.down_since IS NULL AND NOT p.paused AS open,
       p.down_since IS NULL AND NOT p.paused AND jobs_capacity(p.capacity, p.reserve) > 0 AND EXISTS (
           SELECT 1 FROM jobs_worker w WHERE NOT w.draining AND p.name = ANY(w.pools)
           AND w.heartbeat_at > clock_timestamp() - make_interval(secs => %(fresh)s)) AS fit,
       coalesce(p.down_since <= clock_timestamp() - make_interval(secs => %(after)s), false) AS away,
       CASE WHEN p.paused OR p.closed_until > clock_timestamp() THEN 0 ELSE greatest(0, coalesce(p.admit, 0) - (
           SELECT count(*) FROM jobs_job j JOIN jobs_seat s ON s.job = j.id
           WHERE s.pool = p.name AND j.status = 'running' AND j.started_at > p.closed_at)) END AS room
FROM jobs_pool p WHERE p.name = ANY(%(route)s)
"""

# Ready jobs of a pool, of the kind and of others, up to what could matter.
READY = """
SELECT count(*) FILTER (WHERE kind = %(kind)s) AS mine, count(*) FILTER (WHERE kind <> %(kind)s) AS others
FROM (SELECT kind FROM jobs_job WHERE status = 'ready' AND pool = %(pool)s LIMIT 1000) found
"""

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

# ready in a later pool -> ready in an earlier one that is due to be tried: the last in turn, who loses least by it.
RECALL = """
UPDATE jobs_job SET pool = %(target)s, downs = 0 WHERE id IN (
    SELECT id FROM jobs_job WHERE status = 'ready' AND pool = %(source)s AND kind = %(kind)s
    ORDER BY band DESC, turn DESC, id DESC LIMIT %(most)s FOR UPDATE SKIP LOCKED) AND status = 'ready'
RETURNING id, lane, pool, kind, status
"""


def follow() -> int:
    """Move what has to move, of every kind that has a route; return how many."""
    return sum(_follow(name, route) for name, route in _routes().items())


def _routes() -> dict[str, tuple[str, ...]]:
    routes = {kind.name: kind.pools_in_order() for kind in KINDS.values() if kind.route}
    return {name: route for name, route in routes.items() if len(route) > 1}


def _follow(kind: str, route: Sequence[str]) -> int:
    asked = {"after": conf().SPARE_AFTER_SECONDS, "fresh": conf().RESCUE_SECONDS}
    known = {row["name"]: row for row in sql.rows(POOLS, route=list(route), **asked)}
    route = [name for name in route if name in known]
    moved = 0
    for place, source in enumerate(route):
        pool = known[source]
        ready = sql.row(READY, pool=source, kind=kind) or {} if pool["away"] else {"mine": 0, "others": 0}
        leave = max(0, pool["room"] - ready["others"]) if pool["away"] else 0
        target = _target(route, place, known)
        if target:
            moved += _move(MOVE, kind, source, target, leave=leave, most=MOST)
        if leave > ready["mine"]:
            moved += _recall(kind, source, route[place + 1 :], wanted=leave - ready["mine"])
    return moved


def _target(route: Sequence[str], place: int, known: Mapping[str, Mapping[str, Any]]) -> str:
    """Return where the jobs of this pool belong now; "" when they stay.

    Back to the first that is open; on to the first that is fit when their own has been down for long.
    """
    earlier = next((name for name in route[:place] if known[name]["open"]), "")
    later = next((name for name in route[place + 1 :] if known[name]["fit"]), "")
    return earlier or (later if known[route[place]]["away"] else "")


def _recall(kind: str, target: str, later: Sequence[str], *, wanted: int) -> int:
    """Bring back as many as may try the pool, from the nearest where there are some."""
    for source in later:
        moved = _move(RECALL, kind, source, target, most=wanted)
        if moved:
            return moved
    return 0


def _move(statement: str, kind: str, source: str, target: str, **more: Any) -> int:
    with sql.short_transaction():
        moved = sql.rows(statement, kind=kind, source=source, target=target, **more)
        if moved:
            named = sorted(row["id"] for row in moved)[:MOST_NAMED]
            said = {"to": target, "kind": kind, "count": len(moved), "jobs": named}
            audit.write("route", "job.reroute", f"pool {source}", new=said)
    for row in moved:
        events.log(events.REROUTED, id=row["id"], kind=kind, source=source, target=target)
    for lane in {row["lane"] for row in moved if row["lane"]}:
        lanes.place(lane)
    if any(row["status"] == "ready" and not row["lane"] for row in moved):
        wake.one(pool=target, kind=kind)
    return len(moved)
