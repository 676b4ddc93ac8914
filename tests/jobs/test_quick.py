"""Quick jobs: claimed and finished by the hundred, and each of them a job like any other."""

from multiprocessing import Pipe
from types import SimpleNamespace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from jobs import api, testing
from jobs.models import Attempt, Call, Job, Payload, Seat
from jobs.registry import Kind
from jobs.transitions import control, quick
from jobs.worker import batch as batches
from jobs.worker.execution import Place, give_back
from jobs.worker.lease import Forever, Lease
from jobs.worker.slot import Slot
from tests.jobs.rows import WORKER, enqueue, row, serving, started, status, take
from tests.jobs.sessions import aside
from tests.kinds import handlers

pytestmark = pytest.mark.usefixtures("queue")


def many(count, *, first=0, owner="ana", **args):
    news = [api.New(owner=owner, subject=str(first + n), args=args) for n in range(count)]
    return api.enqueue_many("quick", news)


def slot(**place):
    """A slot in this process, that nobody supervises."""
    asked = {"served": serving(), **place}
    return Slot(Place(worker=WORKER, slot=1, **asked), Lease(Forever()), Pipe()[0], SimpleNamespace(value=0))


def more(most=100, *, slot=1):
    return quick.claim_more(WORKER, slot, serving(), most=most)


def keys(jobs):
    return [(job.id, job.token) for job in jobs]


def statuses():
    return set(Job.objects.values_list("status", flat=True))


# registration


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        ({"pool": "gateway"}, "cannot wait for a seat of a pool"),
        ({"pool": lambda owner, subject, args: ""}, "cannot wait for a seat of a pool"),
        ({"lane": "lane:1"}, "cannot wait for a lane"),
        ({"lane": lambda owner, subject, args: ""}, "cannot wait for a lane"),
        ({"on_interrupt": "park"}, "cannot be parked"),
    ],
)
def test_what_a_quick_kind_cannot_have_is_refused_where_it_is_registered(option, sentence):
    with pytest.raises(ValueError, match=f"The quick kind 'k' {sentence}"):
        Kind(name="k", label="K", handler=lambda run: None, quick=True, **option)
    Kind(name="k", label="K", handler=lambda run: None, **option)


# the claim


def test_they_are_claimed_in_their_order_up_to_a_number():
    ids = many(6)
    Job.objects.filter(pk=ids[4]).update(band=0)
    assert [job.id for job in more(3)] == [ids[4], ids[0], ids[1]]
    assert [job.id for job in more()] == [ids[2], ids[3], ids[5]]


def test_each_has_a_token_and_says_all_that_its_run_needs():
    many(3, n=7)
    taken = more()
    assert len({job.token for job in taken}) == 3
    for job in taken:
        now = row(job)
        assert (now.status, now.worker, now.slot, now.token) == ("running", WORKER, 1, job.token)
        assert (job.args, job.owner, job.timeout_s, job.band) == ({"n": 7}, "ana", 600.0, 1)
        lasts_s = (now.deadline - now.started_at).total_seconds()
        assert lasts_s == pytest.approx(600 + quick.LASTS_S, abs=0.2)


def test_other_kinds_and_those_to_be_run_singly_are_left():
    ids = many(3)
    enqueue("1")
    enqueue("2", kind="pooled")
    Job.objects.filter(pk=ids[1]).update(singly=True)
    assert [job.id for job in more()] == [ids[0], ids[2]]


def test_a_second_claimer_takes_others_and_waits_for_nobody():
    ids = many(10)
    with connection.cursor() as cursor:
        cursor.execute("BEGIN")
        first = more(4)
        second = aside(lambda: more(4, slot=2))
        cursor.execute("COMMIT")
    assert [job.id for job in first] == ids[:4]
    assert [job.id for job in second] == ids[4:8]


