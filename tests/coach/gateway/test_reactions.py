"""Each row of the classification table, over a real socket and through the queue: job, pool, seat and lane.

The gateway's own log says how many calls came; the database says the rest.
"""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.db.models.functions import Now

from coach.trial import TrialGateway
from jobs import api, testing
from jobs.models import Attempt, Job, Pool, Seat
from tests.chaos.sessions import pids
from tests.coach.gateway.signals import Again, Bad, Config, Down, error, status
from tests.coach.gateway.table import CASES, TABLE, Case
from tests.jobs.conftest import queue, transactional_db  # noqa: F401  (fixtures)
from tests.processes import until

pytestmark = pytest.mark.usefixtures("queue")

# What each outcome makes of the job: its status, attempts and downs; and how long its pool is closed, when it is.
JOB = {
    Down: ("scheduled", 0, 1),
    Config: ("scheduled", 0, 1),
    Again: ("scheduled", 1, 0),
    Bad: ("failed", 0, 0),
    ConnectionError: ("scheduled", 0, 1),
    None: ("succeeded", 0, 0),
}
CLOSED_S = {Down: 30, Config: 1800}
ATTEMPT = {
    Down: "down",
    Config: "misconfigured",
    Again: "retry",
    Bad: "rejected",
    ConnectionError: "down",
    None: "succeeded",
}


@pytest.fixture
def meet(upstream: TrialGateway, settings: Any, pointed: Callable[..., None], monkeypatch: Any) -> Callable[..., Job]:
    """Have a job meet the signal of a case; return it as it is afterwards."""

    def run(case: Case) -> Job:
        Pool.objects.filter(pk="gateway").update(gap=f"{case.gap_s} s")
        for name, value in case.patch.items():
            monkeypatch.setattr(name, value)
        ticket = api.enqueue("asks", "ana", "1", args={"lane": "source:1", **case.args})
        if case.world is None:
            settings.GATEWAY = {**settings.GATEWAY, **case.settings}
            upstream.script([case.turn])
            testing.run_due()
        else:
            with case.world() as fields:
                pointed(**{**fields, **case.settings})
                testing.run_due()
        return Job.objects.get(pk=ticket.id)

    return run


def seconds(moment: Any, since: Any) -> float:
    return float((moment - since).total_seconds())


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_a_signal_has_its_reaction(meet: Callable[..., Job], upstream: TrialGateway, case: Case) -> None:
    job = meet(case)
    attempt = Attempt.objects.get(job=job.pk)
    # The job
    assert (job.status, job.attempts, job.downs) == JOB[case.outcome]  # type: ignore[index]
    assert attempt.outcome == ATTEMPT[case.outcome]  # type: ignore[index]
    assert case.says in attempt.error
    # Its pool
    pool = Pool.objects.get(pk="gateway")
    closes = case.hard or case.outcome is Config
    assert (pool.closed_until is not None) is closes
    if pool.closed_until is not None and pool.closed_at is not None:
        wanted = case.wait_s or CLOSED_S[case.outcome]  # type: ignore[index]
        spread = (1, 1.25 * 1.25) if case.wait_s else (0.75, 1.25)
        assert spread[0] * wanted <= seconds(pool.closed_until, pool.closed_at) + 0.1 <= spread[1] * wanted + 0.2
        assert job.run_at is not None
        assert job.run_at >= pool.closed_until
    # Its seat
    seat = Seat.objects.get(pool="gateway")
    rests = (65 if case.lingers and not case.spoke else 10 if case.lingers else 5) - 5
    assert seat.job is None
    assert seat.why == ("lingering" if case.lingers else "gap" if case.seated else "")
    if case.seated:
        assert -3 < seconds(seat.free_at, attempt.ended_at) - (case.gap_s + rests) <= 0.1
    # What the upstream saw
    if case.world is None:
        assert [call["job"] for call in upstream.log()] == [str(job.pk)] * case.calls


