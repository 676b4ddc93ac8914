"""The functions that claim a job and end a plain success: their plans are made once a session."""

from django.db import migrations

# The best job of what a process serves, without a lock: the head of each kind in each open pool with a free seat,
# and of the jobs without a pool.
BEST = """
CREATE FUNCTION jobs_best(
    pools text[], poolless boolean, kinds text[], timeouts float[],
    OUT head bigint, OUT head_pool text, OUT head_kind text, OUT head_band smallint, OUT timeout_s float,
    OUT recovering boolean
) AS $$
BEGIN
    SELECT j.id, j.pool, j.kind, j.band, served.timeout, open_pool.recovering
    INTO head, head_pool, head_kind, head_band, timeout_s, recovering
    FROM (
        SELECT p.name, p.admit IS NOT NULL AS recovering FROM jobs_pool p
        WHERE p.name = ANY(pools) AND NOT p.paused
          AND (p.closed_until IS NULL OR p.closed_until <= clock_timestamp())
          AND EXISTS (SELECT 1 FROM jobs_seat s
                      WHERE s.pool = p.name AND s.job IS NULL AND s.free_at <= clock_timestamp())
          AND (SELECT count(*) FROM jobs_seat s WHERE s.pool = p.name) <= jobs_capacity(p.capacity, p.reserve)
        UNION ALL SELECT '', false WHERE poolless
    ) open_pool CROSS JOIN unnest(kinds, timeouts) served(kind, timeout) CROSS JOIN LATERAL (
        SELECT j.id, j.pool, j.kind, j.band, j.turn FROM jobs_job j
        WHERE j.status = 'ready' AND j.pool = open_pool.name AND j.kind = served.kind
        ORDER BY j.band, j.turn, j.id LIMIT 1
    ) j ORDER BY j.band, j.turn, j.id LIMIT 1;
END
$$ LANGUAGE plpgsql"""

# ready -> running for the best job, together with a seat of its pool, or nothing; it never waits for a lock. `head`
# without `id` means that another claimer was faster (contended), never that there is nothing to do. A recovering pool
# is looked at, so that endless other work does not keep it from being tried, but gives nothing unless `admitted`.
# With `done` it first ends that job, and claims nothing where it cannot (`ended` is false then).
CLAIM = """
CREATE FUNCTION jobs_claim(
    its_worker uuid, its_slot bigint, its_token uuid, pools text[], poolless boolean, kinds text[], timeouts float[],
    admitted boolean, done bigint, done_token uuid, done_result text,
    OUT ended boolean, OUT head bigint, OUT head_pool text, OUT recovering boolean, OUT id bigint, OUT kind text,
    OUT owner text, OUT subject text, OUT fingerprint text, OUT wanted_fingerprint text, OUT lane text, OUT pool text,
    OUT attempts integer, OUT band smallint, OUT singly boolean, OUT token uuid, OUT timeout_s float,
    OUT waited_s float, OUT args jsonb
) AS $$
#variable_conflict use_column
DECLARE
    best record;
    its_seat bigint;
    its_job bigint;
BEGIN
    IF done IS NOT NULL THEN
        ended := jobs_succeed(done, done_token, done_result);
        IF NOT ended THEN
            RETURN;
        END IF;
    END IF;

    SELECT * INTO best FROM jobs_best(pools, poolless, kinds, timeouts);
    head := best.head; head_pool := best.head_pool; recovering := best.recovering;
    IF head IS NULL OR recovering AND NOT admitted THEN
        RETURN;
    END IF;

    IF head_pool <> '' THEN
        SELECT s.id INTO its_seat FROM jobs_seat s
        WHERE s.pool = best.head_pool AND s.job IS NULL AND s.free_at <= clock_timestamp()
        ORDER BY s.free_at LIMIT 1 FOR UPDATE SKIP LOCKED;
        IF NOT FOUND THEN
            RETURN;
        END IF;
    END IF;
    SELECT j.id INTO its_job FROM jobs_job j
    WHERE j.status = 'ready' AND j.pool = best.head_pool AND j.kind = best.head_kind
    ORDER BY j.band, j.turn, j.id LIMIT 1 FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
        RETURN;
    END IF;

    UPDATE jobs_seat s SET job = its_job, token = its_token, why = 'running' WHERE s.id = its_seat;
    UPDATE jobs_job j SET status = 'running', worker = its_worker, slot = its_slot, token = its_token, seat = its_seat,
        started_at = clock_timestamp(), run_at = NULL, stop_token = NULL, stop_by = '',
        deadline = clock_timestamp() + make_interval(secs => best.timeout_s)
    WHERE j.id = its_job
    RETURNING j.id, j.kind, j.owner, j.subject, j.fingerprint, j.wanted_fingerprint, j.lane, j.pool, j.attempts,
              j.band, j.singly, j.token, best.timeout_s, extract(epoch FROM j.started_at - j.turn)::float
    INTO id, kind, owner, subject, fingerprint, wanted_fingerprint, lane, pool, attempts, band, singly, token,
         timeout_s, waited_s;
    SELECT p.args INTO args FROM jobs_payload p WHERE p.job = its_job;
END
$$ LANGUAGE plpgsql"""

