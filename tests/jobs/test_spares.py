"""Two real gateways and one route: while the first is down its jobs are written by the spare, none lost, none twice."""

from datetime import timedelta

import pytest
from django.db.models import F

from coach.trial import TrialGateway
from jobs import api, testing
from jobs.models import Attempt, Audit, Job, Pool
from jobs.transitions import invariants, pools
from tests.jobs.test_upstream import gaps, in_flight
from tests.processes import until

pytestmark = pytest.mark.django_db(transaction=True)

LOADING = '{"error": {"message": "Loading model", "type": "unavailable_error", "code": 503}}'
DOWN = {"do": "status", "status": 503, "body": LOADING, "times": -1}
QUICK = {"TEST_DOWN_SECONDS": "0.5", "TEST_HEARTBEAT_SECONDS": "0.5"}


@pytest.fixture
def first():
    with TrialGateway(delay_s=0.05) as running:
        yield running


@pytest.fixture
def spare():
    with TrialGateway(delay_s=0.3) as running:
        yield running


def ask(first, spare, count):
    urls = {"gateway": first.url, "wide": spare.url}
    return [api.enqueue("routed", f"o{n % 3}", str(n), args={"urls": urls}) for n in range(count)]


def ten_minutes_pass():
    """For the breaker: everybody goes by the clock of the database."""
    Pool.objects.filter(pk="gateway").update(down_since=F("down_since") - timedelta(minutes=10))


def served(gateway):
    """Return the jobs whose call was answered."""
    return [call["job"] for call in gateway.log() if call["turn"] == "answer"]


def test_jobs_of_a_gateway_that_is_down_go_to_the_spare_and_the_last_ones_come_back(start_worker, first, spare):
    pools.change("gateway", by="test", capacity=1, gap_s=0.2)
    pools.change("wide", by="test", capacity=2, gap_s=0.1)
    first.script([DOWN])
    tickets = ask(first, spare, 30)
    workers = [start_worker(slots=3, env=QUICK), start_worker(slots=3, env=QUICK)]
    until(lambda: Pool.objects.get(pk="gateway").down_since, what="the first is down")
    assert spare.log() == []
    ten_minutes_pass()
    until(lambda: len(served(spare)) >= 8, seconds=40, what="the spare writes")
    first.turns.clear()
    until(lambda: served(first), seconds=60, what="the first is open again")
    for ticket in tickets:
        assert testing.wait(ticket.id, seconds=60).status == "succeeded"
    done = served(first) + served(spare)
    assert sorted(done) == sorted(str(ticket.id) for ticket in tickets)
    assert in_flight(first.log()) == 1
    assert in_flight(spare.log()) <= 2
    assert min(gaps(first.log())) >= 0.2
    assert not Job.objects.filter(attempts__gt=0).exists()
    assert Attempt.objects.filter(outcome="succeeded").count() == 30
    assert Audit.objects.filter(action="job.reroute", target="pool gateway").exists()
    assert Audit.objects.filter(action="job.reroute", target="pool wide").exists()
    until(lambda: not invariants.violations(), seconds=15, what="the audit finds nothing")
    assert "Traceback" not in "".join(worker.log for worker in workers)


def test_the_first_is_tried_by_one_job_at_a_time_while_the_spare_works(start_worker, first, spare):
    """Each try costs the first one call, and the job that made it goes on at the spare."""
    first.script([DOWN])
    tickets = ask(first, spare, 12)
    start_worker(slots=3, env=QUICK)
    until(lambda: Pool.objects.get(pk="gateway").down_since, what="the first is down")
    ten_minutes_pass()
    for ticket in tickets:
        assert testing.wait(ticket.id, seconds=60).status == "succeeded"
    assert sorted(served(spare)) == sorted(str(ticket.id) for ticket in tickets)
    assert in_flight(first.log()) == 1
    assert len(first.log()) == Attempt.objects.filter(outcome="down").count()
    assert not Job.objects.filter(attempts__gt=0).exists()
