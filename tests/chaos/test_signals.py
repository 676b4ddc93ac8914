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
from jobs.models import Attempt, Idle, Item, Job, Seat, Worker
from jobs.transitions import pools
from tests.processes import QUICK, ROOT, descendants, environment, until

pytestmark = pytest.mark.django_db(transaction=True)

KEYS = [f"item {number}" for number in range(30)]  # more than the grace of a deploy has time for


@pytest.mark.parametrize("send", [os.kill, os.killpg], ids=["process", "group"])
def test_a_second_sigterm_hurries_and_costs_nothing(start_worker, send):
    worker = start_worker(slots=2)
    tickets = [api.enqueue("deaf", "ana", str(number), args={"seconds": 60}) for number in range(2)]
    until(lambda: Job.objects.filter(status="running").count() == 2)
    send(worker.pid, signal.SIGTERM)
    until(lambda: Worker.objects.filter(draining=True).exists())
    send(worker.pid, signal.SIGTERM)
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


@pytest.fixture
def container(transactional_db):
    """A worker as the first process of a namespace of its own; give the outer process and the worker's pid."""
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
            until(lambda: Idle.objects.count() == 2, seconds=30, what="both slots sleep")
            yield outer, descendants(outer.pid)[0]
            print(Path(output.name).read_text())
        finally:
            for pid in [*descendants(outer.pid), outer.pid]:
                if outer.poll() is None:
                    os.kill(pid, signal.SIGKILL)
            outer.wait()


def test_as_the_first_process_of_a_container_it_ends_on_sigterm_and_leaves_nobody(container):
    outer, first = container
    crash = api.enqueue("dies", "ana", "1")
    assert testing.wait(crash.id, seconds=20).status == "failed"
    ticket = api.enqueue("sleeps", "ana", "1", args={"seconds": 1})
    until(lambda: Job.objects.get(pk=ticket.id).status == "running")
    inner = descendants(outer.pid)
    zombies = [pid for pid in inner if ") Z " in Path(f"/proc/{pid}/stat").read_text()]
    assert not zombies
    os.kill(first, signal.SIGTERM)
    assert outer.wait(15) == 0
    assert Job.objects.get(pk=ticket.id).status == "succeeded"
    assert not any(os.path.exists(f"/proc/{pid}") for pid in inner)


def test_as_the_first_process_of_a_container_a_second_sigterm_hurries_it(container):
    outer, first = container
    ticket = api.enqueue("deaf", "ana", "1", args={"seconds": 60})
    until(lambda: Job.objects.get(pk=ticket.id).status == "running")
    inner = descendants(outer.pid)
    os.kill(first, signal.SIGTERM)
    until(lambda: Worker.objects.filter(draining=True).exists())
    os.kill(first, signal.SIGTERM)
    assert outer.wait(5) == 0
    job = Job.objects.get(pk=ticket.id)
    assert (job.status, job.attempts, job.crashes) == ("ready", 0, 0)
    assert not any(os.path.exists(f"/proc/{pid}") for pid in inner)


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


@pytest.mark.full
def test_a_deploy_in_the_middle_of_fifty_running_jobs(start_worker):
    """What fits into the grace ends there; what does not goes on elsewhere, at its first open item."""
    patient = ("--no-clock", "--grace", "9")
    pools.change("gateway", by="test", capacity=20)
    with TrialGateway(delay_s=6, permits=20) as gateway:
        old = [start_worker(slots=25, args=patient), start_worker(slots=25, args=patient)]
        until(lambda: Idle.objects.count() == 50, seconds=60, what="all slots sleep")
        call = {"url": gateway.url, "timeout": 20, "streamed": False}
        ids = [api.enqueue("items", f"o{n % 4}", str(n), args={"seconds": 1}, items=KEYS).id for n in range(10)]
        ids += [api.enqueue("calls", f"o{n % 4}", str(n), args=call).id for n in range(20)]
        ids += [api.enqueue("sleeps", f"o{n % 4}", str(n), args={"seconds": 6}).id for n in range(20)]
        until(lambda: Job.objects.filter(status="running").count() == 50, what="fifty run")
        fresh = [start_worker(slots=4), start_worker(slots=4)]
        until(lambda: Idle.objects.exists(), what="the new ones wait")
        for worker in old:
            os.killpg(worker.pid, signal.SIGTERM)
        for worker in old:
            assert worker.wait(25) == 0
        for job in ids:
            assert testing.wait(job, seconds=60).status == "succeeded"
        called = sorted(call["job"] for call in gateway.log())
    assert called == sorted(str(job) for job in ids[10:30])
    assert not Job.objects.exclude(attempts=0, crashes=0).exists()
    outcomes = set(Attempt.objects.values_list("kind", "outcome"))
    assert outcomes == {("items", "drained"), *((kind, "succeeded") for kind in ("items", "calls", "sleeps"))}
    assert Attempt.objects.filter(outcome="succeeded").count() == 50
    for first in Attempt.objects.filter(outcome="drained"):
        done = Item.objects.filter(job=first.job, status="ok")
        assert done.count() == len(KEYS)
        assert done.filter(ended_at__lt=first.ended_at).count() > 5  # not done again
    assert not Seat.objects.filter(job__isnull=False).exists()
    for worker in fresh:
        assert "slot.died" not in worker.log
