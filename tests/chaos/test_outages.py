"""Outages, floods and long jobs against a real gateway: what its own log saw decides."""

import pytest

from coach.trial import TrialGateway
from jobs import api, testing
from jobs.models import Attempt, Idle, Item, Job, Pool
from jobs.transitions import pools
from tests.jobs.test_upstream import in_flight
from tests.processes import until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.full]

SOON = {"TEST_DOWN_SECONDS": "0.3"}
LOADING = '{"error": {"message": "Loading model", "type": "unavailable_error", "code": 503}}'


@pytest.fixture
def gateway():
    with TrialGateway(delay_s=0.05) as running:
        yield running


def enqueue(gateway, number, owner="ana", **more):
    return api.enqueue("calls", owner, str(number), args={"url": gateway.url}, **more)


def finish(tickets, seconds=60):
    for ticket in tickets:
        assert testing.wait(ticket.id, seconds=seconds).status == "succeeded"


def started(log):
    return [call["job"] for call in sorted(log, key=lambda call: call["started"])]


def test_an_outage_costs_one_call_a_probe_and_no_attempt(start_worker, gateway):
    """Five answers of an upstream that is away, then it is back: every job is written, none has spent anything."""
    loading = {"do": "status", "status": 503, "body": LOADING, "times": 3}
    gateway.script([loading, {"do": "html", "status": 502, "times": 2}])
    tickets = [enqueue(gateway, number) for number in range(12)]
    start_worker(slots=2, env=SOON)
    start_worker(slots=2, env=SOON)
    finish(tickets, seconds=120)
    assert len(gateway.log()) == 12 + 5
    assert in_flight(gateway.log()) == 1
    assert set(Job.objects.values_list("attempts", flat=True)) == {0}
    assert Attempt.objects.filter(outcome="down").count() == 5


def test_ten_minutes_of_refusals_and_bad_gateways_cost_one_call_a_probe_and_no_attempt(start_worker, gateway):
    """A hundred times faster: first nothing listens, then a proxy does that reaches nobody."""
    pools.change("gateway", by="test", capacity=3)
    workers = [start_worker(slots=3, env=SOON), start_worker(slots=3, env=SOON)]
    until(lambda: Idle.objects.count() == 6, seconds=60, what="all slots sleep")
    gateway.script([{"do": "refuse", "seconds": 3}])
    tickets = [enqueue(gateway, number, owner=f"o{number % 4}") for number in range(20)]
    until(lambda: Attempt.objects.filter(outcome="down").count() >= 2, what="it is refused")
    assert gateway.log() == []
    gateway.script([{"do": "html", "status": 502, "times": -1}])
    until(lambda: len(gateway.log()) >= 3, seconds=40, what="the proxy is asked")
    gateway.turns.clear()
    finish(tickets, seconds=120)
    closings = sum(worker.log.count("pool.closed") for worker in workers)
    failed = Attempt.objects.filter(outcome="down").count()
    # Up to three were let in before the first sign; from then on one for each closing.
    assert failed <= closings + 2
    assert len(gateway.log()) <= 20 + failed
    assert set(Job.objects.values_list("attempts", flat=True)) == {0}
    assert in_flight(gateway.log()) <= 3
    assert Pool.objects.get(pk="gateway").admit is None


def test_an_upstream_that_flaps_is_tried_step_by_step(start_worker, gateway):
    pools.change("gateway", by="test", capacity=4)
    away = {"do": "status", "status": 503, "body": LOADING}
    gateway.script([away, {"do": "answer"}, away, {"do": "answer"}, away])
    tickets = [enqueue(gateway, number) for number in range(12)]
    start_worker(slots=6, env=SOON)
    finish(tickets, seconds=120)
    assert set(Job.objects.values_list("attempts", flat=True)) == {0}
    assert in_flight(gateway.log()) <= 4
    assert Pool.objects.get(pk="gateway").admit is None


def test_a_retry_after_of_two_hours_parks_the_pool_once(start_worker, gateway):
    gateway.script([{"do": "status", "status": 429, "headers": {"Retry-After": "7200"}, "times": -1}])
    for number in range(10):
        api.enqueue("asks_later", f"o{number}", "1", args={"url": gateway.url})
    start_worker(slots=3, env=SOON)
    until(lambda: Pool.objects.get(pk="gateway").closed_until, what="the pool is closed")
    waits = Pool.objects.get(pk="gateway")
    assert 7200 <= (waits.closed_until - waits.closed_at).total_seconds() <= 9000
    other = api.enqueue("plain", "ana", "1")
    testing.wait(other.id)
    assert len(gateway.log()) == 1
    assert Job.objects.filter(kind="asks_later", status="ready").count() == 9
    assert not Job.objects.filter(attempts__gt=0).exists()


def test_a_call_longer_than_the_lease_is_made_once(start_worker):
    lease = {"TEST_SELF_KILL_SECONDS": "2", "TEST_RESCUE_SECONDS": "3"}
    with TrialGateway(delay_s=10) as gateway:
        ticket = enqueue(gateway, 1)
        workers = [start_worker(env=lease), start_worker(env=lease)]
        finish([ticket])
        assert len(gateway.log()) == 1
    assert Attempt.objects.get(job=ticket.id).outcome == "succeeded"
    assert not any("job.rescued" in worker.log for worker in workers)


def test_endless_interactive_work_starves_nothing(start_worker, gateway):
    gateway.delay_s = 0.1
    background = enqueue(gateway, "background", owner="quiet")
    for number in range(4):
        enqueue(gateway, number, owner=f"loud{number}", priority=0, watch=str(number))
    start_worker(slots=1, env={"TEST_PATIENCE_SECONDS": "3"})
    number = 4
    while not Job.objects.filter(pk=background.id, status="succeeded").exists():
        assert number < 400, "The background job never started."
        ahead = Job.objects.filter(status__in=["ready", "running"], band=0).count()
        if ahead < 4:
            enqueue(gateway, number, owner=f"loud{number}", priority=0, watch=str(number))
            number += 1
    order = started(gateway.log())
    assert str(background.id) in order
    assert number > 6, "The interactive work was not endless."


def test_a_job_of_300_items_makes_way_for_screens_at_its_next_item(start_worker, gateway):
    gateway.delay_s = 0.02
    long = api.enqueue("notes", "ana", "1", args={"url": gateway.url}, items=[str(number) for number in range(300)])
    start_worker(slots=2)
    for number in range(8):
        until(lambda done=20 * (number + 1): Item.objects.filter(job=long.id, status="ok").count() >= done, seconds=60)
        calls = len(gateway.log())
        screen = enqueue(gateway, f"screen{number}", owner="ben", priority=0, watch="7")
        finish([screen])
        assert started(gateway.log()).index(str(screen.id)) <= calls + 1
    finish([long], seconds=120)
    assert started(gateway.log()).count(str(long.id)) == 300
    assert in_flight(gateway.log()) == 1
    assert (Job.objects.get(pk=long.id).attempts, Job.objects.get(pk=long.id).crashes) == (0, 0)


def test_the_imports_of_a_lane_go_on_while_its_pool_is_away(start_worker, gateway):
    gateway.script([{"do": "status", "status": 503, "body": LOADING, "times": -1}])
    long = api.enqueue("notes", "ana", "1", args={"url": gateway.url}, items=["a", "b"])
    start_worker(slots=1)
    until(lambda: Attempt.objects.filter(job=long.id, outcome="down").exists())
    imported = api.enqueue("lined", "ana", "import", args={"lane": "source:ana"})
    finish([imported])
    assert Job.objects.get(pk=long.id).attempts == 0
