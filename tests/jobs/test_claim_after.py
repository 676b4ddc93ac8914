"""A plain success is ended and the next job claimed in one statement; whatever has more to its ending is not."""

from functools import partial
from multiprocessing import Pipe
from types import SimpleNamespace

import pytest
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext

from jobs import api
from jobs.models import Attempt, Call, Item, Job, Payload
from jobs.transitions import calls, claim, control, finish
from jobs.transitions.outcomes import Attempted
from jobs.worker.child import Left
from jobs.worker.execution import Place
from jobs.worker.lease import Forever, Lease
from jobs.worker.slot import Slot
from jobs.worker.supervisor import Options, Supervisor
from tests.jobs.rows import WORKER, end, enqueue, row, serving, started, status, take, try_claim
from tests.jobs.sessions import aside, together

pytestmark = pytest.mark.usefixtures("queue")


def after(job, *kinds, slot=1, result=None):
    return claim.after(job.id, job.token, result, worker=WORKER, slot=slot, served=serving(*kinds))


PIPES = []  # never closed: a slot whose supervisor is gone ends its process


def new_slot():
    PIPES.append(Pipe())
    place = Place(worker=WORKER, slot=1, served=serving())
    return Slot(place, Lease(Forever()), PIPES[-1][0], SimpleNamespace(value=0))


def test_it_ends_as_alone_and_what_is_claimed_is_the_best():
    one, two, _, best = enqueue("1", "2", "3", "4")
    Job.objects.filter(pk=best.id).update(band=0)
    Job.objects.filter(pk=one.id).update(band=0, attempts=1, crashes=1, error="No.", error_kind="retry")
    Job.objects.filter(pk=two.id).update(attempts=1, crashes=1, error="No.", error_kind="retry")
    first = take()
    ended, job = after(first, result='{"a": 1}')
    assert (first.id, ended, job.id) == (one.id, True, best.id)
    end(job)
    second = take()
    end(second, result={"a": 1})
    same = (
        "status", "attempts", "crashes", "downs", "fingerprint", "wanted_fingerprint", "error", "error_kind", "worker",
        "slot", "token", "seat", "deadline", "stop_token", "run_at", "promoted", "singly",
    )  # fmt: skip
    assert [getattr(row(one), name) for name in same] == [getattr(row(two), name) for name in same]
    told = Attempt.objects.values("number", "outcome", "error", "error_kind", "worker", "slot", "seat", "kind")
    assert told.get(job=one.id) == told.get(job=two.id)
    assert Payload.objects.get(job=one.id).result == {"a": 1}
    assert row(one).started_at < row(one).ended_at


def test_with_nothing_else_in_line_it_only_ends():
    first = started()
    assert after(first) == (True, None)
    assert status(first) == "succeeded"


def has_wish(job):
    Job.objects.filter(pk=job.id).update(wanted_fingerprint="another")


def has_stop(job):
    control.stop(job.id, by="ana")


def has_items(job):
    Item.objects.create(job=job.id, key="1", position=1)


def has_call(job):
    calls.begin(job.id, job.token, timeout_s=5, streamed=True)


def is_lost(job):
    finish.end(job.id, job.token, Attempted(outcome="drained"))
    take(slot=2)


def is_over(job):
    end(job)


@pytest.mark.parametrize("more", [has_wish, has_stop, has_items, has_call, is_lost, is_over])
def test_what_has_more_to_its_ending_is_left_and_nothing_claimed(more):
    first, other = started(), enqueue("2")[0]
    more(first)
    before = Job.objects.filter(pk=first.id).values().get()
    assert after(first) == (False, None)
    assert Job.objects.filter(pk=first.id).values().get() == before
    assert status(other) == "ready"


@pytest.mark.parametrize("kind", ["pooled", "lined", "both"])
def test_what_has_a_seat_or_a_lane_is_left_too(kind):
    first, other = started(kind), enqueue("2")[0]
    assert after(first) == (False, None)
    assert (status(first), status(other)) == ("running", "ready")


def test_a_seat_is_claimed_with_the_next_job():
    first, pooled = started(), enqueue("2", kind="pooled")[0]
    ended, job = after(first)
    assert (ended, job.id, row(job).seat is not None) == (True, pooled.id, True)


