"""Enqueue beside other sessions: racing requests, slow open transactions, rollbacks, and a process that dies."""

import contextlib
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from jobs import api
from jobs.models import Job, Watch
from jobs.transitions import enqueue as transition
from jobs.transitions import sweep
from jobs.worker.run import Run
from tests.jobs.rows import end, row, started, status
from tests.jobs.sessions import aside, in_step, together

pytestmark = pytest.mark.usefixtures("queue")


class Undone(Exception):
    """Rolls a test's transaction back."""


def asks(count, **options):
    return [partial(api.enqueue, "plain", "ana", str(number), **options) for number in range(count)]


def test_of_many_requests_at_once_one_inserts_and_the_others_find_it_or_are_told_to_ask_again():
    for number, tickets in enumerate(in_step(*[asks(15, watch="7")] * 6)):
        assert {ticket.id for ticket in tickets} - {0} == {Job.objects.get(subject=str(number)).id}
        assert {ticket.status for ticket in tickets} <= {"ready", "enqueuing"}


def test_requests_that_race_for_a_job_that_ended_start_one_new_row():
    for number in range(10):
        end(started("plain", str(number), fingerprint="f1"))
    in_step(*[asks(10, fingerprint="f2")] * 4)
    assert sorted(Job.objects.values_list("subject", "fingerprint")) == sorted(
        (str(number), fingerprint) for number in range(10) for fingerprint in ("f1", "f2")
    )


def test_what_somebody_else_asked_for_and_had_done_in_between_is_not_done_again(monkeypatch):
    """The look-up is older than the insert, and by then nothing is active."""
    look = transition._newest

    def slow(wish):
        monkeypatch.setattr(transition, "_newest", look)
        found = look(wish)
        aside(lambda: end(started(fingerprint="f1")))
        return found

    monkeypatch.setattr(transition, "_newest", slow)
    assert api.enqueue("plain", "ana", "1", fingerprint="f1").status == "succeeded"
    assert Job.objects.count() == 1


def test_a_wish_beside_an_open_transaction_that_enqueues_it_does_not_wait():
    with transaction.atomic():
        mine = api.enqueue("plain", "ana", "1")
        theirs = aside(partial(api.enqueue, "plain", "ana", "1"))
        assert (theirs.id, theirs.status, theirs.sentence) == (0, "enqueuing", "It is being put in line.")
    assert api.enqueue("plain", "ana", "1").id == mine.id


@pytest.mark.parametrize("kind", ["plain", "lined", "pooled", "both"])
def test_a_slow_transaction_that_enqueues_holds_up_nobody(kind):
    """Not another's enqueue of the same owner and lane, not a poll, not a finish, not the lane, not a stop."""
    other = started(kind, "running", watch="7")
    with transaction.atomic():
        mine = api.enqueue(kind, "ana", "slow", watch="7")
        theirs = aside(partial(api.enqueue, kind, "ana", "theirs", watch="7"))
        assert theirs.position == 1
        assert aside(partial(end, other)).status == "succeeded"
        assert aside(partial(status, theirs)) == "ready"
        assert aside(partial(api.stop, theirs.id, by="ana")) == "cancelled"
    assert (row(mine).status, row(mine).band) == ("ready", 0)


def test_a_slow_transaction_that_polls_an_active_job_does_not_hold_up_its_end():
    """What a poll wishes and watches runs when it commits, not in its transaction."""
    job = started("lined", fingerprint="f1")
    waiting = api.enqueue("lined", "ana", "2")
    with transaction.atomic():
        api.enqueue("lined", "ana", "1", fingerprint="f2", watch="7")
        api.enqueue("lined", "ana", "2", watch="7")
        assert aside(partial(end, job)).status == "succeeded"
        assert aside(partial(status, waiting)) == "ready"


def test_what_is_enqueued_in_a_transaction_is_undone_with_it():
    with contextlib.suppress(Undone), transaction.atomic():
        api.enqueue("lined", "ana", "1", watch="7", items=["a"])
        raise Undone
    assert not Job.objects.exists()
    assert not Watch.objects.exists()
    assert api.enqueue("lined", "ana", "1").status == "ready"


def test_opposite_orders_in_two_transactions_do_not_deadlock():
    between = threading.Barrier(2)

    def both(first, second):
        with transaction.atomic():
            api.enqueue("plain", "ana", first)
            between.wait(10)
            api.enqueue("plain", "ana", second)

    for number in range(5):
        one, two = f"{number}a", f"{number}b"
        together(partial(both, one, two), partial(both, two, one))
    assert Job.objects.count() == 10


