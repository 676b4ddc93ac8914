"""The database did what was asked, and its answer was lost; or its hint was."""

import signal

import pytest
from django.db import connection

from coach.trial import TrialGateway
from jobs import api, sql, testing
from jobs.models import Attempt, Idle, Job, Seat
from tests.chaos.proxy import CutProxy
from tests.processes import database_url, until

pytestmark = pytest.mark.django_db(transaction=True)

# What jobs.stop() does, without its hint to the supervisor.
STOP_UNHEARD = "UPDATE jobs_job SET stop_token = token, stop_by = 'ana' WHERE id = %(id)s AND status = 'running'"


@pytest.fixture
def proxy():
    held = connection.settings_dict
    running = CutProxy(held["HOST"], int(held["PORT"]))
    yield running
    running.close()


def through(proxy):
    port = connection.settings_dict["PORT"]
    return {"DATABASE_URL": database_url().replace(f":{port}/", f":{proxy.port}/") + "?sslmode=disable"}


def test_a_job_whose_claim_was_never_answered_runs_at_once(start_worker, proxy):
    worker = start_worker(env=through(proxy))
    until(lambda: Idle.objects.exists(), what="the slot sleeps")
    proxy.arm(b"jobs_claim(")
    until(lambda: proxy.cut.is_set())  # nothing was there to claim: only to be sure that it reconnects
    until(lambda: Idle.objects.exists())
    with TrialGateway() as gateway:
        sql.run("DELETE FROM jobs_idle")  # nobody is woken: the next poll claims
        proxy.arm(b"jobs_claim(")
        tickets = [api.enqueue("calls", "ana", str(number), args={"url": gateway.url}) for number in range(3)]
        until(lambda: proxy.cut.is_set())
        for ticket in tickets:
            assert testing.wait(ticket.id, seconds=10).status == "succeeded"
        assert len(gateway.log()) == 3
    assert "slot.killed" not in worker.log
    assert not Job.objects.filter(attempts__gt=0).exists()
    assert not Seat.objects.filter(job__isnull=False).exists()


def test_an_ending_whose_commit_was_never_answered_counts_once(start_worker, proxy):
    start_worker(env=through(proxy))
    until(lambda: Idle.objects.exists())
    for number in range(3):
        proxy.arm(b"COMMIT")
        ticket = api.enqueue("sleeps", "ana", str(number), args={"seconds": 0.2})
        until(lambda: proxy.cut.is_set())
        assert testing.wait(ticket.id, seconds=10).status == "succeeded"
        assert Attempt.objects.filter(job=ticket.id).count() == 1


def test_a_stop_that_only_the_fence_of_the_call_has_heard_of_ends_the_job(start_worker):
    with TrialGateway() as gateway:
        worker = start_worker(env={"TEST_HEARTBEAT_SECONDS": "2"})
        until(lambda: Idle.objects.exists())
        ticket = api.enqueue("calls_late", "ana", "1", args={"url": gateway.url, "seconds": 0.3})
        until(lambda: sql.run(STOP_UNHEARD, id=ticket.id))
        after = api.enqueue("deaf", "ana", "2", args={"seconds": 6})
        assert testing.wait(ticket.id, seconds=1.5).status == "cancelled"
        assert testing.wait(after.id, seconds=10).status == "succeeded"
        assert not gateway.log()
    assert "slot.killed" not in worker.log
    assert Attempt.objects.filter(job=after.id).count() == 1


def test_a_slot_that_must_leave_while_its_claims_answer_is_lost_gives_the_job_back(start_worker, proxy):
    for number in range(3):
        worker = start_worker(env=through(proxy))
        until(lambda: Idle.objects.exists(), what="the slot sleeps")
        sql.run("DELETE FROM jobs_idle")
        proxy.arm(b"FROM jobs_claim(")
        ticket = api.enqueue("plain", "ana", str(number))
        until(lambda: proxy.cut.is_set())
        worker.signal(signal.SIGTERM)
        assert worker.wait() == 0
        job = Job.objects.get(pk=ticket.id)
        assert (job.status, job.crashes, job.attempts) == ("ready", 0, 0)
        assert not Attempt.objects.exclude(outcome="drained").exists()
        api.stop(ticket.id, by="test")
