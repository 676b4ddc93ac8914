"""What a slot is said to run and does not: it is ended as what it was, and runs elsewhere soon."""

import signal
import subprocess
from types import SimpleNamespace
from uuid import uuid4

import pytest
from django.db import connection

from jobs import api, sql, testing
from jobs.models import Attempt, Call, Idle, Item, Job, Worker
from jobs.transitions import calls, control, quick, wake
from jobs.worker import child as children
from jobs.worker.batch import Batch
from jobs.worker.beat import Running
from jobs.worker.child import Child
from jobs.worker.execution import give_back
from jobs.worker.lease import now_s
from tests.jobs.rows import row, started, status
from tests.jobs.test_claim_after import new_slot
from tests.processes import until

pytestmark = pytest.mark.usefixtures("queue")


def attempts(job):
    return list(Attempt.objects.filter(job=job.id).values_list("outcome", flat=True))


# a stop


@pytest.mark.parametrize("kind", ["plain", "pooled", "quick"])
def test_what_goes_back_although_somebody_stopped_it_was_stopped(kind):
    job = started(kind)
    control.stop(job.id, by="ana")
    give_back([(job.id, job.token)])
    assert (status(job), attempts(job)) == ("cancelled", ["stopped"])


@pytest.mark.parametrize("kind", ["raises", "quick"])
def test_a_stop_that_comes_before_its_job_is_begun_is_remembered(kind):
    slot, job = new_slot(), started(kind)
    control.stop(job.id, by="ana")
    slot.hear(("stop", job.token.hex))
    slot.execute(job)
    assert (status(job), attempts(job), slot.spoiled) == ("cancelled", ["stopped"], True)


def test_a_stop_of_a_job_that_is_over_spares_the_next():
    slot, first = new_slot(), started()
    slot.hear(("stop", uuid4().hex))
    slot.execute(first)
    assert (status(first), slot.spoiled) == ("succeeded", False)


# giving back


def test_what_has_called_or_begun_an_item_goes_back_by_its_own_ending():
    called, begun = started("quick", "1"), started("quick", "2")
    calls.begin(called.id, called.token, timeout_s=5, streamed=True)
    Item.objects.create(job=begun.id, key="1", position=1, status="running")
    both = [(called.id, called.token), (begun.id, begun.token)]
    assert quick.give_back(both) == set()
    give_back(both)
    assert [status(called), status(begun)] == ["ready", "ready"]
    assert not Call.objects.exists()
    assert Item.objects.get().status == "pending"


def test_nobody_relieves_a_batch_that_is_over():
    batch, relieved = Batch([]), []
    batch.join()
    batch.do_once(relieved.append)
    batch.join()
    assert relieved == []


# the supervisor


def running(*, ago_s, job=1):
    now = now_s()
    return Running(job=job, slot=7, token=uuid4(), stop=False, begun_s=now - ago_s, ends_s=now + 600)


def child(*, current):
    return Child(7, SimpleNamespace(pid=None), None, SimpleNamespace(value=current))


def test_a_slot_that_ended_by_itself_a_moment_ago_is_killed_without_harm():
    """Its fork server has reaped it; to its supervisor it is still alive."""
    gone = subprocess.Popen(["true"])
    gone.wait()
    process = SimpleNamespace(pid=gone.pid, is_alive=lambda: True)
    Child(7, process, None, SimpleNamespace(value=0)).kill(signal.SIGKILL, token=None, why="lease")


def test_what_a_stuck_batch_holds_is_taken_back_once():
    stuck, fresh, held = child(current=1), running(ago_s=1, job=2), running(ago_s=children.HELD_S + 1, job=3)
    own = running(ago_s=100, job=1)
    assert stuck.held([own, fresh, held]) == [(3, held.token)]
    assert stuck.held([own, fresh, held]) == []
    assert stuck.held([]) == []


def test_what_an_idle_slot_does_not_run_is_taken_back_after_a_while(monkeypatch):
    idle, lost = child(current=0), running(ago_s=100)
    assert idle.held([lost]) == []
    monkeypatch.setattr(children, "HELD_S", 0)
    assert idle.held([lost]) == [(1, lost.token)]


def test_what_runs_again_meanwhile_counts_anew(monkeypatch):
    slot, job = child(current=0), running(ago_s=100)
    slot.held([job])
    slot.current.value = 1
    assert slot.held([job]) == []
    assert not slot.missed


LATE = """
UPDATE jobs_job SET status = 'running', worker = %(worker)s, slot = 1, token = gen_random_uuid(), run_at = NULL,
    started_at = clock_timestamp(), deadline = clock_timestamp() + interval '1 h'
WHERE id = %(id)s
"""


def test_a_claim_that_lands_after_its_slot_gave_up_on_the_answer_runs_soon(start_worker):
    """The slot lives and sleeps, and neither it nor anybody else would ever run the job."""
    start_worker()
    until(lambda: Idle.objects.exists())
    ticket = api.enqueue("plain", "ana", "late", run_at="2040-01-01T00:00Z")
    sql.run(LATE, id=ticket.id, worker=Worker.objects.get().pk)
    connection.close()
    assert testing.wait(ticket.id, seconds=20).status == "succeeded"
    assert (row(ticket).attempts, row(ticket).crashes) == (0, 0)
    assert attempts(ticket) == ["succeeded"]


def test_what_ended_since_the_last_heartbeat_is_not_ended_again(start_worker):
    """The heartbeat meets a batch; long after that has ended, the slot is in another job."""
    rare = {"TEST_HEARTBEAT_SECONDS": "20", "TEST_SELF_KILL_SECONDS": "40", "TEST_RESCUE_SECONDS": "60"}
    worker = start_worker(env=rare)
    until(lambda: Idle.objects.exists())
    args = {"act": "sleep", "seconds": 0.03}
    ids = api.enqueue_many("quick", [api.New(owner="ana", subject=str(n), args=args) for n in range(20)])
    last = api.enqueue("deaf", "ana", "1", args={"seconds": children.HELD_S + 2})
    until(lambda: Job.objects.filter(pk__in=ids, status="running").count() > 10)
    wake.supervisor(Worker.objects.get().pk)
    connection.close()
    assert testing.wait(last.id, seconds=30).status == "succeeded"
    assert Attempt.objects.count() == len(ids) + 1
    assert "job.fenced" not in worker.log
