"""Rescue: the jobs of a worker that fell silent move on, one job a transaction."""

from typing import Any

from django.db import OperationalError
from psycopg.errors import LockNotAvailable

from jobs import events, sql
from jobs.conf import conf
from jobs.registry import KINDS
from jobs.transitions import finish
from jobs.transitions.outcomes import Attempted

LOCK_MS = 200  # whoever still saves in the name of a silent worker keeps neither the others nor the sweeps waiting

# A heartbeat of the future is of a server whose clock was set back since; it counts from now, or a worker that has died
# would be alive until then.
FUTURE = "UPDATE jobs_worker SET heartbeat_at = clock_timestamp() WHERE heartbeat_at > clock_timestamp()"

# Running jobs of silent workers, and of workers whose row is gone. Of a kind that this code does not know, another
# version whose worker lives knows whether it is parked and who is told: that one's sweep comes.
STALLED = """
SELECT j.id, j.token, j.worker FROM jobs_job j LEFT JOIN jobs_worker w ON w.id = j.worker
WHERE j.status = 'running'
  AND (w.id IS NULL OR w.heartbeat_at < clock_timestamp() - make_interval(secs => %(after)s))
  AND (j.kind = ANY(%(known)s::text[]) OR NOT EXISTS (
      SELECT 1 FROM jobs_worker k WHERE j.kind = ANY(k.kinds) AND NOT k.draining
        AND k.heartbeat_at >= clock_timestamp() - make_interval(secs => %(after)s)))
ORDER BY j.id LIMIT 200
"""

# A worker is forgotten when nothing runs in its name any more.
FORGET = """
DELETE FROM jobs_worker w WHERE heartbeat_at < clock_timestamp() - make_interval(secs => %(after)s)
  AND NOT EXISTS (SELECT 1 FROM jobs_job j WHERE j.worker = w.id AND j.status = 'running')
"""
FORGET_IDLE = "DELETE FROM jobs_idle i WHERE NOT EXISTS (SELECT 1 FROM jobs_worker w WHERE w.id = i.worker)"


def rescue() -> int:
    """running on a silent worker -> queued again (or failed, or parked); its call may go on, so its seat lingers."""
    after = conf().RESCUE_SECONDS
    sql.run(FUTURE)
    moved = 0
    for job in sql.rows(STALLED, after=after, known=list(KINDS)):
        how = Attempted(
            outcome="crashed", error="Its worker fell silent.", error_kind="worker_lost", process_ended=False
        )
        if _end(job, how):
            moved += 1
            events.log(events.RESCUED, id=job["id"], worker=job["worker"])
    if sql.run(FORGET, after=after):
        sql.run(FORGET_IDLE)
    return moved


def _end(job: dict[str, Any], how: Attempted) -> bool:
    """End the attempt; False when somebody else did, or holds the job at this moment: the next sweep looks again."""
    try:
        return finish.end(job["id"], job["token"], how, lock_ms=LOCK_MS) is not None
    except OperationalError as error:
        if isinstance(error.__cause__, LockNotAvailable):
            return False
        raise
