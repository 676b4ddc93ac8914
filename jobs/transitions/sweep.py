"""Sweeps: what time brings, and what a process that died on the way left undone."""

from jobs import sql
from jobs.conf import conf
from jobs.transitions import lanes, pools, renamed, rescue, routes, wake, watches

# Each chore falls due for the whole deployment, and whoever moves its time does it. Nothing is held meanwhile, so a
# sweeper that freezes in the middle keeps nobody from the next round. A time far beyond the next is of a server whose
# clock was set back since.
TAKE_TURN = """
INSERT INTO jobs_chore (name, due_at) VALUES (%(name)s, clock_timestamp() + make_interval(secs => %(every)s))
ON CONFLICT (name) DO UPDATE SET due_at = excluded.due_at
WHERE jobs_chore.due_at <= clock_timestamp() OR jobs_chore.due_at > excluded.due_at + interval '1 min'
RETURNING name
"""

# scheduled -> waiting or ready, for jobs whose time has come.
DUE = """
UPDATE jobs_job SET status = CASE WHEN lane = '' THEN 'ready' ELSE 'waiting' END, run_at = NULL
WHERE id IN (SELECT id FROM jobs_job WHERE status = 'scheduled' AND run_at <= clock_timestamp()
             ORDER BY run_at LIMIT 500 FOR UPDATE SKIP LOCKED)
RETURNING lane, pool, kind
"""

# Lanes in which somebody waits and nobody is at the head, though neither a pause nor a hold keeps it so. It steps
# from lane to lane in the index: read job by job, 50,000 waiting ones cost 130 ms, twice a second; and no further than
# so many, for 100,000 lanes cost more than a second.
HEADLESS = """
WITH RECURSIVE w(lane, n) AS (
    (SELECT lane, 1 FROM jobs_job WHERE status = 'waiting' AND lane > %(after)s ORDER BY lane LIMIT 1)
    UNION ALL
    SELECT (SELECT j.lane FROM jobs_job j WHERE j.status = 'waiting' AND j.lane > w.lane ORDER BY j.lane LIMIT 1), n + 1
    FROM w WHERE w.lane IS NOT NULL AND n < %(most)s
)
SELECT max(w.lane) AS last, count(w.lane) AS looked_at, array_agg(w.lane) FILTER (WHERE NOT EXISTS (
    SELECT 1 FROM jobs_job h WHERE h.lane = w.lane AND h.lane <> '' AND h.status IN ('ready', 'running'))
  AND NOT EXISTS (SELECT 1 FROM jobs_lane l WHERE l.key = w.lane AND (l.paused OR l.held_until > clock_timestamp()))
) AS lanes FROM w WHERE w.lane IS NOT NULL
"""

# Ready heads whose pool is closed while one that place() prefers waits behind them: what it would leave as it is, and
# find here again, could keep the others out of the round.
STALLING = """
SELECT h.lane FROM jobs_job h JOIN jobs_pool p ON p.name = h.pool
WHERE h.status = 'ready' AND h.lane <> '' AND (p.paused OR p.closed_until > clock_timestamp())
  AND EXISTS (SELECT 1 FROM jobs_job w LEFT JOIN jobs_pool o ON o.name = w.pool
              WHERE w.status = 'waiting' AND w.lane = h.lane AND w.band <= h.band
                AND (w.pool = '' OR NOT o.paused AND coalesce(o.closed_until <= clock_timestamp(), true)))
LIMIT %(most)s
"""

# An edit that is still open after its time locks its lane until it ends; it is passed over.
EXPIRED_HOLDS = """
UPDATE jobs_lane SET held_kind = '', held_label = '', held_token = NULL, held_until = NULL
WHERE key IN (SELECT key FROM jobs_lane WHERE held_until < clock_timestamp() FOR UPDATE SKIP LOCKED) RETURNING key
"""

# The pool's virtual clock: the vturn of its first ready job in band 1, never falling.
CLOCK = """
UPDATE jobs_pool p SET clock = first.vturn FROM (
    SELECT q.name, (SELECT j.vturn FROM unnest(%(kinds)s::text[]) k(kind) CROSS JOIN LATERAL (
        SELECT vturn, turn, id FROM jobs_job
        WHERE status = 'ready' AND pool = q.name AND kind = k.kind AND band = 1
        ORDER BY band, turn, id LIMIT 1) j ORDER BY j.turn, j.id LIMIT 1) AS vturn
    FROM jobs_pool q) first
WHERE first.name = p.name AND first.vturn > p.clock
"""

# The same for the jobs without a pool, kept beside the chores.
POOLLESS_CLOCK = """
INSERT INTO jobs_chore (name, due_at)
SELECT 'clock', j.vturn FROM unnest(%(kinds)s::text[]) k(kind) CROSS JOIN LATERAL (
    SELECT vturn, turn, id FROM jobs_job WHERE status = 'ready' AND pool = '' AND kind = k.kind AND band = 1
    ORDER BY band, turn, id LIMIT 1) j
ORDER BY j.turn, j.id LIMIT 1
ON CONFLICT (name) DO UPDATE SET due_at = excluded.due_at WHERE jobs_chore.due_at < excluded.due_at
"""