# running -> succeeded, with its attempt, for a job about which nothing else is to be decided: no lane, no pool, no
# stop, no other wish, no items and no call. False where there is more to it, or this token no longer runs it.
SUCCEED = """
CREATE FUNCTION jobs_succeed(done bigint, its_token uuid, its_result text) RETURNS boolean AS $$
DECLARE
    old jobs_job;
BEGIN
    SELECT * INTO old FROM jobs_job j
    WHERE j.id = done AND j.token = its_token AND j.status = 'running' AND j.lane = '' AND j.pool = ''
      AND j.stop_token IS NULL AND j.wanted_fingerprint IN ('', j.fingerprint)
      AND NOT EXISTS (SELECT 1 FROM jobs_item i WHERE i.job = done)
      AND NOT EXISTS (SELECT 1 FROM jobs_call c WHERE c.job = done)
    FOR UPDATE OF j;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    INSERT INTO jobs_attempt (token, job, kind, number, worker, slot, started_at, ended_at, outcome, error_kind, error)
    SELECT old.token, old.id, old.kind, (SELECT count(*) + 1 FROM jobs_attempt a WHERE a.job = done), old.worker,
           old.slot, old.started_at, clock_timestamp(), 'succeeded', '', '';
    IF its_result IS NOT NULL THEN
        UPDATE jobs_payload p SET result = its_result::jsonb WHERE p.job = done;
    END IF;
    UPDATE jobs_job j SET status = 'succeeded', ended_at = clock_timestamp(), wanted_fingerprint = '', error_kind = '',
        error = '', worker = NULL, slot = NULL, token = NULL, deadline = NULL
    WHERE j.id = done;
    RETURN true;
END
$$ LANGUAGE plpgsql"""

# ready -> running for the best quick jobs, without lane and pool, that no process has died around. It looks at which
# are the best without a lock, then locks as many of each kind: locking the best of every kind and leaving some would
# have others pass over them meanwhile. The deadline allows for the time until the last of a batch is begun.
CLAIM_QUICK = """
CREATE FUNCTION jobs_claim_quick(
    its_worker uuid, its_slot bigint, kinds text[], timeouts float[], most integer, lasts float
) RETURNS TABLE (
    id bigint, kind varchar, owner varchar, subject varchar, fingerprint varchar, wanted_fingerprint varchar,
    lane varchar, pool varchar, attempts integer, band smallint, turn timestamptz, singly boolean, token uuid,
    timeout_s float, waited_s float
) AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY WITH best AS MATERIALIZED (
        SELECT served.kind, served.timeout FROM unnest(kinds, timeouts) served(kind, timeout) CROSS JOIN LATERAL (
            SELECT band, turn, id FROM jobs_job
            WHERE status = 'ready' AND pool = '' AND kind = served.kind AND lane = '' AND NOT singly
            ORDER BY band, turn, id LIMIT most
        ) j ORDER BY j.band, j.turn, j.id LIMIT most
    ), wanted AS (
        SELECT kind, timeout, count(*) AS n FROM best GROUP BY kind, timeout
    ), job AS MATERIALIZED (
        SELECT j.id, wanted.timeout FROM wanted CROSS JOIN LATERAL (
            SELECT id FROM jobs_job
            WHERE status = 'ready' AND pool = '' AND kind = wanted.kind AND lane = '' AND NOT singly
            ORDER BY band, turn, id LIMIT wanted.n FOR UPDATE SKIP LOCKED
        ) j
    )
    UPDATE jobs_job j SET status = 'running', worker = its_worker, slot = its_slot, token = gen_random_uuid(),
        started_at = clock_timestamp(), run_at = NULL, stop_token = NULL, stop_by = '',
        deadline = clock_timestamp() + make_interval(secs => job.timeout + lasts)
    FROM job WHERE j.id = job.id
    RETURNING j.id, j.kind, j.owner, j.subject, j.fingerprint, j.wanted_fingerprint, j.lane, j.pool, j.attempts,
              j.band, j.turn, j.singly, j.token, job.timeout, extract(epoch FROM j.started_at - j.turn)::float;
END
$$ LANGUAGE plpgsql"""

# One plan for all values, made once a session; and by the indexes, however small the tables were at that moment: a
# plan that was made beside nothing must serve beside a million. Not knowing how few jobs are claimed, it would join
# them by reading all there are.
PLANNED_ONCE = """
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off
SET enable_hashjoin = off SET enable_mergejoin = off
"""


class Migration(migrations.Migration):
    dependencies = [("jobs", "0004_progress_in_bytes")]

    operations = [
        migrations.RunSQL(BEST + PLANNED_ONCE, "DROP FUNCTION jobs_best(text[], boolean, text[], float[])"),
        migrations.RunSQL(
            CLAIM_QUICK + PLANNED_ONCE,
            "DROP FUNCTION jobs_claim_quick(uuid, bigint, text[], float[], integer, float)",
        ),
        migrations.RunSQL(SUCCEED + PLANNED_ONCE, "DROP FUNCTION jobs_succeed(bigint, uuid, text)"),
        migrations.RunSQL(
            CLAIM + PLANNED_ONCE,
            "DROP FUNCTION jobs_claim(uuid, bigint, uuid, text[], boolean, text[], float[], boolean, bigint, uuid, text)",
        ),
    ]
