"""Insights through the queue: real workers, a real gateway, one text a fingerprint."""

import pytest

from coach import panels, scopes
from coach.models import Insight
from coach.trial import TrialGateway
from jobs import api, testing
from jobs.models import Attempt, Job, Seat
from tests import factories
from tests.jobs.test_upstream import in_flight
from tests.processes import until

LOADING = '{"error": {"message": "Loading model", "type": "unavailable_error", "code": 503}}'
pytestmark = pytest.mark.django_db(transaction=True)


def opened(owner, scope="load", subject="current"):
    return panels.panel(owner, scopes.facts_for(scope, owner, subject), owner.user)


def test_without_a_gateway_the_narrator_writes_once(start_worker, ana):
    start_worker()
    assert opened(ana).state == "waiting"
    until(lambda: opened(ana).state == "builtin")
    opened(ana)
    assert Insight.objects.count() == 1
    assert Job.objects.count() == 1


def test_the_gateway_writes_and_unchanged_facts_never_ask_twice(start_worker, ana, configured):
    with TrialGateway(delay_s=0.2) as gateway:
        start_worker(env=configured(gateway))
        opened(ana)
        until(lambda: opened(ana).state == "written", what="the text is written")
        for _ in range(5):
            assert opened(ana).poll_ms is None
        assert len(gateway.log()) == 1


def test_changed_facts_ask_again_and_the_old_text_stays_meanwhile(start_worker, ana, configured):
    with TrialGateway(delay_s=0.2) as gateway:
        start_worker(env=configured(gateway))
        opened(ana)
        until(lambda: opened(ana).state == "written")
        factories.activity(ana, ana.today(), load=200)
        renewing = opened(ana)
        assert renewing.state in ("renewing", "writing")
        assert renewing.headline
        until(lambda: opened(ana).state == "written")
        assert Insight.objects.count() == 2
        assert len(gateway.log()) == 2


def test_a_worker_killed_while_a_text_is_written_leaves_one_text_and_one_call_at_a_time(start_worker, ana, configured):
    with TrialGateway(delay_s=5) as gateway:
        env = {**configured(gateway), "AI_JOB_CLAIM_TIMEOUT": "8"}
        first = start_worker(env=env)
        opened(ana)
        until(lambda: gateway.log(), what="the call arrives")
        first.kill()
        start_worker(env=env)
        until(lambda: Insight.objects.exists(), seconds=60)
        until(lambda: not api.ticket("insight", ana.owner, "load/current").is_active)
        assert Insight.objects.count() == 1
        assert in_flight(gateway.log()) == 1
    assert Attempt.objects.filter(outcome="succeeded").count() == 1


def test_stop_ends_the_call_and_nothing_but_a_retry_brings_it_back(start_worker, ana, configured):
    with TrialGateway(delay_s=2) as gateway:
        start_worker(env=configured(gateway))
        opened(ana)
        until(lambda: gateway.log())
        assert panels.stop(ana, "load", "current", "ana") == "stopping"
        ticket = api.ticket("insight", ana.owner, "load/current")
        assert testing.wait(ticket.id, seconds=3).status == "cancelled"
        assert Seat.objects.get(pool="gateway").why == "lingering"
        for _ in range(3):
            assert opened(ana).state == "stopped"
        Seat.objects.update(free_at="2020-01-01T00:00Z")  # not a minute of lingering in a test
        assert panels.retry(ana, "load", "current", ana.user)
        until(lambda: opened(ana).state == "written")


def test_while_the_gateway_is_down_the_panel_shows_the_short_version(start_worker, ana, configured):
    with TrialGateway() as gateway:
        gateway.script([{"do": "status", "status": 503, "body": LOADING}])
        start_worker(env={**configured(gateway), "TEST_DOWN_SECONDS": "3"})
        opened(ana)
        until(lambda: opened(ana).state == "down")
        assert opened(ana).headline
        assert "not answering since" in opened(ana).sentence
        until(lambda: opened(ana).state == "written")
    assert Job.objects.get().attempts == 0


def test_a_text_whose_facts_come_back_is_shown_again_without_asking(start_worker, ana):
    start_worker()
    opened(ana)
    until(lambda: opened(ana).state == "builtin")
    added = factories.activity(ana, ana.today(), load=200)
    opened(ana)
    until(lambda: opened(ana).state == "builtin")
    added.delete()
    assert opened(ana).state == "builtin"
    assert Insight.objects.count() == 2


def test_a_job_from_before_the_gateway_was_set_makes_no_call_without_a_seat(start_worker, ana, configured):
    assert opened(ana).state == "waiting"
    early = api.ticket("insight", ana.owner, "load/current").id
    with TrialGateway(delay_s=0.1) as gateway:
        start_worker(env=configured(gateway))
        until(lambda: opened(ana).state == "written", seconds=60, what="the gateway writes")
        assert str(early) not in gateway.stats()["calls_per_job"]
        assert len(gateway.log()) == 1
    assert Job.objects.get(pk=early).pool == ""
