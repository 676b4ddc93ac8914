"""How an attempt ends in the database: all of it or nothing, once, and never in an error of its own."""

import uuid
from datetime import timedelta

import pytest

from jobs import api
from jobs.models import Attempt, Call, Item, Job, Payload, Pool, Seat
from jobs.registry import KINDS
from jobs.transitions import finish
from jobs.transitions.outcomes import Attempted
from jobs.worker.run import Run
from tests.jobs.rows import called, end, row, started, status, take

pytestmark = pytest.mark.usefixtures("queue")


# the attempt


def test_an_attempt_is_written_down_with_its_ending():
    job = started("pooled", "1")
    seat = row(job).seat
    end(job, "retry", error="It failed.", error_kind="KeyError")
    attempt = Attempt.objects.get(pk=job.token)
    assert (attempt.job, attempt.kind, attempt.number, attempt.seat, attempt.slot) == (job.id, "pooled", 1, seat, 1)
    assert (attempt.outcome, attempt.error_kind, attempt.error) == ("retry", "KeyError", "It failed.")
    assert attempt.started_at < attempt.ended_at


def test_attempts_are_numbered():
    job = started()
    for _ in range(3):
        end(job, "drained")
        job = take()
    end(job)
    assert list(Attempt.objects.order_by("number").values_list("number", "outcome")) == [
        (1, "drained"),
        (2, "drained"),
        (3, "drained"),
        (4, "succeeded"),
    ]


def test_a_job_that_has_ended_names_nobody():
    job = started("pooled")
    end(job)
    now = row(job)
    assert (now.status, now.worker, now.token, now.seat, now.deadline) == ("succeeded", None, None, None, None)
    assert now.started_at < now.ended_at


def test_a_result_is_kept():
    job = started(args={"n": 1})
    end(job, result={"text": "é"})
    assert (Payload.objects.get(pk=job.id).result, Payload.objects.get(pk=job.id).args) == ({"text": "é"}, {"n": 1})


def test_a_retry_is_scheduled_with_its_reason():
    job = started()
    end(job, "retry", after_s=100, error="It failed.")
    now = row(job)
    assert (now.status, now.attempts, now.error, now.ended_at) == ("scheduled", 1, "It failed.", None)
    assert (now.run_at - Attempt.objects.get().ended_at).total_seconds() == pytest.approx(100, abs=1)


def test_a_down_waits_for_the_reopening_of_its_pool_and_keeps_its_turn():
    job = started("pooled")
    turn = row(job).turn
    end(job, "down", error="Refused.", after_s=500)
    now, pool = row(job), Pool.objects.get(pk="gateway")
    assert (now.status, now.attempts, now.downs, now.turn) == ("scheduled", 0, 1, turn)
    assert now.run_at - pool.closed_until == timedelta(seconds=30)


def test_a_down_that_closes_nothing_waits_too():
    job = started("pooled")
    end(job, "down", hard=False)
    assert (row(job).run_at - Attempt.objects.get().ended_at).total_seconds() == pytest.approx(60, abs=1)


def test_a_database_that_was_away_closes_no_pool():
    job = started("pooled")
    end(job, "down", blames_pool=False, error_kind="database")
    assert Pool.objects.get(pk="gateway").closed_until is None


def test_a_job_whose_kind_is_no_longer_known_still_ends(monkeypatch):
    job = started("plain")
    monkeypatch.delitem(KINDS, "plain")
    assert end(job, "crashed").status == "ready"
    assert row(job).crashes == 1


# fenced


@pytest.mark.parametrize("outcome", ["succeeded", "retry", "down", "stopped"])
def test_who_has_lost_the_job_writes_nothing(outcome):
    job = started("pooled", items=["a"])
    end(job, "drained")
    again = take()
    before = (row(job), Seat.objects.get(pool="gateway"), Pool.objects.get(pk="gateway"), Item.objects.get())
    how = Attempted(outcome=outcome, result={"n": 1}, error="Late.")
    assert finish.end(job.id, job.token, how) is None
    assert finish.end(job.id, uuid.uuid4(), how) is None
    after = (row(job), Seat.objects.get(pool="gateway"), Pool.objects.get(pk="gateway"), Item.objects.get())
    assert [vars_of(was) for was in before] == [vars_of(now) for now in after]
    assert Attempt.objects.count() == 1
    assert end(again).outcome == "succeeded"


def vars_of(instance):
    return {field.attname: getattr(instance, field.attname) for field in instance._meta.fields}


