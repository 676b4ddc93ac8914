"""The heartbeat: it answers for a supervisor whose loop turns, and for no other."""

import multiprocessing
import uuid

import pytest

from jobs.transitions import workers
from jobs.worker.beat import STUCK_S, Beat
from jobs.worker.child import Child
from jobs.worker.lease import Forever, Lease, now_s
from jobs.worker.supervisor import Options, Supervisor
from tests.jobs.rows import serving
from tests.processes import until

pytestmark = pytest.mark.usefixtures("queue")


@pytest.fixture
def beat():
    shared = Forever()
    shared.value = 0.0
    worker = uuid.uuid4()
    workers.register(worker, host="here", pid=1, slots=1, pools=[], kinds=[], version="test")
    return Beat(worker, Lease(shared), lambda: None)


def test_a_beat_extends_the_lease(beat):
    beat.once()
    assert beat.lease.alive


def test_a_supervisor_that_is_stuck_lets_its_lease_run_out_and_goes_on_when_it_turns_again(beat):
    beat.turned_s = now_s() - STUCK_S - 1
    beat.once()
    assert not beat.lease.alive
    beat.turned_s = now_s()
    beat.once()
    assert beat.lease.alive


def test_whatever_goes_wrong_at_one_beat_the_next_one_comes(beat, monkeypatch):
    """Without its beat a worker would end all its slots and start none again, and look alive to systemd."""
    failures = iter([ValueError("One that no database raises.")])
    monkeypatch.setattr(beat, "pids", lambda: [_raise(error) for error in failures])
    beat.start()
    until(lambda: beat.lease.alive, what="a beat after the one that failed")
    beat.end()
    beat.join(5)


def _raise(error):
    raise error


def test_a_slot_that_is_reaped_while_the_beat_weighs_it_does_not_end_the_beat():
    supervisor = Supervisor(Options(slots=1, served=serving(), grace_s=1))
    process = multiprocessing.get_context("spawn").Process(target=print)
    supervisor.children[1] = Child(1, process, None, Forever())
    process.close()
    with supervisor._wake_r, supervisor._wake_w:
        assert supervisor._slot_pids() == []
