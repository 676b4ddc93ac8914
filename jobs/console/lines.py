"""The lines in front of the pools, by kind."""

from dataclasses import dataclass

from jobs import sql
from jobs.registry import KINDS

COUNTED = 1000  # a line is counted up to here: beyond, "over 1,000" is all that anybody needs

# The kinds that have active jobs, found by leaping through an index, then each kind's line up to a bound. Without
# its order, which is the index's, the line is sought in the whole table.
LINES = """
WITH RECURSIVE known AS (
    (SELECT kind FROM jobs_job WHERE status IN ('scheduled', 'waiting', 'ready', 'running') ORDER BY kind LIMIT 1)
    UNION ALL
    SELECT (SELECT j.kind FROM jobs_job j WHERE j.status IN ('scheduled', 'waiting', 'ready', 'running')
            AND j.kind > known.kind ORDER BY j.kind LIMIT 1)
    FROM known WHERE known.kind IS NOT NULL
)
SELECT known.kind, line.pool, count(*) FILTER (WHERE line.status <> 'running') AS queued, 0 AS running
FROM known CROSS JOIN LATERAL (
    SELECT pool, status FROM jobs_job
    WHERE kind = known.kind AND status IN ('scheduled', 'waiting', 'ready', 'running')
    ORDER BY owner, subject LIMIT %(most)s + 1
) line WHERE known.kind IS NOT NULL GROUP BY known.kind, line.pool
UNION ALL
SELECT kind, pool, 0, count(*) FROM jobs_job WHERE status = 'running' GROUP BY kind, pool
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """The queued and running jobs of a kind in a pool. `queued` is counted up to a bound."""

    kind: str
    label: str
    pool: str
    queued: int
    running: int
    known: bool  # False: no handler of this name is registered here

    @property
    def depth(self) -> str:
        return f"over {COUNTED:,}" if self.queued > COUNTED else f"{self.queued:,}"


def all_lines() -> tuple[Line, ...]:
    found: dict[tuple[str, str], tuple[int, int]] = {}
    for row in sql.rows(LINES, most=COUNTED):
        queued, running = found.get((row["kind"], row["pool"]), (0, 0))
        found[row["kind"], row["pool"]] = queued + row["queued"], running + row["running"]
    return tuple(_line(kind, pool, *counts) for (kind, pool), counts in sorted(found.items()))


def _line(kind: str, pool: str, queued: int, running: int) -> Line:
    known = kind in KINDS
    label = KINDS[kind].label if known else kind
    return Line(kind=kind, label=label, pool=pool, queued=queued, running=running, known=known)
