"""The breaker: an outage closes its pool at once or on the second sign, and costs no attempt."""

import pytest

from jobs import sql
from jobs.models import Audit, Job, Pool
from jobs.transitions import calls, pools
from tests.jobs.rows import called, end, enqueue, row, started, take, try_claim

pytestmark = pytest.mark.usefixtures("queue")


def pool():
    return Pool.objects.get(pk="gateway")


def closed_for_s():
    """Return for how long the pool stays closed; not above 0 when it is open."""
    found = sql.row(
        "SELECT coalesce(extract(epoch FROM closed_until - clock_timestamp()), 0)::float AS s FROM jobs_pool"
        " WHERE name = 'gateway'"
    )
    return found["s"]


def sign(job=1, *, hard=False, began="clock_timestamp()", **more):
    """Report a down by a job whose call began then; return whether it closed the pool."""
    moment = sql.row(f"SELECT {began} AS at")["at"]
    return pools.down("gateway", job=job, started_at=moment, reason="It is away.", hard=hard, **more)


def over(seconds_ago=1):
    """Let the closing be over, as if its time had passed."""
    sql.run(
        "UPDATE jobs_pool SET closed_at = clock_timestamp() - interval '1 h',"
        " closed_until = clock_timestamp() - make_interval(secs => %(s)s) WHERE name = 'gateway'",
        s=seconds_ago,
    )


def test_a_hard_sign_closes_at_once():
    assert sign(hard=True) is True
    assert (pool().admit, pool().failures, pool().closed_reason) == (1, 1, "It is away.")
    assert 22 < closed_for_s() <= 37.5


def test_one_soft_sign_closes_nothing():
    assert sign(1) is False
    assert closed_for_s() == 0


def test_two_soft_signs_of_different_jobs_close():
    sign(1)
    assert sign(2) is True


def test_soft_signs_of_one_job_alone_never_close():
    """A poison job must not take the upstream from all others."""
    assert [sign(1) for _ in range(5)] == [False] * 5


def test_an_answer_in_between_makes_the_next_soft_sign_the_first():
    sign(1)
    pools.answered("gateway", started_at=pool().clock.replace(year=2040))
    assert sign(2) is False


def test_each_closing_in_a_row_lasts_twice_as_long_up_to_a_quarter_of_an_hour():
    lasted = []
    for _ in range(8):
        sign(hard=True)
        lasted.append(closed_for_s())
        over()
    for seconds, middle in zip(lasted, [30, 60, 120, 240, 480, 900, 900, 900], strict=True):
        assert 0.74 * middle < seconds <= 1.25 * middle


def test_the_waits_are_spread():
    lasted = set()
    for _ in range(4):
        sign(hard=True)
        lasted.add(round(closed_for_s(), 1))
        sql.run("UPDATE jobs_pool SET closed_until = NULL, closed_at = NULL, admit = NULL, failures = 0")
    assert len(lasted) > 1


@pytest.mark.parametrize(("wait_s", "least", "most"), [(7200, 7200, 9000), (0.2, 1, 1.25), (10**9, 21_600, 27_000)])
def test_a_retry_after_is_obeyed_within_reason(wait_s, least, most):
    sign(hard=True, wait_s=wait_s)
    assert least - 1 < closed_for_s() <= most


def test_a_later_sign_never_shortens_a_closing():
    sign(hard=True, wait_s=3600)
    sign(hard=True)
    assert closed_for_s() > 3500


def test_a_misconfiguration_closes_for_long_and_no_longer_the_next_time(tune):
    tune(MISCONFIGURED_SECONDS=1800)
    for _ in range(3):
        sign(hard=True, step_s=1800)
        assert 1349 < closed_for_s() <= 2250
        over()


def test_a_call_from_before_the_closing_moves_nothing():
    before = "clock_timestamp() - interval '5 s'"
    sign(1, hard=True)
    was = pool()
    assert sign(2, hard=True, began=before) is False
    pools.answered("gateway", started_at=was.closed_at)
    now = pool()
    assert (now.closed_until, now.failures, now.admit) == (was.closed_until, was.failures, was.admit)


def test_any_sign_while_it_recovers_closes_again():
    sign(1, hard=True)
    over()
    assert sign(1) is True
    assert closed_for_s() > 40


