"""A seat is free when its upstream is: how long it rests after each way in which an attempt can end."""

import contextlib

import pytest

from jobs import api, sql
from jobs.models import Seat
from jobs.transitions import calls, pools
from jobs.worker.run import Run
from tests.jobs.rows import called, end, seat_rests_s, started, take

pytestmark = pytest.mark.usefixtures("queue")

GAP = 20


@pytest.fixture(autouse=True)
def gap(queue):
    pools.change("gateway", by="test", capacity=1, gap_s=GAP)


def why():
    return Seat.objects.get(pool="gateway").why


def rests(seconds):
    return pytest.approx(seconds, abs=2)


@pytest.mark.parametrize("outcome", ["succeeded", "retry", "stopped", "crashed", "drained"])
def test_a_job_that_made_no_call_frees_its_seat_at_once(outcome):
    end(started("pooled"), outcome)
    assert (seat_rests_s() <= 0, why()) == (True, "")


@pytest.mark.parametrize("outcome", ["succeeded", "retry", "stopped", "timeout", "crashed"])
@pytest.mark.parametrize("streamed", [True, False])
def test_after_a_call_that_is_over_it_rests_for_the_gap(outcome, streamed):
    job = started("pooled")
    called(job, streamed=streamed)
    calls.over(job.id, job.token)
    end(job, outcome)
    assert (seat_rests_s(), why()) == (rests(GAP), "gap")


def test_the_gap_counts_from_the_end_of_the_call_not_of_the_job():
    job = started("pooled")
    called(job)
    calls.over(job.id, job.token)
    sql.run("UPDATE jobs_call SET over_at = over_at - interval '15 s'")
    end(job)
    assert seat_rests_s() == rests(GAP - 15)


@pytest.mark.parametrize(("spoke", "seconds"), [(True, 5), (False, 60)])
def test_after_a_stream_was_broken_off_it_lingers(spoke, seconds):
    job = started("pooled")
    called(job, timeout_s=1000)
    if spoke:
        calls.spoke(job.id, job.token)
    calls.broken(job.id, job.token)
    end(job, "stopped")
    assert (seat_rests_s(), why()) == (rests(seconds + GAP), "lingering")


@pytest.mark.parametrize(("spoke", "seconds"), [(True, 5), (False, 60)])
def test_after_the_death_of_a_process_in_a_stream_it_lingers_as_if_broken_off_now(spoke, seconds):
    """The kernel shut its sockets."""
    job = started("pooled")
    called(job, timeout_s=1000)
    if spoke:
        calls.spoke(job.id, job.token)
    end(job, "crashed")
    assert (seat_rests_s(), why()) == (rests(seconds + GAP), "lingering")


@pytest.mark.parametrize("ended", ["stopped", "crashed"])
@pytest.mark.parametrize(("spoke", "seconds"), [(True, 5), (False, 240)])
def test_a_caller_that_knows_how_long_a_prompt_is_read_says_so(ended, spoke, seconds):
    job = started("pooled")
    calls.begin(job.id, job.token, timeout_s=1000, streamed=True, linger_s=240)
    if spoke:
        calls.spoke(job.id, job.token)
    if ended == "stopped":
        calls.broken(job.id, job.token)
        assert calls.gap_left_s(job.id, job.token) == rests(seconds + GAP)
    end(job, ended)
    assert (seat_rests_s(), why()) == (rests(seconds + GAP), "lingering")


def test_after_a_worker_fell_silent_in_a_stream_it_lingers_to_the_end_of_the_call():
    """Its process may live, and the call with it."""
    job = started("pooled")
    called(job, timeout_s=1000)
    end(job, "crashed", process_ended=False)
    assert seat_rests_s() == rests(1000 + GAP)


@pytest.mark.parametrize("outcome", ["crashed", "stopped", "timeout", "retry"])
def test_a_call_that_is_not_streamed_goes_on_up_there_whatever_became_of_us(outcome):
    job = started("pooled")
    called(job, timeout_s=1000, streamed=False)
    calls.broken(job.id, job.token)
    end(job, outcome)
    assert (seat_rests_s(), why()) == (rests(1000 + GAP), "lingering")


def test_a_call_that_must_have_ended_long_ago_leaves_the_gap():
    job = started("pooled")
    called(job, timeout_s=-50, streamed=False)
    end(job, "crashed")
    assert seat_rests_s() == rests(GAP)


# run.call


def test_a_call_is_on_record_before_its_first_byte():
    job = started("pooled")
    with Run(job).call(timeout=30):
        end(job, "crashed", process_ended=False)
    assert seat_rests_s() == rests(30 + GAP)


@pytest.mark.parametrize(("how", "seconds"), [("answered", GAP), ("over", GAP), ("", 60 + GAP)])
def test_what_the_handler_says_of_its_call_decides(how, seconds):
    job = started("pooled")
    with Run(job).call(timeout=100) as call:
        if how:
            getattr(call, how)()
    end(job)
    assert seat_rests_s() == rests(seconds)


@pytest.mark.parametrize(
    ("error", "seconds"),
    [
        (api.UpstreamDown("Refused."), GAP),
        (api.Reject("It answered 400."), GAP),
        (api.UpstreamDown("Timed out.", linger=True), 60 + GAP),
        (api.Retry("It broke off."), 60 + GAP),
        (ValueError("Anything."), 60 + GAP),
    ],
)
def test_an_error_out_of_a_call_says_whether_the_upstream_may_go_on(error, seconds):
    job = started("pooled")
    with pytest.raises(type(error)), Run(job).call(timeout=100):
        raise error
    end(job, "retry")
    assert seat_rests_s() == rests(seconds)


def test_a_stopped_call_lingers_whatever_error_came_of_it():
    job = started("pooled")
    run = Run(job)
    with contextlib.suppress(api.UpstreamDown), run.call(timeout=100):
        run.end_early("stop")
        raise api.UpstreamDown("The socket is closed.")
    end(job, "stopped")
    assert seat_rests_s() == rests(60 + GAP)


def test_no_call_begins_after_a_stop_was_asked_for():
    job = started("pooled")
    api.stop(job.id, by="ana")
    with pytest.raises(api.Fenced, match="stopped or taken over before its call began"), Run(job).call(timeout=1):
        pytest.fail("The call began.")


def test_no_call_begins_once_the_job_was_taken_over():
    job = started("pooled")
    end(job, "drained")
    take()
    with pytest.raises(api.Fenced), Run(job).call(timeout=1):
        pytest.fail("The call began.")


@pytest.mark.parametrize(
    ("then", "seconds"),
    [("answered", GAP), ("spoke, broken", 5 + GAP), ("broken", 60 + GAP), ("not streamed, broken", 100 + GAP)],
)
def test_the_next_call_of_a_job_waits_as_its_seat_would(then, seconds):
    job = started("pooled")
    run = Run(job)
    with run.call(timeout=100, streamed="not streamed" not in then) as call:
        if "spoke" in then:
            call.token()
        if then == "answered":
            call.answered()
    assert calls.gap_left_s(job.id, job.token) == rests(seconds)


def test_the_first_call_of_a_job_waits_for_nothing():
    assert calls.gap_left_s(1, started("pooled").token) == 0
