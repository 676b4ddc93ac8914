"""Items: the parts of a running job. Called inside a save, whose fence is the guard."""

from collections.abc import Sequence
from typing import Any

from jobs import sql
from jobs.text import cleaned, packed

ADD = """
INSERT INTO jobs_item (job, key, position, status, error)
SELECT %(job)s, i.key, (SELECT coalesce(max(position), 0) FROM jobs_item WHERE job = %(job)s) + i.n, 'pending', ''
FROM unnest(%(keys)s::text[]) WITH ORDINALITY i(key, n)
ON CONFLICT (job, key) DO NOTHING
"""

# pending -> running for the next item, while the job is still this token's.
BEGIN_NEXT = """
UPDATE jobs_item SET status = 'running', started_at = clock_timestamp() WHERE id = (
    SELECT id FROM jobs_item WHERE job = %(job)s AND status IN ('pending', 'running') AND position > %(after)s
    ORDER BY position LIMIT 1)
  AND EXISTS (SELECT 1 FROM jobs_job WHERE id = %(job)s AND token = %(token)s AND status = 'running')
RETURNING id, key, position
"""

# Whether a job of band 0 waits for this job's pool while every seat is taken, and this job itself is of band 1.
WANTED = """
SELECT EXISTS (SELECT 1 FROM jobs_job WHERE id = %(job)s AND band = 1)
   AND NOT EXISTS (SELECT 1 FROM jobs_seat WHERE pool = %(pool)s AND job IS NULL AND free_at <= clock_timestamp())
   AND EXISTS (SELECT 1 FROM unnest(%(kinds)s::text[]) k(kind) CROSS JOIN LATERAL (
       SELECT 1 FROM jobs_job WHERE status = 'ready' AND pool = %(pool)s AND kind = k.kind AND band = 0 LIMIT 1) j)
   AS wanted
"""

END = """
UPDATE jobs_item SET status = %(status)s, error = %(error)s, result = %(result)s::jsonb, ended_at = clock_timestamp()
WHERE id = %(id)s
"""

COUNTS = "SELECT status, count(*) AS n FROM jobs_item WHERE job = %(job)s GROUP BY status"


def add(job: int, keys: Sequence[str]) -> None:
    sql.run(ADD, job=job, keys=list(keys))


def begin_next(job: int, token: object, *, after: int) -> dict[str, Any] | None:
    return sql.row(BEGIN_NEXT, job=job, token=token, after=after)


def seat_is_wanted(job: int, *, pool: str, kinds: Sequence[str]) -> bool:
    """Say whether this job should make way between two of its items."""
    return bool((sql.row(WANTED, job=job, pool=pool, kinds=list(kinds)) or {})["wanted"])


def end(item: int, status: str, *, error: str = "", result: Any = None) -> None:
    """pending -> ok, partial, failed or skipped."""
    sql.run(
        END,
        id=item,
        status=status,
        error=cleaned(error, most=500),
        result=None if result is None else packed(result, what="The result of an item"),
    )


def counts(job: int) -> dict[str, int]:
    return {row["status"]: row["n"] for row in sql.rows(COUNTS, job=job)}
