"""Whose turn: an owner's next job comes after what that owner has in line already, also where a route has moved it."""

# The owner's greatest vturn in a pool, and in the others of the kind's route what may come back from there.
LAST = """(
    SELECT max(waits.vturn) FROM unnest(%(route)s::text[] || {pool}::text) line(pool) CROSS JOIN LATERAL (
        SELECT max(q.vturn) AS vturn FROM jobs_job q
        WHERE q.pool = line.pool AND q.owner = {owner} AND (line.pool = {pool} OR q.kind = {kind})
          AND q.status IN ('scheduled', 'waiting', 'ready')) waits)"""
