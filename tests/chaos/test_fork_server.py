"""The fork server killed: slots that run, a slot that is just being started, and who asks to end meanwhile."""

import os
import signal
import time
from pathlib import Path

import pytest

from jobs import api, testing
from jobs.models import Attempt, Idle, Job, Worker
from jobs.worker.beat import STUCK_S
from tests.processes import descendants, until

pytestmark = pytest.mark.django_db(transaction=True)


def fork_server(worker) -> int:
    """Return the pid of the process whose children the slots are."""
    (slot, *_more) = worker.slot_pids()
    return int(Path(f"/proc/{slot}/stat").read_text().rpartition(")")[2].split()[1])


def turns(pid: int) -> str:
    """Return how often the main thread of a process has run and waited."""
    said = Path(f"/proc/{pid}/task/{pid}/status").read_text()
    return said[said.index("voluntary_ctxt_switches") :]


def is_stuck(pid: int) -> bool:
    """Say whether it does not run for a second; the loop of a supervisor turns four times a second."""
    before = turns(pid)
    time.sleep(1)
    return turns(pid) == before


@pytest.fixture
def starting(start_worker):
    """A worker whose slot has died and whose next one is just being started, by a fork server that is frozen."""
    worker = start_worker()
    until(lambda: Idle.objects.exists(), what="its slot sleeps")
    (slot,), server = worker.slot_pids(), fork_server(worker)
    worker.signal(signal.SIGSTOP)
    os.kill(slot, signal.SIGKILL)
    until(lambda: not os.path.exists(f"/proc/{slot}"), what="the fork server has buried the slot")
    os.kill(server, signal.SIGSTOP)
    worker.signal(signal.SIGCONT)
    until(lambda: "slot.died" in worker.log, what="the supervisor knows")
    until(lambda: is_stuck(worker.pid), what="it waits for the fork server")
    return worker, server


def test_a_fork_server_killed_while_a_slot_starts_costs_nothing(starting):
    worker, server = starting
    os.kill(server, signal.SIGKILL)
    ticket = api.enqueue("plain", "ana", "1")
    assert testing.wait(ticket.id, seconds=10).status == "succeeded"
    assert "Traceback" not in worker.log
    assert fork_server(worker) != server
    assert Worker.objects.count() == 1


def test_a_new_fork_server_is_as_deaf_to_the_group_as_the_first(starting):
    worker, server = starting
    os.kill(server, signal.SIGKILL)
    ticket = api.enqueue("sleeps", "ana", "1", args={"seconds": 1})
    until(lambda: Job.objects.get(pk=ticket.id).status == "running")
    os.killpg(worker.pid, signal.SIGTERM)
    assert worker.wait(10) == 0
    assert testing.wait(ticket.id).status == "succeeded"
    assert set(Attempt.objects.values_list("outcome", flat=True)) == {"succeeded"}


@pytest.mark.full
def test_a_fork_server_that_freezes_costs_its_worker_the_lease_until_it_thaws(starting, start_worker):
    worker, server = starting
    life = Worker.objects.get().pk
    start_worker()
    until(lambda: not Worker.objects.filter(pk=life).exists(), seconds=STUCK_S + 60, what="it is given up")
    os.kill(server, signal.SIGCONT)
    until(lambda: Worker.objects.filter(pid=worker.pid).exists(), seconds=60, what="it begins a new life")
    assert "Traceback" not in worker.log


def test_a_fork_server_killed_while_its_slots_work_ends_no_worker(start_worker):
    worker = start_worker(slots=2)
    tickets = [api.enqueue("sleeps", "ana", str(number), args={"seconds": 1}) for number in range(2)]
    until(lambda: Job.objects.filter(status="running").count() == 2)
    slots = worker.slot_pids()
    os.kill(fork_server(worker), signal.SIGKILL)
    until(lambda: not any(pid in descendants(worker.pid) for pid in slots), what="no slot is left behind")
    for ticket in tickets:
        assert testing.wait(ticket.id, seconds=15).status == "succeeded"
    assert worker.process.poll() is None