# The band-1 job that has waited longest beyond patience, one a pool and interval of patience.
PATIENCE = """
UPDATE jobs_job SET band = 0, turn = clock_timestamp(), promoted = 'patience' WHERE id = (
    SELECT id FROM jobs_job WHERE status IN ('waiting', 'ready') AND pool = %(pool)s AND band = 1
      AND queued_at < clock_timestamp() - make_interval(secs => %(patience)s)
      AND NOT EXISTS (SELECT 1 FROM jobs_chore WHERE name = %(chore)s AND due_at > clock_timestamp()
                      AND due_at <= clock_timestamp() + make_interval(secs => %(patience)s))
    ORDER BY queued_at LIMIT 1) AND status IN ('waiting', 'ready') AND band = 1
RETURNING lane, kind
"""

PRUNE_JOBS = """
WITH gone AS (
    DELETE FROM jobs_job WHERE id IN (
        SELECT j.id FROM jobs_job j WHERE j.ended_at IS NOT NULL
          AND j.ended_at < clock_timestamp() - make_interval(days => %(days)s)
          AND EXISTS (SELECT 1 FROM jobs_job n WHERE n.kind = j.kind AND n.owner = j.owner
                      AND n.subject = j.subject AND n.id > j.id)
        ORDER BY j.ended_at LIMIT 1000)
    RETURNING id
), payload AS (DELETE FROM jobs_payload WHERE job IN (SELECT id FROM gone)
), progress AS (DELETE FROM jobs_progress WHERE job IN (SELECT id FROM gone)
), watch AS (DELETE FROM jobs_watch WHERE job IN (SELECT id FROM gone)
), item AS (DELETE FROM jobs_item WHERE job IN (SELECT id FROM gone))
SELECT id FROM gone
"""

PRUNE_ATTEMPTS = """
DELETE FROM jobs_attempt WHERE token IN (
    SELECT token FROM jobs_attempt WHERE ended_at < clock_timestamp() - make_interval(days => %(days)s)
    ORDER BY ended_at LIMIT 1000)
"""

POOLS = "SELECT name FROM jobs_pool"


def take_turn(name: str, *, every_s: float) -> bool:
    """Claim a chore that is due in the whole deployment; it is due again after every_s."""
    return bool(sql.rows(TAKE_TURN, name=name, every=every_s))


def quick(after: str = "", *, most: int = 2000) -> str:
    """Do what a second may bring; look at the lanes after this one, at most so many, and return where to go on."""
    due()
    watches.end_old()
    holds()
    found = sql.row(HEADLESS, after=after, most=most) or {}
    for lane in found["lanes"] or ():
        lanes.place(lane)
    return str(found["last"]) if found["looked_at"] >= most else ""


def thorough(kinds: list[str], *, most: int = 500) -> None:
    """Do what may wait some seconds: rescue, routes, the virtual clocks, patience, spare seats."""
    rescue.rescue()
    routes.follow()
    renamed.follow()
    names = pool_names()
    pools.trim(names)
    sql.run(CLOCK, kinds=kinds)
    sql.run(POOLLESS_CLOCK, kinds=kinds)
    for name in ("", *names):
        patience(name)
    for row in sql.rows(STALLING, most=most):
        lanes.place(row["lane"])


def due() -> int:
    moved = sql.rows(DUE)
    for lane in {row["lane"] for row in moved if row["lane"]}:
        lanes.place(lane)
    for pool, kind in {(row["pool"], row["kind"]) for row in moved if not row["lane"]}:
        wake.one(pool=pool, kind=kind)
    return len(moved)


def holds() -> None:
    """A hold whose process died ends by itself."""
    for row in sql.rows(EXPIRED_HOLDS):
        lanes.place(row["key"])


def patience(pool: str) -> None:
    """band 1 -> band 0 for who has waited too long; once per interval, or the patient would become the crowd."""
    chore, interval_s = f"patience {pool}", conf().PATIENCE_SECONDS
    moved = sql.row(PATIENCE, pool=pool, patience=interval_s, chore=chore)
    if moved is None:
        return
    take_turn(chore, every_s=interval_s)
    if moved["lane"]:
        lanes.place(moved["lane"])


def prune() -> int:
    """Delete what is old, never the newest row of an identity; return how many jobs and attempts."""
    return sql.run(PRUNE_JOBS, days=conf().KEEP_JOBS_DAYS) + sql.run(PRUNE_ATTEMPTS, days=conf().KEEP_ATTEMPTS_DAYS)


def pool_names() -> list[str]:
    return [row["name"] for row in sql.rows(POOLS)]
