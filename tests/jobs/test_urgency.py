"""Run now, past the gap and never past the capacity; and a change of priority."""

from datetime import timedelta
from functools import partial

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from coach.trial import TrialGateway
from jobs import api, sql, testing
from jobs.models import Audit, Job, Lane, Seat
from jobs.transitions import control, finish, invariants, lanes, pools, urgency
from jobs.transitions.claim import Claimed
from jobs.transitions.outcomes import Attempted
from tests.jobs.rows import called, calls, end, enqueue, row, started, status, take, try_claim
from tests.jobs.sessions import aside, in_step, together
from tests.jobs.test_upstream import gaps, in_flight
from tests.processes import until

pytestmark = pytest.mark.usefixtures("queue")


def resting(*, capacity=1, gap_s=60):
    """Have every seat of the gateway rest for its gap."""
    pools.change("gateway", by="test", capacity=capacity, gap_s=gap_s)
    for number, job in enumerate([started("pooled", f"before{n}") for n in range(capacity)]):
        called(job)
        calls.over(job.id, job.token)
        end(job)
        assert Seat.objects.filter(why="gap").count() == number + 1
    assert try_claim("pooled") is None


def newest():
    return Audit.objects.latest("pk")


# Run now


def test_it_runs_before_all_others_and_past_the_gap():
    resting()
    first, second = enqueue("1", "2", kind="pooled")
    api.promote(first.id, by="staff")
    assert urgency.run_now(second.id, by="staff") == "now"
    assert take("pooled").id == second.id
    assert try_claim("pooled") is None


def test_it_takes_no_second_seat():
    resting(capacity=2)
    jobs = enqueue("1", "2", "3", kind="pooled")
    assert [urgency.run_now(job.id, by="staff") for job in jobs] == ["now", "now", "now"]  # the last goes first
    assert [take("pooled").id for _ in range(2)] == [jobs[2].id, jobs[1].id]
    assert try_claim("pooled") is None
    assert Seat.objects.filter(pool="gateway").count() == 2


def test_one_gap_is_waived_for_one_job():
    resting(capacity=3)
    urgency.run_now(enqueue("1", kind="pooled")[0].id, by="staff")
    enqueue("2", "3", kind="pooled")
    take("pooled")
    assert try_claim("pooled") is None


def test_a_seat_that_is_free_anyway_waives_no_gap():
    resting(capacity=2)
    Seat.objects.filter(pk=Seat.objects.filter(pool="gateway")[0].pk).update(free_at=timezone.now())
    assert urgency.run_now(enqueue("1", kind="pooled")[0].id, by="staff") == "now"
    assert Seat.objects.filter(pool="gateway", why="gap", free_at__gt=timezone.now()).count() == 1


def test_a_seat_that_lingers_is_left_alone_as_the_upstream_may_still_work():
    called(job := started("pooled"))
    calls.broken(job.id, job.token)
    end(job, "stopped")
    assert Seat.objects.filter(why="lingering").exists()
    assert urgency.run_now(enqueue("2", kind="pooled")[0].id, by="staff") == "first"
    assert try_claim("pooled") is None


def test_a_seat_that_is_taken_stays_so():
    started("pooled")
    ticket = enqueue("2", kind="pooled")[0]
    assert urgency.run_now(ticket.id, by="staff") == "first"
    assert try_claim("pooled") is None


def test_the_gap_after_it_is_the_gap():
    resting(gap_s=100)
    urgency.run_now(enqueue("1", kind="pooled")[0].id, by="staff")
    called(job := take("pooled"))
    calls.over(job.id, job.token)
    end(job)
    assert Seat.objects.get(pool="gateway").free_at > timezone.now() + timedelta(seconds=90)


def test_what_was_set_for_later_runs_now():
    ticket = enqueue("1", run_at=timezone.now() + timedelta(hours=1))[0]
    assert urgency.run_now(ticket.id, by="staff") == "now"
    assert (row(ticket).run_at, take().id) == (None, ticket.id)


def test_in_a_lane_it_becomes_the_head():
    first, second = enqueue("1", "2", kind="lined")
    assert urgency.run_now(second.id, by="staff") == "now"
    assert [status(first), status(second)] == ["waiting", "ready"]


def test_behind_another_of_its_lane_it_is_left_where_it_was():
    started("lined", "1")
    ticket = enqueue("2", kind="lined")[0]
    assert urgency.run_now(ticket.id, by="staff") == "lane"
    assert (row(ticket).band, row(ticket).promoted) == (1, "")
    assert not Audit.objects.exists()