def test_who_is_faster_is_not_waited_for():
    first, second = started(subject="1"), started(subject="2")
    enqueue("3")
    with connection.cursor() as cursor:
        cursor.execute("BEGIN")
        assert after(first)[1] is not None
        assert aside(lambda: after(second, slot=2)) == (True, None)
        cursor.execute("COMMIT")


def test_those_that_end_and_claim_at_once_take_each_job_once():
    enqueue(*map(str, range(60)))
    mine = [take(slot=slot) for slot in range(6)]

    def chain(slot):
        found, job = [], mine[slot]
        for _ in range(8):
            ended, nxt = after(job, slot=slot)
            assert ended
            job = nxt or take(slot=slot)
            found.append(job.id)
        return found

    taken = [job for found in together(*[partial(chain, slot) for slot in range(6)]) for job in found]
    assert len(taken) == len(set(taken)) == 48


# the slot


def test_a_slot_sends_one_statement_a_job():
    enqueue(*map(str, range(5)))
    slot = new_slot()
    slot.step()
    slot.step()
    with CaptureQueriesContext(connection) as sent:
        slot.step()
    assert len(sent) == 1
    assert Job.objects.filter(status="succeeded").count() == 3
    assert Job.objects.filter(status="running").count() == 1


@pytest.mark.parametrize("kind", ["pooled", "lined", "both"])
def test_a_slot_does_not_try_what_cannot_end_plainly(monkeypatch, kind):
    enqueue("1", kind=kind)
    monkeypatch.setattr(claim, "after", None)
    new_slot().step()
    assert Job.objects.get().status == "succeeded"


def test_a_stop_that_meets_the_next_job_costs_it_nothing(monkeypatch):
    """The slot is asked to end the first while it ends by itself: a kill may follow, so it begins nothing else."""
    first, second = enqueue("1", "2")
    slot, real = new_slot(), claim.after

    def interrupted(*args, **how):
        found = real(*args, **how)
        slot.interrupt(slot.run, "stop")
        return found

    monkeypatch.setattr(claim, "after", interrupted)
    slot.work()
    assert (status(first), status(second)) == ("succeeded", "ready")
    assert list(Attempt.objects.values_list("job", flat=True)) == [first.id]


@pytest.mark.parametrize("why", ["stop", "deadline", None])
@pytest.mark.parametrize("kind", ["plain", "pooled"])
def test_a_death_that_meets_the_next_job_is_not_charged_to_it(why, kind):
    """It was claimed by the statement that ended the first, and its slot was killed for the first, or died."""
    first, second = started(), enqueue("2", kind=kind)[0]
    after(first)
    assert status(second) == "running"
    supervisor = Supervisor(Options(slots=1, served=serving(), grace_s=1))
    supervisor.worker, supervisor.beat = WORKER, SimpleNamespace(given_up=False)
    supervisor.unsettled = [Left(number=1, killed=(first.token, why) if why else None, current=first.id)]
    supervisor._settle()
    supervisor._wake_r.close()
    supervisor._wake_w.close()
    assert not supervisor.unsettled
    now = row(second)
    assert (now.status, now.attempts, now.crashes) == ("ready", 0, 0)
    assert list(Attempt.objects.filter(job=first.id).values_list("outcome", flat=True)) == ["succeeded"]
    assert try_claim().id == second.id


def test_an_answer_that_was_lost_runs_nothing_twice_and_loses_nothing(monkeypatch):
    first, second = enqueue("1", "2")
    slot, real = new_slot(), claim.after

    def unanswered(*args, **how):
        real(*args, **how)
        monkeypatch.setattr(claim, "after", real)
        raise OperationalError("The connection was lost.")

    monkeypatch.setattr(claim, "after", unanswered)
    slot.step()
    assert (status(first), status(second)) == ("succeeded", "running")
    slot.step()
    assert [status(first), status(second)] == ["succeeded"] * 2
    assert Attempt.objects.count() == 2
    assert not Call.objects.exists()


def test_a_large_result_fails_its_job_and_the_next_goes_on():
    first, second = api.enqueue("quick", "ana", "1", args={"act": "large"}), enqueue("2")[0]
    Job.objects.filter(pk=first.id).update(singly=True)
    slot = new_slot()
    slot.step()
    slot.step()
    assert (status(first), status(second)) == ("failed", "succeeded")
