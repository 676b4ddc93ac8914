"""A call that begins late: its session was lost on the way, or its process slept after it was put on record."""

import contextlib

import pytest
from django.db import connection

from jobs import api
from jobs.models import Call
from jobs.transitions import calls
from jobs.worker import run as running
from jobs.worker.lease import Lease
from jobs.worker.run import Run
from tests.jobs.rows import end, row, started, status

pytestmark = pytest.mark.usefixtures("queue")

OWN_SESSION = "SELECT pg_terminate_backend(pg_backend_pid())"


class Clock:
    """The clock of the lease, moved by hand."""

    def __init__(self, monkeypatch):
        self.slept_s = 0.0
        real = running.now_s
        monkeypatch.setattr(running, "now_s", lambda: real() + self.slept_s)


@pytest.fixture
def clock(monkeypatch):
    return Clock(monkeypatch)


def before(monkeypatch, name, act):
    """Have `act` done right before the first of these statements, and nothing before the others."""
    real, acts = getattr(calls, name), [act]

    def acting(*args, **values):
        if acts:
            acts.pop()()
        return real(*args, **values)

    monkeypatch.setattr(calls, name, acting)


def after_begin(monkeypatch, *acts):
    """Have these done right after the call was put on record, one each time; return the times it was."""
    real, todo, begun = calls.begin, list(acts), []

    def acting(*args, **values):
        begun.append(real(*args, **values))
        if todo:
            todo.pop(0)()
        return begun[-1]

    monkeypatch.setattr(calls, "begin", acting)
    return begun


def lose_session():
    with connection.cursor() as cursor:
        cursor.execute(OWN_SESSION)


@pytest.mark.parametrize("name", ["gap_left_s", "begin"])
def test_a_session_lost_before_a_call_delays_it_by_no_more_than_a_new_session(name, monkeypatch):
    before(monkeypatch, name, lose_session)
    job = started("pooled")
    with Run(job).call(timeout=30) as call:
        call.answered()
    end(job)
    assert (status(job), row(job).attempts, row(job).downs) == ("succeeded", 0, 0)


def test_a_call_whose_record_was_committed_and_never_answered_is_put_on_record_once_more(monkeypatch):
    begun = after_begin(monkeypatch, lose_session)
    job = started("pooled")
    with Run(job).call(timeout=30):
        assert Call.objects.get().started_at == begun[-1]
    assert len(begun) == 2


def test_a_lost_session_is_not_waited_for_longer_than_the_lease(monkeypatch):
    class Shared:
        value = float("inf")

    def lose_both():
        Shared.value = 0.0
        lose_session()

    before(monkeypatch, "begin", lose_both)
    with pytest.raises(api.Stopped), Run(started("pooled"), Lease(Shared())).call(timeout=30):
        pytest.fail("The call began.")


def test_a_call_that_was_stopped_while_its_session_was_lost_does_not_begin(monkeypatch):
    job = started("pooled")

    def stop_and_lose():
        api.stop(job.id, by="ana")
        lose_session()

    before(monkeypatch, "begin", stop_and_lose)
    with pytest.raises(api.Fenced), Run(job).call(timeout=30):
        pytest.fail("The call began.")


def test_a_process_that_slept_after_the_record_puts_its_call_on_record_anew(monkeypatch, clock):
    def sleep():
        clock.slept_s += 25

    begun = after_begin(monkeypatch, sleep)
    with Run(started("pooled")).call(timeout=30) as call:
        assert call.left_s == pytest.approx(30, abs=1)
        assert Call.objects.get().started_at == begun[-1]
    assert len(begun) == 2


def test_a_process_that_slept_beyond_its_lease_makes_no_call(monkeypatch):
    class Shared:
        value = float("inf")

    def sleep():
        Shared.value = 0.0

    after_begin(monkeypatch, sleep)
    with pytest.raises(api.Stopped), Run(started("pooled"), Lease(Shared())).call(timeout=30):
        pytest.fail("The call began.")


def test_before_its_first_byte_a_call_asks_whether_its_time_is_over(clock):
    job = started("pooled")
    with contextlib.suppress(api.Snooze), Run(job).call(timeout=30) as call:
        call.check()
        clock.slept_s += 29
        call.check()
        clock.slept_s += 2
        pytest.fail(f"It may go out: {call.check()}")
    assert Call.objects.get().over_at is not None  # nothing went out, so the seat need not linger
    end(job, "snoozed", after_s=0)
    assert row(job).attempts == 0


def test_before_its_first_byte_a_call_asks_whether_it_was_stopped():
    run = Run(started("pooled"))
    with contextlib.suppress(api.Stopped), run.call(timeout=30) as call:
        run.end_early("stop")
        pytest.fail(f"It may go out: {call.check()}")