@pytest.mark.parametrize("what", ["pool", "lane", "hold", "closed"])
def test_what_is_paused_held_or_closed_stays_so(what):
    ticket = enqueue("1", kind="both")[0]
    if what == "pool":
        pools.change("gateway", by="staff", paused=True)
    elif what == "lane":
        lanes.pause("lane:1", by="ana", paused=True)
    elif what == "hold":
        Lane.objects.update(held_token="00000000-0000-0000-0000-000000000001", held_until=timezone.now() + timedelta(1))
    else:
        later = timezone.now() + timedelta(seconds=1)
        pools.down("gateway", job=1, started_at=later, reason="Refused.", hard=True)
    assert urgency.run_now(ticket.id, by="staff") == ("closed" if what == "closed" else "paused")
    assert row(ticket).promoted == ""


@pytest.mark.parametrize("state", ["running", "finished", "missing"])
def test_what_is_not_in_line_is_over(state):
    job = started()
    if state == "finished":
        end(job)
    assert urgency.run_now(0 if state == "missing" else job.id, by="staff") == "over"


def test_a_recovering_pool_admits_no_more_for_it():
    pools.change("gateway", by="staff", capacity=3)
    later = timezone.now() + timedelta(seconds=1)
    pools.down("gateway", job=1, started_at=later, reason="Refused.", hard=True)
    sql.run("UPDATE jobs_pool SET closed_at = now() - interval '1 s', closed_until = now()")
    for ticket in enqueue("1", "2", kind="pooled"):
        urgency.run_now(ticket.id, by="staff")
    take("pooled")
    assert try_claim("pooled") is None


def test_who_asked_and_what_it_changed_is_on_record():
    resting()
    ticket = enqueue("1", kind="pooled")[0]
    urgency.run_now(ticket.id, by="staff")
    entry = newest()
    assert (entry.actor, entry.action, entry.target) == ("staff", "job.run_now", f"job {ticket.id}")
    assert entry.old == {"status": "ready", "promoted": ""}
    assert entry.new["promoted"] == "now"
    assert entry.new["gap waived of seat"] == Seat.objects.get(pool="gateway").pk


def test_somebody_who_holds_the_lane_this_moment_is_not_waited_for():
    ticket = enqueue("1", kind="lined")[0]
    with sql.short_transaction():
        sql.rows("SELECT 1 FROM jobs_lane FOR UPDATE")
        assert aside(lambda: urgency.run_now(ticket.id, by="staff")) == "busy"


def test_wishes_to_run_now_that_race_with_claims_never_pass_the_capacity():
    resting(capacity=3)
    tickets = enqueue(*map(str, range(40)), kind="pooled")
    most, deadlines = [], iter(range(10**6))

    def disturb():
        for ticket in tickets:
            urgency.run_now(ticket.id, by="staff")

    def work():
        while Job.objects.queued().exists() and next(deadlines) < 20_000:
            job = try_claim("pooled")
            if isinstance(job, Claimed):
                most.append(Job.objects.running().count())
                called(job)
                calls.over(job.id, job.token)
                finish.end(job.id, job.token, Attempted(outcome="succeeded"))
            else:
                sql.run("UPDATE jobs_seat SET free_at = clock_timestamp() WHERE job IS NULL AND pool = 'gateway'")

    together(work, work, work, work, disturb, disturb)
    assert max(most) <= 3
    assert not Job.objects.active().exists()
    assert Seat.objects.filter(pool="gateway").count() == 3


def test_of_two_wishes_at_once_each_counts_and_one_seat_serves_one():
    resting(capacity=2)
    for number in range(20):
        first, second = enqueue(f"a{number}", f"b{number}", kind="pooled")
        acts = [partial(urgency.run_now, ticket.id, by="staff") for ticket in (first, second)]
        in_step(*[[act] for act in acts])
        running = [take("pooled")]
        while isinstance(job := try_claim("pooled"), Claimed):
            running.append(job)
        assert {job.id for job in running} <= {first.id, second.id}
        for job in running:
            called(job)
            calls.over(job.id, job.token)
            end(job)
        for ticket in (first, second):
            control.stop(ticket.id, by="test")
        assert Seat.objects.filter(pool="gateway").count() == 2


def test_lanes_and_wishes_that_race_deadlock_nobody():
    tickets = enqueue(*map(str, range(30)), kind="both")

    def work():
        for _ in range(3000):
            job = try_claim()
            if isinstance(job, Claimed):
                finish.end(job.id, job.token, Attempted(outcome="succeeded"))
            elif not Job.objects.queued().exists():
                return

    def disturb(act):
        for ticket in tickets:
            act(ticket.id, by="staff")

    pools.change("gateway", by="test", gap_s=0)
    together(
        work, work, partial(disturb, urgency.run_now), partial(disturb, urgency.run_now), partial(disturb, api.stop)
    )
    assert [violation.rule.name for violation in invariants.violations()] in ([], ["ready-job-is-served"])


