"""Real workers against a real gateway: what the gateway's own log saw decides, not our database."""

import signal
from itertools import pairwise

import pytest

from coach.trial import TrialGateway
from jobs import api, testing
from jobs.models import Attempt, Job, Pool, Seat
from jobs.transitions import pools
from tests.processes import until

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def gateway():
    with TrialGateway(delay_s=0.05) as running:
        yield running


def enqueue(gateway, number, **args):
    return api.enqueue("calls", f"owner:{number % 3}", str(number), args={"url": gateway.url, **args})


def gaps(log):
    """Return the seconds from the end of each call to the start of the next one."""
    calls = sorted(log, key=lambda call: call["started"])
    return [after["started"] - before["ended"] for before, after in pairwise(calls)]


def in_flight(log):
    """Return how many calls were in flight at once, at most."""
    moments = sorted([(call["started"], 1) for call in log] + [(call["ended"], -1) for call in log])
    most = now = 0
    for _, step in moments:
        now += step
        most = max(most, now)
    return most


def test_two_workers_keep_one_seat_and_its_gap(start_worker, gateway):
    pools.change("gateway", by="test", capacity=1, gap_s=0.4)
    tickets = [enqueue(gateway, number) for number in range(12)]
    start_worker(slots=2)
    start_worker(slots=2)
    for ticket in tickets:
        assert testing.wait(ticket.id, seconds=40).status == "succeeded"
    log = gateway.log()
    assert len(log) == 12
    assert in_flight(log) == 1
    assert min(gaps(log)) >= 0.4


@pytest.mark.full
def test_thirty_jobs_of_two_workers_keep_a_gap_of_two_seconds(start_worker, gateway):
    pools.change("gateway", by="test", capacity=1, gap_s=2)
    tickets = [enqueue(gateway, number) for number in range(30)]
    start_worker(slots=2)
    start_worker(slots=2)
    for ticket in tickets:
        assert testing.wait(ticket.id, seconds=120).status == "succeeded"
    assert in_flight(gateway.log()) == 1
    assert min(gaps(gateway.log())) >= 2


def test_a_killed_worker_leaves_no_second_call_beside_the_first(start_worker):
    """The call of a killed process may go on up there, so its seat lingers until the call must have ended."""
    with TrialGateway(delay_s=6) as gateway:
        ticket = enqueue(gateway, 1, timeout=8)
        first = start_worker()
        until(lambda: gateway.log(), what="the call arrives")
        first.kill()
        second = start_worker()
        assert testing.wait(ticket.id, seconds=60).status == "succeeded"
        assert "job.rescued" in second.log
        assert in_flight(gateway.log()) == 1
        first_call, last_call = gateway.log()[0], gateway.log()[-1]
        assert last_call["started"] - first_call["started"] >= 8
    assert list(Attempt.objects.order_by("number").values_list("outcome", flat=True)) == ["crashed", "succeeded"]


def test_a_stop_hangs_up_at_once_and_the_seat_lingers(start_worker):
    with TrialGateway(delay_s=30) as gateway:
        start_worker()
        ticket = enqueue(gateway, 1)
        until(lambda: gateway.log(), what="the call arrives")
        assert api.stop(ticket.id, by="ana") == "stopping"
        assert testing.wait(ticket.id, seconds=2).status == "cancelled"
        seat = Seat.objects.get(pool="gateway")
        ended = Job.objects.get(pk=ticket.id).ended_at
        assert seat.why == "lingering"
        assert 55 < (seat.free_at - ended).total_seconds() < 65  # nothing of the answer had come


def test_an_outage_spends_no_attempt_and_ends_by_itself(start_worker, gateway):
    gateway.script([{"do": "status", "status": 503, "times": 1}])
    tickets = [enqueue(gateway, number) for number in range(4)]
    start_worker(slots=2, env={"TEST_DOWN_SECONDS": "1"})
    for ticket in tickets:
        assert testing.wait(ticket.id, seconds=30).status == "succeeded"
    assert set(Job.objects.values_list("attempts", flat=True)) == {0}
    assert Attempt.objects.filter(outcome="down").count() == 1
    assert not Pool.objects.get(pk="gateway").failures


def test_capacity_changes_under_load_are_kept(start_worker, gateway):
    gateway.delay_s = 0.3
    pools.change("gateway", by="test", capacity=3)
    first = [enqueue(gateway, number) for number in range(8)]
    start_worker(slots=4)
    start_worker(slots=2)
    until(lambda: gateway.stats()["max_in_flight"] == 3, what="three calls at once")
    pools.change("gateway", by="test", capacity=1)
    until(lambda: Seat.objects.filter(pool="gateway").count() == 1, what="the spare seats are gone")
    shrunk = len(gateway.log())
    for ticket in first:
        testing.wait(ticket.id, seconds=30)
    later = sorted(gateway.log(), key=lambda call: call["started"])[shrunk:]
    assert later
    assert in_flight(later) == 1


def test_the_job_of_an_opened_screen_is_the_next_to_start(start_worker, gateway):
    gateway.delay_s = 0.5
    waiting = [enqueue(gateway, number) for number in range(20)]
    start_worker()
    until(lambda: gateway.log(), what="the first call")
    opened = api.enqueue("calls", "ben", "screen", args={"url": gateway.url}, priority=api.INTERACTIVE, watch="7")
    seen = len(gateway.log())
    testing.wait(opened.id)
    order = [call["job"] for call in sorted(gateway.log(), key=lambda call: call["started"])]
    assert order.index(str(opened.id)) <= seen
    for ticket in waiting:
        api.stop(ticket.id, by="test")


def test_a_deploy_replaces_workers_without_losing_or_repeating_work(start_worker, gateway):
    gateway.delay_s = 0.1
    tickets = [enqueue(gateway, number) for number in range(20)]
    first = start_worker(slots=2)
    until(lambda: len(gateway.log()) > 3)
    first.signal(signal.SIGTERM)
    start_worker(slots=2)
    assert first.wait() == 0
    for ticket in tickets:
        assert testing.wait(ticket.id, seconds=40).status == "succeeded"
    assert sorted(call["job"] for call in gateway.log()) == sorted(str(ticket.id) for ticket in tickets)
    assert not Job.objects.filter(attempts__gt=0).exists()


def test_a_poison_job_fails_alone_and_costs_the_others_nothing(start_worker, gateway):
    """It kills its call each time while others are answered: from the third time on that is its own fault."""
    poison = enqueue(gateway, 0, soft=True)
    gateway.script([{"do": "reset", "match": str(poison.id), "times": -1}])
    start_worker(env={"TEST_DOWN_SECONDS": "0.3", "AI_JOB_MAX_ATTEMPTS": "1"})
    others = [enqueue(gateway, number, soft=True) for number in range(1, 4)]
    for ticket in others:
        assert testing.wait(ticket.id, seconds=30).status == "succeeded"
    assert testing.wait(poison.id, seconds=40).status == "failed"
    assert Job.objects.get(pk=poison.id).downs == 3
    assert not Job.objects.filter(pk__in=[ticket.id for ticket in others], attempts__gt=0).exists()
