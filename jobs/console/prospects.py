"""What comes next: the job that each pool starts next and why, how long its line takes, and the lanes that wait."""

from collections.abc import Sequence
from dataclasses import dataclass

from jobs import sql
from jobs.console import words
from jobs.console.lines import COUNTED, Line
from jobs.ticket import usual_of

# The first ready job of each pool, of the kinds that stand in its line.
NEXT = """
SELECT DISTINCT ON (head.pool) head.* FROM unnest(%(pools)s::text[], %(kinds)s::text[]) l(pool, kind)
CROSS JOIN LATERAL (
    SELECT id, pool, kind, band, turn, promoted FROM jobs_job
    WHERE status = 'ready' AND pool = l.pool AND kind = l.kind ORDER BY band, turn, id LIMIT 1) head
ORDER BY head.pool, head.band, head.turn, head.id
"""

# Lanes in which somebody waits, found by leaping through an index and counted up to a bound.
LANES = """
WITH RECURSIVE w(lane, n) AS (
    (SELECT lane, 1 FROM jobs_job WHERE status = 'waiting' ORDER BY lane LIMIT 1)
    UNION ALL
    SELECT (SELECT j.lane FROM jobs_job j WHERE j.status = 'waiting' AND j.lane > w.lane ORDER BY j.lane LIMIT 1), n + 1
    FROM w WHERE w.lane IS NOT NULL AND n <= %(most)s
)
SELECT count(*) FILTER (WHERE w.lane IS NOT NULL) AS waiting, count(*) FILTER (WHERE l.paused) AS paused,
       count(*) FILTER (WHERE l.held_until > clock_timestamp()) AS held
FROM w LEFT JOIN jobs_lane l ON l.key = w.lane
"""

# How long the job has waited that has waited longest, of those that somebody looks at and of the others; by an index.
WAITS = """
SELECT p.name AS pool, extract(epoch FROM clock_timestamp() - (
    SELECT min(j.turn) FROM jobs_job j
    WHERE j.pool = p.name AND j.band = 0 AND j.status IN ('scheduled', 'waiting', 'ready') AND j.promoted <> ''
))::float AS watched_s, extract(epoch FROM clock_timestamp() - (
    SELECT j.queued_at FROM jobs_job j
    WHERE j.pool = p.name AND j.band = 1 AND j.status IN ('waiting', 'ready') ORDER BY j.queued_at LIMIT 1
))::float AS others_s
FROM (SELECT name FROM jobs_pool UNION SELECT '') p ORDER BY p.name
"""

WHY = {
    "watch": "somebody has a screen open on it",
    "staff": "staff promoted it",
    "now": "staff want it to run now",
    "patience": "it had waited too long",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Next:
    job: int
    kind: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Lanes:
    waiting: int
    paused: int
    held: int

    @property
    def sentence(self) -> str:
        if not self.waiting:
            return "In no lane does a job wait for another."
        many = (
            f"Over {COUNTED:,} lanes" if self.waiting > COUNTED else f"{self.waiting:,} lane{'s'[: self.waiting != 1]}"
        )
        said = [f"{self.paused:,} of them paused"] if self.paused else []
        said += [f"{self.held:,} held by an edit"] if self.held else []
        return f"{many} in which jobs wait their turn{''.join(f', {one}' for one in said)}."


def next_of(lines: Sequence[Line]) -> dict[str, Next]:
    """Return the job that each pool starts next, by pool; "" are those without one."""
    rows = sql.rows(NEXT, pools=[line.pool for line in lines], kinds=[line.kind for line in lines])
    return {row["pool"]: Next(job=row["id"], kind=row["kind"], why=_why(row["band"], row["promoted"])) for row in rows}


def _why(band: int, promoted: str) -> str:
    return WHY.get(promoted, "it comes first") if band == 0 else "its turn comes first"


def waits() -> dict[str, str]:
    """Return for how long the job has waited that has waited longest, by pool, as a sentence."""
    longest = {row["pool"]: max(row["watched_s"] or 0, row["others_s"] or 0) for row in sql.rows(WAITS)}
    return {pool: f"The longest wait so far is {words.lasting(s)}." for pool, s in longest.items() if s}


def lanes() -> Lanes:
    return Lanes(**(sql.row(LANES, most=COUNTED) or {}))


def empties_in(lines: Sequence[Line], *, seats: int, gap_s: float) -> str:
    """Say how long a line of calls takes, by what its kinds took lately; nothing where that was never measured."""
    queued = [line for line in lines if line.queued]
    known = usual_of([line.kind for line in queued])
    if not queued or not seats or any(line.kind not in known for line in queued):
        return ""
    least, most = (sum(line.queued * (known[line.kind][end] + gap_s) for line in queued) / seats for end in (0, 1))
    if any(line.queued > COUNTED for line in queued):
        return f"Empty in over {words.lasting(least)}."
    low, high = words.lasting(least), words.lasting(most)
    return f"Empty in about {low}." if low == high else f"Empty in about {low} to {high}."
