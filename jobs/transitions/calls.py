"""The upstream call of a running job: what keeps its seat honest."""

from datetime import datetime

from jobs import sql
from jobs.exceptions import Fenced
from jobs.transitions import pools

LINGER_S = 60.0  # how long an upstream works on unheard, where the caller does not know better

# Committed before the first byte goes out; no row means that the job is no longer this token's.
BEGIN = """
INSERT INTO jobs_call (job, token, pool, streamed, started_at, call_until, spoke, linger_s)
SELECT id, token, pool, %(streamed)s, clock_timestamp(),
       clock_timestamp() + make_interval(secs => %(timeout)s), false, %(linger)s
FROM jobs_job WHERE id = %(job)s AND token = %(token)s AND status = 'running' AND stop_token IS NULL FOR UPDATE
ON CONFLICT (job) DO UPDATE SET token = excluded.token, streamed = excluded.streamed, spoke = false,
    started_at = excluded.started_at, call_until = excluded.call_until, broken_at = NULL, over_at = NULL,
    linger_s = excluded.linger_s
RETURNING started_at
"""

# Seconds until the upstream is done with this job's previous call, as its seat would count them, and has rested.
GAP_LEFT = """
SELECT extract(epoch FROM CASE
           WHEN c.over_at IS NOT NULL THEN c.over_at
           WHEN c.streamed AND c.broken_at IS NOT NULL
               THEN c.broken_at + CASE WHEN c.spoke THEN interval '5 s' ELSE make_interval(secs => c.linger_s) END
           ELSE c.call_until END + p.gap - clock_timestamp())::float AS seconds
FROM jobs_call c JOIN jobs_pool p ON p.name = c.pool WHERE c.job = %(job)s AND c.token = %(token)s
"""

SPOKE = "UPDATE jobs_call SET spoke = true WHERE job = %(job)s AND token = %(token)s AND NOT spoke"
OVER = "UPDATE jobs_call SET over_at = clock_timestamp() WHERE job = %(job)s AND token = %(token)s"
BROKEN = "UPDATE jobs_call SET broken_at = clock_timestamp() WHERE job = %(job)s AND token = %(token)s"


def gap_left_s(job: int, token: object) -> float:
    found = sql.row(GAP_LEFT, job=job, token=token)
    return max(0.0, (found["seconds"] or 0.0) if found else 0.0)


def begin(job: int, token: object, *, timeout_s: float, streamed: bool, linger_s: float = LINGER_S) -> datetime:
    """Record that a call may be in flight until its time-out; raises Fenced when the job is not ours to call for."""
    begun = sql.row(BEGIN, job=job, token=token, timeout=timeout_s, streamed=streamed, linger=linger_s)
    if begun is None:
        raise Fenced("The job was stopped or taken over before its call began.")
    started: datetime = begun["started_at"]
    return started


def spoke(job: int, token: object) -> None:
    sql.run(SPOKE, job=job, token=token)


def over(job: int, token: object) -> None:
    """in flight -> ended up there too: the seat will only rest for the gap."""
    sql.run(OVER, job=job, token=token)


def answered(job: int, token: object, *, pool: str, started_at: datetime) -> None:
    """The same, and the pool has shown that it works."""
    over(job, token)
    if pool:
        pools.answered(pool, started_at=started_at)


def broken(job: int, token: object) -> None:
    """in flight -> closed on our side only: the seat will linger."""
    sql.run(BROKEN, job=job, token=token)
