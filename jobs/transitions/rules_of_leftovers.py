"""Rules about what stands beside a job: nothing of a job that is gone, nothing lacking of one that ended."""

from collections.abc import Sequence

from jobs import sql
from jobs.conf import conf
from jobs.transitions.rule import Rule, numbers

# What stands beside a job that does not exist.
BESIDE = """
SELECT DISTINCT job::text AS thing FROM (
    SELECT job FROM jobs_payload UNION SELECT job FROM jobs_progress UNION SELECT job FROM jobs_watch
    UNION SELECT job FROM jobs_item) beside
WHERE NOT EXISTS (SELECT 1 FROM jobs_job j WHERE j.id = beside.job)
"""
DROP_BESIDE = """
WITH gone AS (
    SELECT id FROM unnest(%(ids)s::bigint[]) g(id) WHERE NOT EXISTS (SELECT 1 FROM jobs_job j WHERE j.id = g.id)
), payload AS (DELETE FROM jobs_payload WHERE job IN (SELECT id FROM gone)
), progress AS (DELETE FROM jobs_progress WHERE job IN (SELECT id FROM gone)
), watch AS (DELETE FROM jobs_watch WHERE job IN (SELECT id FROM gone)
), item AS (DELETE FROM jobs_item WHERE job IN (SELECT id FROM gone))
SELECT count(*) FROM gone
"""

# Jobs without arguments: their handler would meet none.
PAYLOADLESS = """
SELECT id::text AS thing FROM jobs_job j WHERE NOT EXISTS (SELECT 1 FROM jobs_payload p WHERE p.job = j.id)
"""
MAKE_PAYLOADS = """
INSERT INTO jobs_payload (job, args) SELECT id, '{}' FROM unnest(%(ids)s::bigint[]) j(id) ON CONFLICT DO NOTHING
"""

# Jobs that ran and ended, and of which no attempt is written down, as long as attempts are kept.
UNWRITTEN = """
SELECT id::text AS thing FROM jobs_job j
WHERE ended_at > clock_timestamp() - make_interval(days => %(days)s) AND started_at IS NOT NULL
  AND status IN ('succeeded', 'partial', 'failed', 'interrupted')
  AND NOT EXISTS (SELECT 1 FROM jobs_attempt a WHERE a.job = j.id)
"""
WRITE = """
INSERT INTO jobs_attempt (token, job, kind, number, worker, slot, started_at, ended_at, outcome, error_kind, error)
SELECT gen_random_uuid(), id, kind, 1, '00000000-0000-0000-0000-000000000000', 0, started_at, ended_at, 'unrecorded',
       'audit', 'Nobody wrote this attempt down; the audit found it missing.'
FROM jobs_job j WHERE id = ANY(%(ids)s::bigint[]) AND ended_at IS NOT NULL AND started_at IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM jobs_attempt a WHERE a.job = j.id)
"""

# Open items of jobs that were stopped.
OPEN_ITEMS = """
SELECT i.id::text AS thing FROM jobs_item i JOIN jobs_job j ON j.id = i.job
WHERE i.status IN ('pending', 'running') AND j.status = 'cancelled'
"""
CANCEL_ITEMS = """
UPDATE jobs_item i SET status = 'cancelled', ended_at = clock_timestamp()
WHERE id = ANY(%(ids)s::bigint[]) AND status IN ('pending', 'running')
  AND EXISTS (SELECT 1 FROM jobs_job j WHERE j.id = i.job AND j.status = 'cancelled')
"""


def _by_number(statement: str, things: Sequence[str]) -> None:
    sql.run(statement, ids=numbers(things))


RULES = (
    Rule(
        name="what-stands-beside-a-job-has-its-job",
        sentence="Arguments, progress, items or watches are kept of a job that is gone. They are deleted.",
        broken=BESIDE,
        mend=lambda things: _by_number(DROP_BESIDE, things),
        deep=True,
    ),
    Rule(
        name="job-has-its-arguments",
        sentence="The arguments of a job are lost. It gets empty ones; stop it if it cannot do without.",
        broken=PAYLOADLESS,
        mend=lambda things: _by_number(MAKE_PAYLOADS, things),
        deep=True,
    ),
    Rule(
        name="ended-job-has-its-attempt",
        sentence="A job ran and ended, and no attempt is written down. One is, as unrecorded.",
        broken=UNWRITTEN,
        mend=lambda things: _by_number(WRITE, things),
        deep=True,
    ),
    Rule(
        name="stopped-job-has-no-open-item",
        sentence="A stopped job has open items. They are cancelled, as it is.",
        broken=OPEN_ITEMS,
        mend=lambda things: _by_number(CANCEL_ITEMS, things),
        deep=True,
    ),
)


def limits() -> dict[str, float]:
    """Return what the statements above go by."""
    return {"days": max(0, conf().KEEP_ATTEMPTS_DAYS - 1)}