def test_an_answer_reopens_step_by_step_and_forgets_the_failures_at_the_end():
    pools.change("gateway", by="test", capacity=5)
    sign(hard=True)
    over()
    steps = []
    for _ in range(3):
        pools.answered("gateway", started_at=sql.row("SELECT clock_timestamp() AS at")["at"])
        steps.append((pool().admit, pool().failures, pool().closed_reason))
    assert steps == [(2, 1, "It is away."), (4, 1, "It is away."), (None, 0, "")]


def test_an_answer_of_an_open_pool_writes_nothing():
    version = "SELECT xmin::text AS version FROM jobs_pool WHERE name = 'gateway'"
    before = sql.row(version)
    pools.answered("gateway", started_at=pool().clock)
    assert sql.row(version) == before


# as jobs meet it


def test_an_outage_spends_no_attempt_of_any_job():
    enqueue("1", "2", kind="pooled")
    for _ in range(4):
        job = take()
        called(job)
        calls.over(job.id, job.token)
        end(job, "down", error="Refused.")
        over()
        Job.objects.filter(status="scheduled").update(status="ready", run_at=None)
    assert set(Job.objects.values_list("attempts", flat=True)) == {0}


def test_while_it_is_closed_nothing_is_tried():
    enqueue("1", "2", kind="pooled")
    end(take(), "down")
    assert try_claim() is None


def test_another_job_probes_first_and_the_one_that_failed_keeps_its_turn():
    job = started("pooled", "1")
    turn = row(job).turn
    enqueue("2", kind="pooled")
    end(job, "down")
    over()
    assert take().subject == "2"
    assert row(job).turn == turn


def test_a_retry_after_of_two_hours_parks_the_pool_once_and_not_each_job():
    first, second = enqueue("1", "2", kind="pooled")
    end(take(), "down", after_s=7200)
    assert (row(first).status, row(second).status) == ("scheduled", "ready")
    assert closed_for_s() > 7000


def test_a_misconfiguration_is_a_down_that_closes_for_long():
    end(started("pooled"), "misconfigured", error="The key is wrong.")
    assert closed_for_s() > 1300
    assert (pool().closed_reason, row(Job.objects.get()).attempts) == ("The key is wrong.", 0)


def test_the_reason_of_a_closing_is_cut_and_clean():
    end(started("pooled"), "down", error="\x00" + "<p>" * 70_000)
    assert len(pool().closed_reason) == 500


def test_a_probe_by_staff_lets_one_job_try_at_once():
    sign(hard=True)
    enqueue("1", "2", kind="pooled")
    assert try_claim() is None
    assert pools.probe("gateway", by="staff") is True
    take()
    assert try_claim() is None
    entry = Audit.objects.get()
    assert (entry.actor, entry.action, entry.target) == ("staff", "pool.probe", "pool gateway")
    assert entry.old["closed_until"] > entry.new["closed_until"]


def test_an_open_pool_needs_no_probe():
    assert pools.probe("gateway", by="staff") is False
    assert not Audit.objects.exists()


def test_the_closing_survives_a_change_of_its_pool():
    sign(hard=True)
    pools.change("gateway", by="staff", gap_s=5)
    assert closed_for_s() > 20
    assert pool().admit == 1


# Attempts that are spent and yet say something about the upstream


def test_a_sign_that_needs_three_jobs_closes_with_the_third():
    assert [sign(job, signs=3) for job in (1, 2, 1, 2)] == [False] * 4
    assert sign(3, signs=3) is True


def spent(subject, outcome="retry", **how):
    """Have a job of the gateway spend an attempt in a call."""
    job = started("pooled", subject, owner=subject)
    called(job)
    end(job, outcome, error="It was silent.", **how)
    sql.run("UPDATE jobs_seat SET free_at = clock_timestamp()")
    return row(job)


def test_silence_met_by_two_jobs_in_a_row_closes_though_it_spends_the_attempts():
    first = spent("a", closes_after=2)
    assert closed_for_s() == 0
    second = spent("b", closes_after=2)
    assert closed_for_s() > 0
    assert (first.attempts, second.attempts) == (1, 1)
    assert pool().closed_reason == "It was silent."


def test_a_plain_failure_says_nothing_about_the_upstream():
    for subject in "abcd":
        spent(subject)
    assert closed_for_s() == 0


def test_two_jobs_that_their_time_out_ended_in_a_call_close_the_pool():
    spent("a", "timeout")
    spent("b", "timeout")
    assert closed_for_s() > 0


def test_a_time_out_outside_of_a_call_is_the_jobs_own():
    for subject in "ab":
        job = started("pooled", subject, owner=subject)
        end(job, "timeout")
    assert closed_for_s() == 0
