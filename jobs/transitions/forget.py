"""Forgetting an owner: everything the queue keeps of somebody who is gone."""

from jobs import sql
from jobs.transitions import control, tally

# The kinds that have rows, also those that this process does not know; from kind to kind in the index.
KINDS = """
WITH RECURSIVE k(kind) AS (
    (SELECT kind FROM jobs_job ORDER BY kind LIMIT 1)
    UNION ALL
    SELECT (SELECT j.kind FROM jobs_job j WHERE j.kind > k.kind ORDER BY j.kind LIMIT 1) FROM k WHERE k.kind IS NOT NULL
)
SELECT kind FROM k WHERE kind IS NOT NULL
"""

ACTIVE = """
SELECT id FROM jobs_job WHERE kind = ANY(%(kinds)s::text[]) AND owner = %(owner)s AND ended_at IS NULL ORDER BY id
"""

# Only what has ended; what still runs is asked to stop first, so that nothing is written after it was forgotten.
FORGET = """
WITH gone AS (
    DELETE FROM jobs_job WHERE id IN (
        SELECT id FROM jobs_job WHERE kind = ANY(%(kinds)s::text[]) AND owner = %(owner)s AND ended_at IS NOT NULL
        ORDER BY id LIMIT 1000) AND ended_at IS NOT NULL  -- said again, for a retry may be faster
    RETURNING id
), payload AS (DELETE FROM jobs_payload WHERE job IN (SELECT id FROM gone)
), progress AS (DELETE FROM jobs_progress WHERE job IN (SELECT id FROM gone)
), watch AS (DELETE FROM jobs_watch WHERE job IN (SELECT id FROM gone)
), attempt AS (DELETE FROM jobs_attempt WHERE job IN (SELECT id FROM gone)
), item AS (DELETE FROM jobs_item WHERE job IN (SELECT id FROM gone))
SELECT id FROM gone
"""


def stop_all(owner: str, *, by: str) -> int:
    """Ask every active job of the owner to stop; return how many have not ended yet."""
    return sum(control.stop(row["id"], by=by) == "stopping" for row in sql.rows(ACTIVE, owner=owner, kinds=_kinds()))


def forget(owner: str) -> int:
    """Delete every job of the owner that has ended, with all that lives beside it; return how many.

    How many attempts ended stays known, and of whom they were does not.
    """
    tally.count()
    gone, kinds = 0, _kinds()
    while found := len(sql.rows(FORGET, owner=owner, kinds=kinds)):
        gone += found
    return gone


def _kinds() -> list[str]:
    return [row["kind"] for row in sql.rows(KINDS)]
