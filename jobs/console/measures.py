"""What a monitor reads of the queue: gauges by name and labels, cheap on tables of millions."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from jobs import sql
from jobs.console import machine, prospects
from jobs.transitions import invariants

SEAT_STATES = ("running", "lingering", "cooling", "free")
WORKER_STATES = ("working", "draining", "silent")

ENDED = """
SELECT kind, outcome, count(*) AS number FROM jobs_attempt
WHERE ended_at > clock_timestamp() - interval '5 minutes' GROUP BY kind, outcome ORDER BY kind, outcome
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gauge:
    """A number by its labels; `help` says what it is and in which unit."""

    name: str
    help: str
    values: tuple[tuple[Mapping[str, str], float], ...]


def gauges() -> list[Gauge]:
    whole = machine.whole()
    return [*_pools(whole), *_lines(whole), *_workers(whole), *_waits(), _ended(), _rules()]


def _gauge(name: str, told: str, *values: tuple[Mapping[str, str], float]) -> Gauge:
    return Gauge(name=f"jobs_{name}", help=told, values=values)


def _pools(whole: machine.Machine) -> Iterator[Gauge]:
    pools = whole.pools
    yield _gauge("pool_capacity", "Calls a pool may carry at once.", *[({"pool": p.name}, p.capacity) for p in pools])
    yield _gauge(
        "pool_open",
        "1 while jobs of the pool may start; 0 while it is paused or closed.",
        *[({"pool": p.name}, p.state in ("open", "recovering")) for p in pools],
    )
    yield _gauge(
        "pool_paused", "1 while staff pause the pool.", *[({"pool": p.name}, p.state == "paused") for p in pools]
    )
    yield _gauge(
        "pool_down_seconds",
        "Seconds since the pool closed, through all that was tried since; 0 when it is wholly open.",
        *[({"pool": p.name}, round(p.down_s, 1)) for p in pools],
    )
    yield _gauge(
        "pool_seats",
        "Seats of a pool by their state.",
        *[
            ({"pool": p.name, "state": state}, sum(seat.state == state for seat in p.seats))
            for p in pools
            for state in SEAT_STATES
        ],
    )


def _lines(whole: machine.Machine) -> Iterator[Gauge]:
    lines = [*whole.poolless, *(line for pool in whole.pools for line in pool.lines)]
    by = [({"pool": line.pool, "kind": line.kind}, line) for line in lines]
    told = "Jobs in line by pool and kind, counted up to a thousand."
    yield _gauge("queued", told, *[(names, line.queued) for names, line in by])
    yield _gauge("running", "Jobs that run.", *[(names, line.running) for names, line in by])


def _workers(whole: machine.Machine) -> Iterator[Gauge]:
    by_state = {state: [worker for worker in whole.workers if worker.state == state] for state in WORKER_STATES}
    yield _gauge("workers", "Workers by their state.", *[({"state": s}, len(found)) for s, found in by_state.items()])
    slots = sum(worker.slots for worker in by_state["working"])
    yield _gauge("slots", "Slots of the workers that claim.", ({}, slots))
    yield _gauge("slots_busy", "Slots that run a job.", ({}, sum(worker.busy for worker in whole.workers)))


def _waits() -> Iterator[Gauge]:
    rows = sql.rows(prospects.WAITS)
    told = "Seconds that the job in front has waited while somebody looks at it."
    yield _gauge("watched_wait_seconds", told, *[({"pool": row["pool"]}, row["watched_s"] or 0) for row in rows])
    told = "Seconds that the job has waited which has waited longest, of those that nobody looks at."
    yield _gauge("wait_seconds", told, *[({"pool": row["pool"]}, row["others_s"] or 0) for row in rows])


def _ended() -> Gauge:
    told = "Attempts that ended in the last five minutes."
    rows = sql.rows(ENDED)
    return _gauge("ended_5m", told, *[({"kind": r["kind"], "outcome": r["outcome"]}, r["number"]) for r in rows])


def _rules() -> Gauge:
    told = "1 for each rule of the queue that is broken now."
    return _gauge("rule_broken", told, *[({"rule": v.rule.name}, 1) for v in invariants.violations(deep=False)])
