"""The function that elects a lane's head, and storage settings of the hot tables."""

from django.db import migrations

# Returns the job it promoted, or nulls. Called in autocommit; every statement inside has a snapshot of its own,
# so what it reads after the lock is what the lane is. It waits 200 ms for a lock: an edit that holds the lane for
# longer places when it ends, and neither a poll nor the sweep may stand still until then.
PLACE = """
CREATE FUNCTION jobs_place(lane_key text, OUT promoted bigint, OUT pool text, OUT kind text) AS $$
DECLARE
    line jobs_lane;
    head record;
    best record;
BEGIN
    PERFORM set_config('idle_in_transaction_session_timeout', '15s', true);
    INSERT INTO jobs_lane (key, label, paused, held_kind, held_label)
    SELECT lane_key, '', false, '', '' WHERE NOT EXISTS (SELECT 1 FROM jobs_lane WHERE key = lane_key)
    ON CONFLICT DO NOTHING;
    SELECT * INTO line FROM jobs_lane WHERE key = lane_key FOR UPDATE;

    -- Ready or running in one statement: read in two, a claim in between would break the unique index.
    SELECT j.id, j.status, j.band, j.turn, j.pool INTO head FROM jobs_job j
    WHERE j.lane = lane_key AND j.lane <> '' AND j.status IN ('ready', 'running');
    IF head.status = 'running' THEN
        RETURN;
    END IF;

    IF line.paused OR line.held_until > clock_timestamp() THEN
        UPDATE jobs_job SET status = 'waiting' WHERE id = head.id AND status = 'ready';
        RETURN;
    END IF;

    -- Within a band, one without a pool first, then one whose pool is open: a head that waits for a closed
    -- pool must not stall everything else of its source.
    SELECT c.* INTO best FROM (
        SELECT '' AS name, 0 AS preference
        UNION ALL
        SELECT p.name, CASE WHEN p.paused OR p.closed_until > clock_timestamp() THEN 2 ELSE 1 END FROM jobs_pool p
    ) pools CROSS JOIN LATERAL (
        (SELECT j.id, j.kind, j.pool, j.band, j.turn, pools.preference FROM jobs_job j
         WHERE j.status = 'waiting' AND j.lane = lane_key AND j.pool = pools.name
         ORDER BY j.band, j.turn, j.id LIMIT 1)
        UNION ALL
        SELECT j.id, j.kind, j.pool, j.band, j.turn, pools.preference FROM jobs_job j
        WHERE j.id = head.id AND j.pool = pools.name
    ) c
    ORDER BY c.band, c.preference, c.turn, c.id LIMIT 1;
    IF best.id IS NULL OR best.id = head.id THEN
        RETURN;
    END IF;

    IF head.id IS NOT NULL THEN
        UPDATE jobs_job SET status = 'waiting' WHERE id = head.id AND status = 'ready';
        IF NOT FOUND THEN
            RETURN;  -- claimed meanwhile
        END IF;
    END IF;
    UPDATE jobs_job SET status = 'ready' WHERE id = best.id AND status = 'waiting';
    IF FOUND THEN
        promoted := best.id; pool := best.pool; kind := best.kind;
    END IF;
END
$$ LANGUAGE plpgsql SET lock_timeout = '200ms'
"""

# The virtual clock of a pool; of jobs without one it is kept beside the chores.
CLOCK = """
CREATE FUNCTION jobs_clock(pool_name text) RETURNS timestamptz AS $$
    SELECT coalesce((SELECT clock FROM jobs_pool WHERE name = pool_name),
                    (SELECT due_at FROM jobs_chore WHERE name = 'clock'))
$$ LANGUAGE sql STABLE
"""

# The seats a pool may use now: its capacity less what it leaves to its neighbours at this hour.
CAPACITY = """
CREATE FUNCTION jobs_capacity(capacity integer, reserve jsonb) RETURNS integer AS $$
    SELECT greatest(0, capacity - coalesce(sum(seats), 0))::integer FROM (
        SELECT (r->>'seats')::integer AS seats, (r->>'from')::time AS begins, (r->>'until')::time AS ends,
               (clock_timestamp() AT TIME ZONE (r->>'zone'))::time AS here
        FROM jsonb_array_elements(reserve) r) hours
    WHERE CASE WHEN begins < ends THEN here >= begins AND here < ends ELSE here >= begins OR here < ends END
$$ LANGUAGE sql VOLATILE
"""

HOT = ("jobs_job", "jobs_seat", "jobs_worker", "jobs_progress", "jobs_call", "jobs_idle", "jobs_watch")
STORAGE = [
    f"ALTER TABLE {table} SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02,"
    " autovacuum_vacuum_threshold = 200, autovacuum_analyze_scale_factor = 0.05)"
    for table in HOT
]
RESET = [
    f"ALTER TABLE {table} RESET (fillfactor, autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold,"
    " autovacuum_analyze_scale_factor)"
    for table in HOT
]


class Migration(migrations.Migration):
    dependencies = [("jobs", "0001_initial")]

    operations = [
        migrations.RunSQL(PLACE, "DROP FUNCTION jobs_place(text)"),
        migrations.RunSQL(CAPACITY, "DROP FUNCTION jobs_capacity(integer, jsonb)"),
        migrations.RunSQL(CLOCK, "DROP FUNCTION jobs_clock(text)"),
        migrations.RunSQL(STORAGE, RESET),
    ]
