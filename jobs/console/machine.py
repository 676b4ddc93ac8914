"""A picture of the machine: pools with their seats, the lines in front of them, the workers."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from jobs import sql
from jobs.console import breaker, prospects
from jobs.console.lines import Line, all_lines
from jobs.console.prospects import Next
from jobs.console.workers import Worker, all_workers

POOLS = """
SELECT name, capacity, capacity - jobs_capacity(capacity, reserve) AS reserved,
       extract(epoch FROM gap)::float AS gap_s, paused, paused_by, failures, cardinality(suspects) AS signs, admit,
       coalesce(down_since, closed_at) AS down_since, closed_reason,
       coalesce(closed_until > clock_timestamp(), false) AS closed,
       extract(epoch FROM closed_until - clock_timestamp())::float AS closed_s,
       CASE WHEN admit IS NULL THEN 0
            ELSE extract(epoch FROM clock_timestamp() - coalesce(down_since, closed_at))
       END::float AS down_s
FROM jobs_pool WHERE %(name)s = '' OR name = %(name)s ORDER BY name
"""

SEATS = """
SELECT s.id, s.pool, s.job, s.why, greatest(0, extract(epoch FROM s.free_at - clock_timestamp()))::float AS rests_s,
       j.kind, extract(epoch FROM clock_timestamp() - j.started_at)::float AS since_s
FROM jobs_seat s LEFT JOIN jobs_job j ON j.id = s.job
WHERE (%(name)s = '' OR s.pool = %(name)s) ORDER BY s.pool, s.id
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    id: int
    pool: str
    job: int | None
    kind: str
    state: str  # running, lingering, cooling, free
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    name: str
    capacity: int
    reserved: int  # of the capacity, left to the neighbours now
    gap_s: float
    state: str  # open, paused, closed, recovering
    sentence: str
    down_s: float  # since it closed and was not wholly open again
    seats: tuple[Seat, ...]
    lines: tuple[Line, ...] = ()
    next: Next | None = None
    empties: str = ""
    waited: str = ""

    @property
    def surplus(self) -> int:
        """Seats above the capacity: each goes when it has rested, and until then no claim takes one."""
        return max(0, len(self.seats) - self.capacity + self.reserved)

    @property
    def is_paused(self) -> bool:
        return self.state == "paused"

    @property
    def can_probe(self) -> bool:
        return self.state == "closed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    pools: tuple[Pool, ...]
    poolless: tuple[Line, ...]
    next_poolless: Next | None
    waited_poolless: str
    lanes: str
    workers: tuple[Worker, ...]


def whole() -> Machine:
    lines = all_lines()
    first, waited = prospects.next_of(lines), prospects.waits()
    return Machine(
        pools=tuple(_ahead(pool, first.get(pool.name), waited.get(pool.name, "")) for pool in pools(lines=lines)),
        poolless=tuple(line for line in lines if not line.pool),
        next_poolless=first.get(""),
        waited_poolless=waited.get("", ""),
        lanes=prospects.lanes().sentence,
        workers=all_workers(),
    )


def _ahead(pool: Pool, first: Next | None, waited: str) -> Pool:
    starts = max(0, pool.capacity - pool.reserved) if pool.state == "open" else 0
    empties = prospects.empties_in(pool.lines, seats=starts, gap_s=pool.gap_s)
    return replace(pool, next=first, empties=empties, waited=waited)


def pools(*, name: str = "", lines: tuple[Line, ...] = ()) -> tuple[Pool, ...]:
    """Return all pools, or the one of that name."""
    taken = seats(pool=name)
    return tuple(_pool(row, taken, lines) for row in sql.rows(POOLS, name=name))


def seats(*, pool: str = "") -> tuple[Seat, ...]:
    """Return the seats of all pools, or of one."""
    return tuple(_seat(row) for row in sql.rows(SEATS, name=pool))


def _pool(row: Mapping[str, Any], taken: tuple[Seat, ...], lines: tuple[Line, ...]) -> Pool:
    return Pool(
        name=row["name"],
        capacity=row["capacity"],
        reserved=row["reserved"],
        gap_s=row["gap_s"],
        state=breaker.state(row),
        sentence=breaker.sentence(row) + _left(row["reserved"]),
        down_s=row["down_s"] or 0,
        seats=tuple(seat for seat in taken if seat.pool == row["name"]),
        lines=tuple(line for line in lines if line.pool == row["name"]),
    )


def _left(reserved: int) -> str:
    if not reserved:
        return ""
    return f" It leaves {reserved} seat{'s' if reserved > 1 else ''} to its neighbours at this hour."


def _seat(row: Mapping[str, Any]) -> Seat:
    return Seat(
        id=row["id"],
        pool=row["pool"],
        job=row["job"],
        kind=row["kind"] or "",
        state=breaker.seat_state(row),
        sentence=breaker.seat_sentence(row),
    )