def test_staff_who_hurry_a_real_gateway_meet_its_capacity_and_leave_its_gap(start_worker):
    """What the gateway's own log saw decides."""
    with TrialGateway(delay_s=0.3) as gateway:
        pools.change("gateway", by="test", capacity=1, gap_s=30)
        tickets = [api.enqueue("calls", "ana", str(n), args={"url": gateway.url}) for n in range(3)]
        start_worker(slots=2)
        assert testing.wait(tickets[0].id).status == "succeeded"
        for ticket in tickets[1:]:
            until(lambda: Seat.objects.filter(pool="gateway", why="gap").exists(), what="the seat rests")
            assert urgency.run_now(ticket.id, by="staff") == "now"
            assert testing.wait(ticket.id).status == "succeeded"
        log = gateway.log()
        assert in_flight(log) == 1
        assert all(0 <= gap < 15 for gap in gaps(log))
        rests = Seat.objects.get(pool="gateway").free_at - timezone.now()
        assert rests > timedelta(seconds=15)


# Priority


def test_another_priority_moves_the_turn_by_its_ageing(tune):
    first, second = enqueue("1", "2")
    assert urgency.change_priority(second.id, 0, by="staff") is True
    assert row(second).turn == row(second).vturn
    assert take().id == second.id
    assert first.id == take().id


def test_what_goes_first_anyway_keeps_its_place():
    _, second = enqueue("1", "2")
    api.promote(second.id, by="staff")
    turn = row(second).turn
    urgency.change_priority(second.id, 50, by="staff")
    assert (row(second).turn, row(second).priority) == (turn, 50)


def test_in_a_lane_the_head_is_chosen_anew():
    first, second = enqueue("1", "2", kind="lined")
    urgency.change_priority(second.id, 0, by="staff")
    assert [status(first), status(second)] == ["waiting", "ready"]


@pytest.mark.parametrize("state", ["same", "running", "finished", "missing"])
def test_what_cannot_change_says_so(state):
    ticket = enqueue("1")[0]
    if state in ("running", "finished"):
        job = take()
        if state == "finished":
            end(job)
    number = 0 if state == "missing" else ticket.id
    assert urgency.change_priority(number, 10 if state == "same" else 3, by="staff") is False
    assert not Audit.objects.exists()


def test_the_old_and_the_new_priority_are_on_record():
    ticket = enqueue("1")[0]
    urgency.change_priority(ticket.id, 3, by="staff")
    assert (newest().action, newest().old, newest().new) == ("job.priority", {"priority": 10}, {"priority": 3})


def test_changes_of_priority_beside_claims_and_ends_move_only_what_waits():
    tickets = enqueue(*map(str, range(40)))
    again = [partial(urgency.change_priority, ticket.id, 3, by="staff") for ticket in tickets]
    for moved, job in in_step(again, [try_claim] * len(tickets)):
        assert moved in (True, False)
        if isinstance(job, Claimed):
            end(job)
    assert Audit.objects.filter(action="job.priority").count() == Job.objects.filter(priority=3).count()


# Retry of failed items


def test_only_a_job_of_which_an_item_failed_is_tried_again():
    job = started("items", items=["good", "bad"])
    sql.run("UPDATE jobs_item SET status = CASE key WHEN 'bad' THEN 'failed' ELSE 'ok' END")
    end(job)
    other = started("plain", "2")
    end(other, "rejected")
    assert control.retry(other.id, by="staff", failed_items=True) is False
    assert control.retry(job.id, by="staff", failed_items=True) is True
    assert (newest().action, newest().new) == ("job.retry_items", {"status": "ready"})
    assert status(other) == "failed"


# What the statements cost


def test_they_send_few_statements():
    resting()
    first, second = enqueue("1", "2", kind="pooled")
    with CaptureQueriesContext(connection) as sent:
        urgency.run_now(first.id, by="staff")
    # begin, bounds, look, first, where it stands, waive, audit, is a seat free, commit, wake
    assert len(sent) <= 10, [query["sql"][:60] for query in sent]
    with CaptureQueriesContext(connection) as sent:
        urgency.change_priority(second.id, 3, by="staff")
    assert len(sent) <= 6, [query["sql"][:60] for query in sent]
