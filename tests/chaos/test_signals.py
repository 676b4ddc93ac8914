"""Signals to workers: twice, to the group, as the first process of a container, and in the middle of a deploy."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from coach.trial import TrialGateway
from jobs import api, testing
from jobs.models import Attempt, Idle, Job, Seat, Worker
from tests.processes import QUICK, ROOT, descendants, environment, until

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_second_sigterm_hurries_and_costs_nothing(start_worker):
    worker = start_worker(slots=2)
    tickets = [api.enqueue("deaf", "ana", str(number), args={"seconds": 60}) for number in range(2)]
    until(lambda: Job.objects.filter(status="running").count() == 2)
    worker.signal(signal.SIGTERM)
    until(lambda: Worker.objects.filter(draining=True).exists())
    worker.signal(signal.SIGTERM)
    assert worker.wait(5) == 0
    assert not Worker.objects.exists()
    for ticket in tickets:
        job = Job.objects.get(pk=ticket.id)
        assert (job.status, job.attempts, job.crashes) == ("ready", 0, 0)
    assert set(Attempt.objects.values_list("outcome", flat=True)) == {"drained"}


def test_sigterm_while_it_starts_ends_it(start_worker):
    for _ in range(3):
        worker = start_worker()
        until(lambda worker=worker: "worker.started" in worker.log)
        worker.signal(signal.SIGTERM)
        assert worker.wait(8) == 0
    assert not Worker.objects.exists()
    assert not Idle.objects.exists()


def in_a_namespace() -> bool:
    unshare = shutil.which("unshare")
    if unshare is None:
        return False
    command = [unshare, "--pid", "--fork", "--mount-proc", "true"]
    return subprocess.run(command, check=False, capture_output=True).returncode == 0


def test_as_the_first_process_of_a_container_it_ends_on_sigterm_and_leaves_nobody(transactional_db):
    if not in_a_namespace():
        pytest.skip("No namespace of processes can be made here.")
    times = {f"TEST_{name}": value for name, value in QUICK.items()}
    work = [sys.executable, "manage.py", "work", "--slots", "2", "--grace", "5", "--no-clock"]
    with tempfile.NamedTemporaryFile("w+", suffix=".log") as output:
        outer = subprocess.Popen(
            ["unshare", "--pid", "--fork", "--mount-proc", *work],
            cwd=ROOT,
            env=environment(**times),
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            crash = api.enqueue("dies", "ana", "1")
            assert testing.wait(crash.id, seconds=20).status == "failed"
            ticket = api.enqueue("sleeps", "ana", "1", args={"seconds": 1})
            until(lambda: Job.objects.get(pk=ticket.id).status == "running")
            inner = descendants(outer.pid)
            zombies = [pid for pid in inner if ") Z " in Path(f"/proc/{pid}/stat").read_text()]
            assert not zombies
            os.kill(inner[0], signal.SIGTERM)
            assert outer.wait(15) == 0, Path(output.name).read_text()
            assert Job.objects.get(pk=ticket.id).status == "succeeded"
            assert not any(os.path.exists(f"/proc/{pid}") for pid in inner)
        finally:
            for pid in [*descendants(outer.pid), outer.pid]:
                if outer.poll() is None:
                    os.kill(pid, signal.SIGKILL)
            outer.wait()


@pytest.mark.full
def test_two_deploys_while_fifty_jobs_run(start_worker):
    with TrialGateway(delay_s=0.1) as gateway:
        tickets = [api.enqueue("calls", f"o{n % 4}", str(n), args={"url": gateway.url}) for n in range(25)]
        tickets += [api.enqueue("sleeps", f"o{n % 4}", str(n), args={"seconds": 0.4}) for n in range(25)]
        workers = [start_worker(slots=2), start_worker(slots=2)]
        for deploy in range(2):
            until(lambda deploy=deploy: Job.objects.filter(status="succeeded").count() > 5 + deploy * 12)
            fresh = [start_worker(slots=2), start_worker(slots=2)]
            for old in workers:
                os.killpg(old.pid, signal.SIGTERM)
            for old in workers:
                assert old.wait(12) == 0
            workers = fresh
        for ticket in tickets:
            assert testing.wait(ticket.id, seconds=30).status == "succeeded"
        assert gateway.stats()["max_in_flight"] == 1
        assert sorted(call["job"] for call in gateway.log()) == sorted(str(ticket.id) for ticket in tickets[:25])
    assert set(Attempt.objects.values_list("outcome", flat=True)) == {"succeeded"}
    assert not Seat.objects.filter(job__isnull=False).exists()
