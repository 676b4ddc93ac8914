"""The heartbeat: it answers for a supervisor whose loop turns, and for no other."""

import uuid

import pytest

from jobs.transitions import workers
from jobs.worker.beat import STUCK_S, Beat
from jobs.worker.lease import Forever, Lease, now_s

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
