"""Lanes: one job at a time, in order; the head that cannot run steps aside."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from django.db import transaction

from jobs import api, sql
from jobs.models import Job
from jobs.transitions import control, lanes, pools, sweep
from jobs.transitions.claim import Claimed
from jobs.worker.sweeper import Sweeper
from tests.jobs.rows import end, enqueue, row, status, take, try_claim
from tests.jobs.sessions import aside, in_step, somebody_waits, together
from tests.processes import until

pytestmark = pytest.mark.usefixtures("queue")


def statuses(*tickets):
    return [status(ticket) for ticket in tickets]


def test_the_jobs_of_a_lane_run_one_at_a_time_in_order():
    tickets = enqueue("1", "2", "3", kind="lined")
    for number, ticket in enumerate(tickets):
        assert statuses(*tickets[number:]) == ["ready", *["waiting"] * (2 - number)]
        job = take()
        assert job.id == ticket.id
        assert try_claim() is None
        end(job)


def test_another_lane_goes_on():
    enqueue("1", kind="lined")
    other = enqueue("2", kind="lined", args={"lane": "lane:2"})[0]
    take()
    assert take().id == other.id


@pytest.mark.parametrize(
    ("outcome", "how"),
    [
        ("succeeded", {}),
        ("rejected", {}),
        ("retry", {"after_s": 60}),
        ("snoozed", {"after_s": 60}),
        ("stopped", {}),
        ("down", {}),
    ],
)
def test_however_a_job_ends_the_next_of_its_lane_becomes_the_head(outcome, how):
    _first, second = enqueue("1", "2", kind="lined")
    end(take(), outcome, **how)
    assert status(second) == "ready"


@pytest.mark.parametrize("outcome", ["drained", "crashed"])
def test_a_job_that_was_interrupted_is_its_lanes_head_again(outcome):
    first, second = enqueue("1", "2", kind="lined")
    end(take(), outcome)
    assert statuses(first, second) == ["ready", "waiting"]


def test_a_retried_job_takes_its_turn():
    first, second = enqueue("1", "2", kind="lined")
    end(take(), "rejected")
    api.retry(first.id, by="ana")
    assert statuses(first, second) == ["waiting", "ready"]


def test_a_promoted_job_becomes_the_head():
    first, second = enqueue("1", "2", kind="lined")
    api.promote(second.id, by="staff")
    assert statuses(first, second) == ["waiting", "ready"]


def test_a_promoted_job_waits_for_the_one_that_runs():
    first, second, third = enqueue("1", "2", "3", kind="lined")
    job = take()
    api.promote(third.id, by="staff")
    assert statuses(first, second, third) == ["running", "waiting", "waiting"]
    end(job)
    assert statuses(second, third) == ["waiting", "ready"]


def test_a_stopped_head_gives_its_place_to_the_next():
    first, second = enqueue("1", "2", kind="lined")
    api.stop(first.id, by="ana")
    assert status(second) == "ready"


# paused


def test_a_paused_lane_starts_nothing_and_lets_a_running_job_end():
    first, second = enqueue("1", "2", kind="lined")
    job = take()
    lanes.pause("lane:1", by="ana", paused=True)
    assert status(first) == "running"
    end(job)
    assert status(second) == "waiting"
    lanes.pause("lane:1", by="ana", paused=False)
    assert status(second) == "ready"


def test_pausing_takes_the_head_back():
    ticket = enqueue("1", kind="lined")[0]
    lanes.pause("lane:1", by="ana", paused=True)
    assert status(ticket) == "waiting"
    assert try_claim() is None


# a head that waits for its pool


def test_a_head_behind_a_closed_pool_gives_way_to_a_job_without_one():
    pooled = enqueue("1", kind="both")[0]
    pools.down("gateway", job=1, started_at=row(pooled).created_at, reason="", hard=True)
    plain = enqueue("2", kind="lined")[0]
    assert statuses(pooled, plain) == ["waiting", "ready"]


def test_the_sweep_moves_a_head_whose_pool_closed_while_others_waited():
    head, other = enqueue("1", "2", kind="both")
    Job.objects.filter(pk=other.id).update(pool="wide")
    lanes.place("lane:1")
    assert statuses(head, other) == ["ready", "waiting"]
    pools.down("gateway", job=1, started_at=row(head).created_at, reason="", hard=True)
    sweep.thorough(["both"])
    assert statuses(head, other) == ["waiting", "ready"]


def test_lanes_that_must_wait_keep_no_other_from_the_sweep():
    """Of each sort as many as a round takes: in the former a closed pool is all that anybody waits for."""
    for n in range(5):
        enqueue(f"{n}a", f"{n}b", kind="both", args={"lane": f"closed:{n}"})
    pairs = [enqueue(f"{n}c", f"{n}d", kind="both", args={"lane": f"mixed:{n}"}) for n in range(5)]
    pools.down("gateway", job=1, started_at=row(pairs[0][0]).created_at, reason="", hard=True)
    Job.objects.filter(pk__in=[other.id for _head, other in pairs]).update(pool="")
    sweep.thorough(["both"], most=5)
    assert [statuses(*pair) for pair in pairs] == [["waiting", "ready"]] * 5


def test_a_job_without_a_pool_goes_before_one_that_must_wait_for_a_seat():
    pooled, plain = enqueue("1", kind="both")[0], enqueue("2", kind="lined")[0]
    assert statuses(pooled, plain) == ["waiting", "ready"]


def test_a_band_goes_before_a_preference():
    plain, pooled = enqueue("2", kind="lined")[0], enqueue("1", kind="both")[0]
    api.promote(pooled.id, by="staff")
    assert statuses(plain, pooled) == ["waiting", "ready"]


# lost on the way


def test_the_sweep_finds_a_lane_without_a_head():
    ticket = enqueue("1", kind="lined")[0]
    Job.objects.filter(pk=ticket.id).update(status="waiting")
    sweep.quick()
    assert status(ticket) == "ready"


def test_of_very_many_lanes_each_round_looks_at_some():
    tickets = [enqueue(lane, kind="lined", args={"lane": lane})[0] for lane in "abc"]
    Job.objects.update(status="waiting")
    assert sweep.quick(most=2) == "b"
    assert statuses(*tickets) == ["ready", "ready", "waiting"]
    assert sweep.quick("b", most=2) == ""
    assert statuses(*tickets) == ["ready"] * 3


def test_the_next_round_goes_on_where_the_last_one_stopped(monkeypatch):
    begun: list[str] = []
    monkeypatch.setattr(sweep, "take_turn", lambda name, **_: name == "quick")
    monkeypatch.setattr(sweep, "quick", lambda after: begun.append(after) or "b")
    sweeper = Sweeper([])
    sweeper.once()
    sweeper.once()
    assert begun == ["", "b"]


def test_the_sweep_leaves_a_paused_lane_alone(monkeypatch):
    enqueue("1", kind="lined")
    lanes.pause("lane:1", by="ana", paused=True)
    placed = []
    monkeypatch.setattr(lanes, "place", placed.append)
    sweep.quick()
    assert placed == []


def test_the_sweep_places_what_has_become_due():
    ticket = enqueue("1", kind="lined", run_at=row(enqueue("x")[0]).created_at.replace(year=2040))[0]
    assert ticket.status == "scheduled"
    Job.objects.filter(pk=ticket.id).update(run_at="2020-01-01T00:00Z")
    sweep.quick()
    assert status(ticket) == "ready"


# races


def test_placing_and_claiming_at_once_never_break_the_lane():
    """Two look-ups instead of one let a claim in between, and the unique index broke."""
    pairs = [enqueue(f"{n}a", f"{n}b", kind="lined", args={"lane": f"lane:{n}"}) for n in range(20)]
    Job.objects.filter(pk__in=[high.id for _, high in pairs]).update(band=0)
    places = [partial(lanes.place, f"lane:{n}") for n in range(20)]
    claims = [try_claim] * 20
    found = [job for round_ in in_step(claims, places, claims, places) for job in round_ if isinstance(job, Claimed)]
    assert len({job.lane for job in found}) == len(found)
    for low, high in pairs:
        assert sorted(statuses(low, high)) in (["ready", "waiting"], ["running", "waiting"])


@pytest.fixture
def patient():
    """Placing waits for a row as long as it takes."""
    sql.run("ALTER FUNCTION jobs_place(text) SET lock_timeout = '20s'")
    yield
    sql.run("ALTER FUNCTION jobs_place(text) SET lock_timeout = '200ms'")


def test_a_head_that_is_claimed_at_the_moment_it_has_to_step_back_stays_the_only_one(patient):
    first, second = enqueue("1", "2", kind="lined")
    Job.objects.filter(pk=second.id).update(band=0)
    with ThreadPoolExecutor(1) as thread:
        with transaction.atomic():
            assert take("lined").id == first.id
            placed = thread.submit(aside, partial(lanes.place, "lane:1"))
            until(somebody_waits, seconds=3, what="placing waits for the head")
        placed.result(10)
    assert statuses(first, second) == ["running", "waiting"]


def test_promotions_that_race_with_claims_and_ends_lose_nothing():
    tickets = enqueue(*map(str, range(24)), kind="lined")

    def work():
        for _ in range(40):
            job = try_claim()
            if isinstance(job, Claimed):
                end(job)

    def promote():
        for ticket in reversed(tickets):
            control.promote(ticket.id, by="staff")

    together(work, promote, work)
    while isinstance(job := try_claim(), Claimed):
        end(job)
    assert {status(ticket) for ticket in tickets} == {"succeeded"}


def test_placing_waits_for_nobody_who_holds_the_lane():
    with api.hold("lane:1", "test-edit"):
        aside(partial(lanes.place, "lane:1"))
        aside(sweep.quick)


def test_placing_after_the_callers_transaction_does_not_lock_its_lane():
    """Inside, the lane would be locked after a job, and two such transactions deadlock."""
    first, second = enqueue("1", "2", kind="lined")
    with transaction.atomic():
        assert api.stop(first.id, by="ana") == "cancelled"
        aside(partial(sql.rows, "SELECT 1 FROM jobs_lane WHERE key = 'lane:1' FOR UPDATE NOWAIT"))
    assert status(second) == "ready"