def test_an_ending_that_is_sent_twice_counts_once():
    job = started()
    end(job)
    assert finish.end(job.id, job.token, Attempted(outcome="retry")) is None
    assert status(job) == "succeeded"


def test_a_sign_of_an_outage_from_a_job_that_was_taken_over_closes_nothing(monkeypatch):
    """The pool is judged before the job is locked; what loses the job meanwhile takes its sign back."""
    job = started("pooled")
    judge = finish.pools.down

    def overtaken(*args, **signs):
        closed = judge(*args, **signs)
        Job.objects.filter(pk=job.id).update(token=uuid.uuid4())
        return closed

    monkeypatch.setattr(finish.pools, "down", overtaken)
    assert finish.end(job.id, job.token, Attempted(outcome="down")) is None
    assert Pool.objects.get(pk="gateway").closed_until is None


# items


@pytest.mark.parametrize(
    ("done", "state"), [({"a": "ok", "b": "ok"}, "succeeded"), ({"a": "ok", "b": "failed"}, "partial")]
)
def test_items_decide_what_a_return_is(done, state):
    job = started("items", items=["a", "b"])
    for key, outcome in done.items():
        Item.objects.filter(key=key).update(status=outcome)
    assert end(job).status == state


def test_an_interrupted_item_is_open_again_and_a_finished_one_is_not():
    job = started("items", items=["a", "b", "c"])
    Item.objects.filter(key="a").update(status="ok")
    Item.objects.filter(key="b").update(status="running")
    end(job, "drained")
    assert list(Item.objects.order_by("position").values_list("status", flat=True)) == ["ok", "pending", "pending"]


@pytest.mark.parametrize("outcome", ["stopped", "retry"])
def test_a_stop_cancels_the_open_items_and_keeps_the_finished_ones(outcome):
    job = started("items", items=["a", "b", "c"])
    Item.objects.filter(key="a").update(status="ok")
    Item.objects.filter(key="b").update(status="running")
    api.stop(job.id, by="ana")
    ending = end(job, outcome)
    assert (ending.status, ending.items) == ("cancelled", {"ok": 1, "cancelled": 2})
    assert not Item.objects.filter(status="cancelled", ended_at=None).exists()


def test_a_second_run_begins_at_the_first_open_item():
    job = started("items", items=["a", "b", "c"])
    run = Run(job)
    first = next(run.items())
    with run.save():
        first.ok()
    end(job, "drained")
    assert [item.key for item in Run(take()).items()] == ["b", "c"]


# what is stored


@pytest.mark.parametrize(
    ("error", "stored"),
    [
        ("a\x00b", "a b"),
        ("lone \udcff surrogate", "lone   surrogate"),
        ("Bearer abcdefghijkl was refused", "Bearer [hidden] was refused"),
        ("é" * 600, "é" * 499 + "…"),
    ],
)
def test_an_error_is_stored_cut_and_clean(error, stored):
    job = started()
    end(job, "rejected", error=error)
    assert row(job).error == stored


def test_a_page_of_html_becomes_500_characters_and_2000_of_the_attempt():
    job = started()
    end(job, "rejected", error="<html>\x00" + "<p>é</p>" * 25_000)
    assert (len(row(job).error), len(Attempt.objects.get().error)) == (500, 2000)


def test_a_name_of_an_error_that_is_too_long_is_cut():
    job = started()
    end(job, "rejected", error_kind="E" * 300)
    assert row(job).error_kind == "E" * 64


@pytest.mark.parametrize(
    ("result", "sentence"),
    [
        ({"value": float("nan")}, "The result of the job cannot be stored as JSON"),
        ({"value": float("inf")}, "The result of the job cannot be stored as JSON"),
        ({"value": 2**64}, "The result of the job holds a number beyond 64 bits."),
        ({"text": "x" * 70_000}, "The result of the job is larger than 64 KiB"),
        ({"text": "\x00"}, "The result of the job holds a NUL"),
        ({"text": object()}, "The result of the job cannot be stored as JSON"),
    ],
)
def test_a_result_that_cannot_be_stored_fails_the_job_and_not_its_ending(result, sentence):
    job = started()
    assert end(job, result=result).status == "failed"
    assert row(job).error.startswith(sentence)
    assert row(job).error_kind == "result"


# what it leaves


def test_nothing_of_the_call_is_left():
    job = started("pooled")
    called(job)
    end(job)
    assert not Call.objects.exists()
