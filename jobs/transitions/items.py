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

END = """
UPDATE jobs_item SET status = %(status)s, error = %(error)s, result = %(result)s::jsonb, ended_at = clock_timestamp()
WHERE id = %(id)s
"""

COUNTS = "SELECT status, count(*) AS n FROM jobs_item WHERE job = %(job)s GROUP BY status"


def add(job: int, keys: Sequence[str]) -> None:
    sql.run(ADD, job=job, keys=list(keys))


def begin_next(job: int, token: object, *, after: int) -> dict[str, Any] | None:
    return sql.row(BEGIN_NEXT, job=job, token=token, after=after)


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