def test_locking_one_kind_leaves_the_best_of_another_free():
    """Of two kinds the first fills the batch: nothing of the second is locked in passing."""
    many(3)
    told = enqueue("late", kind="quick_told")[0]
    with connection.cursor() as cursor:
        cursor.execute("BEGIN")
        assert len(more(3)) == 3
        assert aside(lambda: take("quick_told")).id == told.id
        cursor.execute("COMMIT")


# a batch


def test_a_hundred_cost_three_statements(monkeypatch):
    monkeypatch.setattr(batches, "SAVE_EVERY_S", 60)
    many(100)
    alone = slot()
    with CaptureQueriesContext(connection) as sent:
        assert alone.step()
    assert len(sent) == 3, [query["sql"][:60] for query in sent]  # the first, the others, all endings
    assert (statuses(), Attempt.objects.count()) == ({"succeeded"}, 100)
    assert alone.done == 100


def test_an_ending_among_many_writes_what_a_single_one_writes():
    many(2)
    Job.objects.update(attempts=1, crashes=1, error="It did not work.", error_kind="retry")
    testing.run_one(take())
    slot().step()
    single, together = Job.objects.order_by("id")
    same = (
        "status", "attempts", "crashes", "downs", "fingerprint", "wanted_fingerprint", "error", "error_kind", "worker",
        "slot", "token", "seat", "deadline", "stop_token", "run_at", "band", "promoted", "singly",
    )  # fmt: skip
    assert [getattr(single, name) for name in same] == [getattr(together, name) for name in same]
    assert Payload.objects.get(job=together.pk).result == {"subject": "1"}
    told = Attempt.objects.values("number", "outcome", "error", "error_kind", "worker", "slot", "seat", "kind")
    assert told.get(job=single.pk) == told.get(job=together.pk)
    attempt = Attempt.objects.get(job=together.pk)
    assert (attempt.started_at, attempt.ended_at) == (together.started_at, together.ended_at)
    assert attempt.started_at <= attempt.ended_at


@pytest.mark.parametrize(
    ("act", "ends", "outcome"),
    [
        ("Retry", "scheduled", "retry"),
        ("Reject", "failed", "rejected"),
        ("Snooze", "scheduled", "snoozed"),
        ("UpstreamDown", "scheduled", "down"),
        ("Stopped", "cancelled", "stopped"),
        ("large", "failed", "rejected"),
        ("wish", "ready", "succeeded"),
        ("call", "succeeded", "succeeded"),
    ],
)
def test_what_does_not_end_plainly_ends_as_it_would_alone(act, ends, outcome):
    before, odd, after = *many(1), *many(1, first=1, act=act), *many(1, first=2)
    Job.objects.filter(pk=odd).update(fingerprint="one")
    slot(most_jobs=3).step()
    assert not Call.objects.exists()
    assert (status(before), status(odd), status(after)) == ("succeeded", ends, "succeeded")
    assert Attempt.objects.get(job=odd).outcome == outcome


def test_items_are_counted():
    ticket = enqueue("1", kind="quick", args={"act": "items"}, items=["good", "bad"])[0]
    many(2, first=2)
    slot().step()
    assert status(ticket) == "partial"


def test_the_product_is_told():
    handlers.TOLD.clear()
    enqueue("1", "2", kind="quick_told")
    slot().step()
    assert [(ending.subject, ending.status) for ending in handlers.TOLD] == [("1", "succeeded"), ("2", "succeeded")]


def test_what_was_asked_to_stop_after_it_returned_is_left_to_its_own_ending():
    ids = many(2)
    first, second = take(), more()[0]
    control.stop(second.id, by="ana")
    ended = quick.end([done(first), done(second)])
    assert ended == {ids[0]}
    assert status(second) == "running"


def done(job, result=None):
    return quick.Done(id=job.id, token=job.token, kind=job.kind, result=result, began_s=0.2, ended_s=0.1)