def test_what_another_transaction_was_enqueuing_and_took_back_is_tried_again_on_commit():
    asked, undone = threading.Event(), threading.Event()

    def other():
        with transaction.atomic():
            ticket = api.enqueue("plain", "ana", "1")
            asked.set()
            assert undone.wait(10)
        connection.close()
        return ticket.status

    with ThreadPoolExecutor(1) as thread:
        with contextlib.suppress(Undone), transaction.atomic():
            api.enqueue("plain", "ana", "1")
            running = thread.submit(other)
            assert asked.wait(10)
            raise Undone
        undone.set()
        assert running.result(10) == "enqueuing"
    assert status(Job.objects.get()) == "ready"


def test_what_runs_on_commit_may_be_lost_with_the_process(monkeypatch):
    with monkeypatch.context() as dying:
        dying.setattr(transaction, "on_commit", lambda act, **_: None)
        ticket = api.enqueue("lined", "ana", "1", watch="7")
    assert (row(ticket).status, row(ticket).band) == ("waiting", 0)
    sweep.quick()
    assert (status(ticket), row(ticket).band) == ("ready", 0)


def test_a_poll_does_not_wait_for_a_save_of_the_running_job():
    job = started(fingerprint="f1")
    with Run(job).save():
        aside(partial(api.enqueue, "plain", "ana", "1", fingerprint="f2", watch="7"))
    api.enqueue("plain", "ana", "1", fingerprint="f2")
    assert row(job).wanted_fingerprint == "f2"


def test_a_poll_does_not_wait_for_an_edit_that_holds_its_lane():
    with api.hold("lane:1", "test-edit"):
        ticket = aside(partial(api.enqueue, "lined", "ana", "1", watch="7"))
        assert ticket.status == "waiting"
    assert status(ticket) == "ready"


def test_a_retry_in_an_open_transaction_does_not_hold_up_a_poll_for_another_fingerprint():
    job = started(fingerprint="f1")
    end(job, "rejected")
    with transaction.atomic():
        assert api.retry(job.id, by="ana")
        assert aside(partial(api.enqueue, "plain", "ana", "1", fingerprint="f2")).status == "enqueuing"
    api.enqueue("plain", "ana", "1", fingerprint="f2")
    assert (row(job).status, row(job).wanted_fingerprint) == ("ready", "f2")


def test_an_enqueue_in_an_open_transaction_does_not_hold_up_a_retry():
    job = started(fingerprint="f1")
    end(job, "rejected")
    with transaction.atomic():
        api.enqueue("plain", "ana", "1", fingerprint="f2")
        assert aside(partial(api.retry, job.id, by="ana")) is False


def test_retries_and_enqueues_that_race_leave_one_active_job():
    jobs = [started("plain", str(number), fingerprint="f1") for number in range(15)]
    for job in jobs:
        end(job, "rejected")
    retries = [partial(api.retry, job.id, by="ana") for job in jobs]
    in_step(asks(15, fingerprint="f2"), retries, asks(15, fingerprint="f2"), retries)
    assert sorted(Job.objects.active().values_list("subject", flat=True)) == sorted(map(str, range(15)))


def test_nothing_lies_between_lock_and_insert_where_a_client_could_freeze():
    """In a transaction of the queue's own; the caller's transaction is the caller's."""
    with CaptureQueriesContext(connection) as sent:
        api.enqueue("plain", "ana", "1", watch="7")
    (locking,) = [query["sql"] for query in sent if "pg_try_advisory_xact_lock" in query["sql"]]
    assert "INSERT INTO jobs_job" in locking
    assert "BEGIN" not in [query["sql"] for query in sent]


def test_who_sees_no_row_yet_is_refused_by_the_index_and_finds_it(monkeypatch):
    """Its snapshot is older than the row, and the lock is free again."""
    insert = transition._insert

    def late(wish, *, after):
        monkeypatch.setattr(transition, "_insert", insert)
        api.enqueue("plain", "ana", "1")
        blind = transition.INSERT.replace("AND NOT EXISTS", "AND true OR NOT EXISTS")
        monkeypatch.setattr(transition, "INSERT", blind)
        return insert(wish, after=after)

    monkeypatch.setattr(transition, "_insert", late)
    ticket = api.enqueue("plain", "ana", "1")
    assert ticket.id == Job.objects.get().pk
