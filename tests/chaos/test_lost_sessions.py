"""Sessions end under the worker: while it sleeps, listens, calls and finishes."""

import pytest

from coach.trial import TrialGateway
from jobs import api, testing
from jobs.models import Attempt, Idle, Job, Worker
from tests.chaos.sessions import end_sessions
from tests.processes import until

pytestmark = pytest.mark.django_db(transaction=True)


def test_an_idle_worker_outlives_the_end_of_all_its_sessions(start_worker):
    worker = start_worker(slots=2)
    until(lambda: Idle.objects.count() == 2, what="both slots sleep")
    alive = Worker.objects.get().pk
    for number in range(5):
        assert end_sessions()
        ticket = api.enqueue("plain", "ana", str(number))
        assert testing.wait(ticket.id, seconds=6).status == "succeeded"
    assert worker.process.poll() is None
    assert Worker.objects.get().pk == alive
    assert "slot.died" not in worker.log
    assert "Traceback" not in worker.log
    assert Attempt.objects.exclude(outcome="succeeded").count() == 0
    assert not Job.objects.filter(attempts__gt=0).exists()


def test_a_session_lost_while_the_product_is_told_ends_the_job_once_all_the_same(start_worker, tmp_path):
    start_worker()
    ticket = api.enqueue("loses_session", "ana", str(tmp_path / "lost"))
    assert testing.wait(ticket.id, seconds=30).status == "succeeded"
    assert (tmp_path / "lost").exists()
    assert list(Attempt.objects.values_list("outcome", flat=True)) == ["succeeded"]


def test_sessions_that_end_while_a_call_is_in_flight_cost_no_second_call(start_worker):
    with TrialGateway(delay_s=8) as gateway:
        worker = start_worker(slots=2)
        ticket = api.enqueue("calls", "ana", "1", args={"url": gateway.url})
        until(lambda: gateway.stats()["in_flight"] == 1, what="the call is in flight")
        alive = Worker.objects.get().pk
        for _ in range(3):
            until(end_sessions)
            beat = Worker.objects.get().heartbeat_at
            until(lambda beat=beat: Worker.objects.get().heartbeat_at > beat, what="it beats on a new session")
        assert gateway.stats()["in_flight"] == 1, "the call was over too soon to prove anything"
        assert testing.wait(ticket.id, seconds=30).status == "succeeded"
        assert len(gateway.log()) == 1
    assert list(Attempt.objects.values_list("outcome", flat=True)) == ["succeeded"]
    assert Worker.objects.get().pk == alive
    assert "Traceback" not in worker.log