def test_whoever_lost_a_job_ends_nothing():
    many(2)
    first, second = more()
    quick.give_back(keys([first]))
    again = take()
    assert quick.end([done(first), done(second)]) == {second.id}
    assert (again.id, status(again)) == (first.id, "running")


def test_what_was_not_begun_goes_back_at_no_cost_and_keeps_its_turn():
    ids = many(2)
    before = Job.objects.filter(pk__in=ids).order_by("id").values()
    was = list(before)
    assert quick.give_back(keys(more())) == set(ids)
    assert list(before.all()) == was
    assert not Attempt.objects.exists()


def test_what_was_asked_to_stop_is_not_given_back():
    many(2)
    first, second = more()
    control.stop(first.id, by="ana")
    assert quick.give_back(keys([first, second])) == {second.id}


def test_a_batch_ends_for_whoever_is_looked_at(monkeypatch):
    monkeypatch.setattr(batches, "SAVE_EVERY_S", 0)
    many(10)
    alone = slot()
    first = take()
    look = enqueue("look")[0]
    api.watch(look.id, "ana")
    alone.execute(first)
    assert Job.objects.filter(status="succeeded").count() == 1
    assert Job.objects.filter(status="ready", kind="quick").count() == 9
    alone.step()
    assert status(look) == "succeeded"


def test_a_slow_batch_is_followed_by_a_small_one(monkeypatch):
    monkeypatch.setattr(quick, "LASTS_S", 0.05)
    many(50, act="sleep", seconds=0.03)
    alone = slot()
    alone.step()
    begun = Job.objects.filter(status="succeeded").count()
    assert 1 <= begun < 10
    assert Job.objects.filter(status="ready").count() == 50 - begun
    assert alone.share == 2 * begun


def test_a_slot_takes_no_more_than_its_share_of_jobs():
    many(50)
    alone = slot(most_jobs=20)
    alone.step()
    assert (alone.done, alone.is_worn()) == (20, True)
    assert Job.objects.filter(status="ready").count() == 30


def test_one_that_must_run_singly_takes_no_others_with_it():
    ids = many(5)
    Job.objects.filter(pk=ids[0]).update(singly=True)
    slot().step()
    assert [status(job) for job in ids] == ["succeeded", "running"] + ["ready"] * 3  # one is claimed with the ending


def test_those_to_be_run_singly_take_no_room_in_a_batch():
    ids = many(4)
    Job.objects.filter(pk__in=ids[:2]).update(singly=True)
    assert [job.id for job in more(2)] == ids[2:]


def test_two_kinds_fill_one_batch_in_their_order():
    """Neither is given the room of both."""
    first, told = many(3), [ticket.id for ticket in enqueue("a", "b", "c", kind="quick_told")]
    Job.objects.filter(pk=told[0]).update(turn=row(first[0]).turn)
    assert [job.id for job in more(3)] == [first[0], told[0], first[1]]


def test_a_slot_that_has_to_leave_begins_no_other():
    many(5)
    alone = slot()
    alone.draining.set()
    alone.execute(take())
    assert statuses() == {"ready"}
    grown = slot(most_mb=1)
    grown.step()
    assert sorted(Job.objects.values_list("status", flat=True)) == ["ready"] * 4 + ["succeeded"]


@pytest.mark.parametrize("kind", ["pooled", "lined", "both"])
def test_what_has_a_seat_or_a_lane_goes_back_by_its_own_ending(kind):
    job = started(kind)
    assert quick.give_back(keys([job])) == set()
    give_back(keys([job]))
    assert status(job) == "ready"
    assert not Seat.objects.filter(job__isnull=False).exists()


def test_a_retry_may_be_in_a_batch_again():
    ids = many(1, act="Reject")
    Job.objects.update(singly=True)
    slot().step()
    control.retry(ids[0], by="ana")
    assert not row(ids[0]).singly


def test_run_due_runs_them():
    many(30)
    assert testing.run_due() == 30
    assert statuses() == {"succeeded"}
