"""Quick jobs by the hundred: ready -> running together, and running -> succeeded, or back to ready, together."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from jobs import sql
from jobs.registry import KINDS
from jobs.transitions import claim, finish, wake
from jobs.transitions.claim import Claimed, Served

MOST = 100
LASTS_S = 1.0  # begun by then, or given back: nobody better placed waits longer for a batch

# One function in the database: the best quick jobs, in their order (see migration 0005). The arguments are looked up
# one by one: not knowing how few are claimed, a join would read those of all jobs there are.
CLAIM = """
SELECT claimed.*, (SELECT p.args FROM jobs_payload p WHERE p.job = claimed.id) AS args
FROM jobs_claim_quick(%(worker)s, %(slot)s, %(kinds)s::text[], %(timeouts)s::float[], %(most)s, %(lasts)s) claimed
ORDER BY claimed.band, claimed.turn, claimed.id
"""

# Whether somebody who could be claimed now goes before everything of band 1.
HURRIED = """
SELECT 1 FROM jobs_best(%(pools)s::text[], %(poolless)s, %(kinds)s::text[], %(timeouts)s::float[])
WHERE head_band = 0 AND NOT recovering
"""

# running -> succeeded, with the attempts, for those about which nothing else is to be decided: no stop, no other
# wish, no items and no call. Whoever is locked at this moment is left out too; each of those ends by itself.
END = """
WITH done AS (
    SELECT * FROM unnest(%(ids)s::bigint[], %(tokens)s::uuid[], %(results)s::text[], %(began)s::float[],
                         %(ended)s::float[]) d(id, token, result, began_s, ended_s)
), job AS MATERIALIZED (
    SELECT j.id, j.kind, j.token, j.worker, j.slot, done.result,
           clock_timestamp() - make_interval(secs => done.began_s) AS started_at,
           clock_timestamp() - make_interval(secs => done.ended_s) AS ended_at
    FROM done JOIN jobs_job j ON j.id = done.id AND j.token = done.token
    WHERE j.status = 'running' AND j.stop_token IS NULL AND j.wanted_fingerprint IN ('', j.fingerprint)
      AND NOT EXISTS (SELECT 1 FROM jobs_item i WHERE i.job = done.id)
      AND NOT EXISTS (SELECT 1 FROM jobs_call c WHERE c.job = done.id)
    ORDER BY j.id FOR UPDATE OF j SKIP LOCKED
), attempt AS (
    INSERT INTO jobs_attempt (token, job, kind, number, worker, slot, started_at, ended_at, outcome, error_kind, error)
    SELECT token, id, kind, (SELECT count(*) + 1 FROM jobs_attempt a WHERE a.job = job.id), worker, slot,
           started_at, ended_at, 'succeeded', '', '' FROM job
), payload AS (
    UPDATE jobs_payload p SET result = job.result::jsonb FROM job WHERE p.job = job.id AND job.result IS NOT NULL
)
UPDATE jobs_job j SET status = 'succeeded', started_at = job.started_at, ended_at = job.ended_at,
    wanted_fingerprint = '', error_kind = '', error = '', worker = NULL, slot = NULL, token = NULL, deadline = NULL
FROM job WHERE j.id = job.id
RETURNING j.id
"""

# running -> ready for what a batch did not begin: nothing was attempted, so nothing is spent or written down, and the
# turn is kept. Those that were asked to stop are left, for they end by that, and so are those of a process that froze
# after it had begun them.
GIVE_BACK = """
WITH mine AS MATERIALIZED (
    SELECT j.id FROM unnest(%(ids)s::bigint[], %(tokens)s::uuid[]) m(id, token)
    JOIN jobs_job j ON j.id = m.id AND j.token = m.token
    WHERE j.status = 'running' AND j.lane = '' AND j.pool = '' AND j.stop_token IS NULL
      AND NOT EXISTS (SELECT 1 FROM jobs_call c WHERE c.job = j.id)
      AND NOT EXISTS (SELECT 1 FROM jobs_item i WHERE i.job = j.id AND i.status = 'running')
    ORDER BY j.id FOR UPDATE OF j
)
UPDATE jobs_job j SET status = 'ready', worker = NULL, slot = NULL, token = NULL, deadline = NULL, started_at = NULL
FROM mine WHERE j.id = mine.id
RETURNING j.id, j.kind
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """A quick job whose handler has returned; how many seconds ago it began and ended."""

    id: int
    token: uuid.UUID
    kind: str
    result: str | None
    began_s: float
    ended_s: float


def is_quick(job: Claimed) -> bool:
    """Say whether others may be claimed with this job."""
    kind = KINDS.get(job.kind)
    return kind is not None and kind.quick and not (job.singly or job.lane or job.pool)


def claim_more(worker: uuid.UUID, slot: int, served: Served, *, most: int) -> list[Claimed]:
    """ready -> running for the best quick jobs, beside one that was claimed already; in their order."""
    kinds = {name: seconds for name, seconds in served.kinds.items() if name in KINDS and KINDS[name].quick}
    if most < 1 or not kinds:
        return []
    found = sql.rows(
        CLAIM,
        worker=worker,
        slot=slot,
        kinds=list(kinds),
        timeouts=[float(seconds) for seconds in kinds.values()],
        most=min(most, MOST),
        lasts=LASTS_S,
    )
    return [claim.claimed(row) for row in found]


def somebody_hurries(served: Served) -> bool:
    """Say whether a job of band 0 could be claimed now."""
    return bool(sql.rows(HURRIED, **claim.served_values(served)))


def end(done: Sequence[Done]) -> set[int]:
    """running -> succeeded for these; return the ids of those that ended, the others end by `finish.end`."""
    if not done:
        return set()
    ended = {
        row["id"]
        for row in sql.rows(
            END,
            ids=[one.id for one in done],
            tokens=[one.token for one in done],
            results=[one.result for one in done],
            began=[one.began_s for one in done],
            ended=[one.ended_s for one in done],
        )
    }
    for one in done:
        if one.id in ended:
            finish.tell(one.id, one.kind)
    return ended


def give_back(jobs: Sequence[tuple[int, uuid.UUID]]) -> set[int]:
    """running -> ready at no cost, for jobs (id, token) that were claimed and never begun; return their ids."""
    if not jobs:
        return set()
    back = sql.rows(GIVE_BACK, ids=[job for job, _ in jobs], tokens=[token for _, token in jobs])
    for kind in {row["kind"] for row in back}:
        wake.one(pool="", kind=kind)
    return {row["id"] for row in back}
