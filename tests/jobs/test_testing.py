"""What the queue offers to the tests of projects that use it."""

import pytest

from jobs import api, testing
from jobs.models import Job
from jobs.transitions import pools
from tests.jobs.rows import enqueue, row, status

pytestmark = pytest.mark.usefixtures("queue")


def test_run_due_runs_what_is_due_and_counts_it():
    tickets = enqueue("1", "2") + enqueue("3", "4", kind="lined") + enqueue("5", "6", kind="both")
    assert testing.run_due() == 6
    assert {status(ticket) for ticket in tickets} == {"succeeded"}


def test_run_due_leaves_what_is_set_for_later():
    ticket = enqueue("1", run_at=row(enqueue("x")[0]).created_at.replace(year=2040))[0]
    testing.run_due()
    assert status(ticket) == "scheduled"


def test_run_due_runs_no_more_than_it_is_told():
    enqueue("1", "2", "3")
    assert testing.run_due(most=2) == 2


def test_run_due_keeps_pauses_and_closings():
    ticket = enqueue("1", kind="pooled")[0]
    pools.change("gateway", by="test", paused=True)
    assert testing.run_due() == 0
    assert status(ticket) == "ready"


def test_drain_runs_what_is_set_for_later_too():
    ticket = enqueue("1", kind="raises", args={"error": "Retry", "message": "It did not work."})[0]
    assert testing.drain() == 2
    assert (row(ticket).status, row(ticket).error, row(ticket).attempts) == ("failed", "It did not work.", 2)


@pytest.mark.parametrize(
    ("error", "state", "kind"),
    [
        ("Reject", "failed", "rejected"),
        ("Snooze", "scheduled", ""),
        ("UpstreamDown", "scheduled", "down"),
        ("Misconfigured", "scheduled", "misconfigured"),
        ("RuntimeError", "scheduled", "RuntimeError"),
    ],
)
def test_an_exception_ends_an_attempt_as_in_a_worker(error, state, kind):
    ticket = enqueue("1", kind="raises", args={"error": error})[0]
    assert testing.run_due() == 1
    assert (row(ticket).status, row(ticket).error_kind) == (state, kind)


def test_items_end_as_in_a_worker():
    ticket = enqueue("1", kind="items", items=["a", "bad one", "part", "skip it"])[0]
    testing.run_due()
    found = api.ticket_of(ticket.id)
    assert (found.status, found.items) == ("partial", {"ok": 1, "failed": 1, "partial": 1, "skipped": 1})


def test_a_result_that_cannot_be_stored_ends_as_in_a_worker(monkeypatch):
    from dataclasses import replace

    from jobs.registry import KINDS

    monkeypatch.setitem(KINDS, "plain", replace(KINDS["plain"], handler=lambda run: {"value": float("nan")}))
    ticket = enqueue("1")[0]
    testing.run_due()
    assert (row(ticket).status, row(ticket).error_kind) == ("failed", "result")


def test_wait_returns_the_ticket_of_a_finished_job():
    ticket = enqueue("1")[0]
    testing.run_due()
    assert testing.wait(ticket.id).status == "succeeded"


def test_wait_says_what_a_job_still_waits_for():
    ticket = enqueue("1")[0]
    with pytest.raises(AssertionError, match=f"Job {ticket.id} is still ready: No worker that serves it is running"):
        testing.wait(ticket.id, seconds=0)


def test_wait_for_a_job_that_does_not_exist_says_so():
    with pytest.raises(AssertionError, match="There is no job 0"):
        testing.wait(0)


def test_assert_enqueued_sees_what_its_block_enqueues():
    with testing.assert_enqueued("plain", owner="ana", subject="1"):
        enqueue("1")
    assert Job.objects.count() == 1


@pytest.mark.parametrize("kind", ["plain", "items"])
def test_assert_enqueued_fails_when_its_block_does_not(kind):
    enqueue("1")
    with pytest.raises(AssertionError, match="was enqueued"), testing.assert_enqueued(kind, owner="ana", subject="1"):
        enqueue("1", "2")
