"""The server goes away and comes back: workers resume, results are kept, nothing is spent."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from coach.trial import TrialGateway
from jobs import api, testing
from jobs.models import Attempt, Idle, Job, Seat, Worker
from tests.processes import ROOT, until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.full]
LASTING = {"TEST_SELF_KILL_SECONDS": "20", "TEST_RESCUE_SECONDS": "25"}


def server(*words: str) -> None:
    """Stop or start the embedded server that this run of the tests uses, and no other."""
    variables = {**os.environ, "PYTHONPATH": str(ROOT)}
    for name in ("DATABASE_URL", "DJANGO_SETTINGS_MODULE"):
        variables.pop(name, None)
    connection.close()
    subprocess.run([sys.executable, "-P", "-m", "deploy.embedded", *words], check=True, cwd=ROOT, env=variables)


def readiness() -> int:
    """Return what a monitor is told; each look opens a session of its own, as a new request does."""
    connection.close()
    return Client().get(reverse("readyz")).status_code


@pytest.fixture
def away():
    """Take the server away for so many seconds."""
    kept = Path(os.environ.get("COACH_VAR", ROOT / "var")) / "database-url"
    port = connection.settings_dict["PORT"]
    if not kept.exists() or f":{port}/" not in kept.read_text():
        pytest.skip("The database is not this folder's own embedded server.")

    def restart(seconds: float) -> None:
        assert readiness() == 200
        server("stop")
        assert readiness() == 503
        time.sleep(seconds)
        server("start")
        until(lambda: readiness() == 200, what="the house is ready again")

    yield restart
    with socket.socket() as probe:
        if probe.connect_ex(("127.0.0.1", int(port))):
            server("start")


def test_workers_outlive_a_restart_while_idle_and_while_they_work(start_worker, away):
    workers = [start_worker(slots=2, env=LASTING), start_worker(slots=2, env=LASTING)]
    until(lambda: Idle.objects.count() == 4, seconds=60, what="all slots sleep")
    known = set(Worker.objects.values_list("pk", flat=True))
    away(0.5)
    tickets = [api.enqueue("plain", "ana", str(number)) for number in range(8)]
    for ticket in tickets:
        assert testing.wait(ticket.id, seconds=6).status == "succeeded"
    with TrialGateway(delay_s=1) as gateway:
        tickets = [api.enqueue("calls", "ana", str(n), args={"url": gateway.url, "timeout": 5}) for n in range(3)]
        tickets += [api.enqueue("sleeps", "ana", str(number), args={"seconds": 1}) for number in range(3)]
        until(lambda: gateway.log(), what="a call is in flight")
        away(2)
        for ticket in tickets:
            assert testing.wait(ticket.id, seconds=15).status == "succeeded"
        assert len(gateway.log()) == 3
        assert gateway.stats()["max_in_flight"] == 1
    assert set(Attempt.objects.values_list("outcome", flat=True)) == {"succeeded"}
    assert not Job.objects.filter(attempts__gt=0).exists()
    assert not Seat.objects.filter(job__isnull=False).exists()
    assert set(Worker.objects.values_list("pk", flat=True)) == known
    for worker in workers:
        assert "slot.died" not in worker.log
        worker.signal(signal.SIGTERM)
        assert worker.wait() == 0