def test_every_signal_stands_in_a_row_once() -> None:
    names = [case.name for case in CASES]
    assert len(names) == len(set(names))
    assert all(TABLE.values())


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.world is None and case.gap_s > 1], ids=lambda case: case.name
)
def test_only_an_open_pool_lets_the_next_call_through(
    meet: Callable[..., Job], upstream: TrialGateway, case: Case
) -> None:
    """And never before the seat has rested: until then the gateway sees no call of whoever is next."""
    meet(case)
    api.enqueue("asks", "ben", "2", args={"lane": "source:2"})
    seen = len(upstream.log())
    testing.run_due()
    assert len(upstream.log()) == seen + (not case.seated)
    Seat.objects.update(free_at=Now())
    testing.run_due()
    closed = case.hard or case.outcome is Config
    assert len(upstream.log()) == seen + (not closed)


@pytest.mark.parametrize("case", CASES[::7], ids=lambda case: case.name)
def test_the_lane_is_free_for_the_next(meet: Callable[..., Job], case: Case) -> None:
    behind = api.enqueue("lined", "ana", "behind", args={"lane": "source:1"})
    meet(case)
    testing.run_due()
    assert Job.objects.get(pk=behind.id).status == "succeeded"


# What only several in a row say


SERIES: list[tuple[str, Any, int]] = [
    ("502", status(502, "<html>"), 2),
    ("504", status(504, "<html>"), 2),
    ("closed before headers", "close", 2),
    ("a web page", "html", 2),
    ("silence before headers", {"do": "stall_headers", "seconds": 2}, 2),
    ("500", status(500, error("boom")), 3),
    ("501", status(501), 3),
    ("silence in the body", {"do": "stall_body", "seconds": 2}, 0),
    ("cut chunk", "cut_chunk", 0),
    ("408", status(408), 0),
    ("400", status(400, error("no")), 0),
]


def one_after_another(turn: Any, count: int, upstream: TrialGateway, *, subject: str = "") -> list[bool]:
    """Have so many jobs meet it, each with a free seat; say after each whether the pool is closed."""
    closed = []
    for number in range(count):
        upstream.script([turn])
        api.enqueue("asks", f"o{number}", subject or str(number), args={"timeout": 5})
        testing.run_due()
        Seat.objects.update(free_at=Now())
        closed.append(Pool.objects.get(pk="gateway").closed_until is not None)
    return closed


@pytest.mark.parametrize(("turn", "needed"), [row[1:] for row in SERIES], ids=[row[0] for row in SERIES])
def test_so_many_different_jobs_in_a_row_close_the_pool(
    upstream: TrialGateway, settings: Any, turn: Any, needed: int
) -> None:
    settings.GATEWAY["idle_seconds"] = 0.2
    count = needed or 4
    assert one_after_another(turn, count, upstream) == [False] * (count - 1) + [bool(needed)]
    assert len(upstream.log()) == count


def test_an_answer_between_begins_the_count_anew(upstream: TrialGateway) -> None:
    turns = [status(500), status(500), "answer", status(500), status(500)]
    closed = []
    for number, turn in enumerate(turns):
        upstream.script([turn])
        api.enqueue("asks", f"o{number}", "1")
        testing.run_due()
        Seat.objects.update(free_at=Now())
        closed.append(Pool.objects.get(pk="gateway").closed_until is not None)
    assert closed == [False] * 5


def test_one_job_alone_closes_nothing_with_soft_signs(upstream: TrialGateway) -> None:
    upstream.script([{**status(500), "times": 3}])
    api.enqueue("asks", "ana", "1")
    for _attempt in range(3):
        testing.run_due()
        Seat.objects.update(free_at=Now())
        Job.objects.filter(status="scheduled").update(status="ready", run_at=None)
    assert Job.objects.get().status == "failed"
    assert Pool.objects.get(pk="gateway").closed_until is None
    assert len(upstream.log()) == 3


def test_no_session_of_the_database_is_held_during_a_call(upstream: TrialGateway) -> None:
    """A call lasts minutes: it needs neither a connection nor a transaction meanwhile."""
    held: list[int] = []

    def look() -> None:
        until(lambda: bool(upstream.log()), what="the call arrives")
        held.append(len(pids()))
        connection.close()

    upstream.script([{"do": "answer", "delay_s": 2}])
    looking = threading.Thread(target=look)
    looking.start()
    ticket = api.enqueue("asks", "ana", "1")
    testing.run_due()
    looking.join()
    assert Job.objects.get(pk=ticket.id).status == "succeeded"
    assert held == [0]
