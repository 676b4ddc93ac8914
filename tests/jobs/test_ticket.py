"""A ticket says what a job waits for, how many are before it, and when it will probably start."""

from datetime import timedelta

import pytest
from django.db import connection
from django.db.models.functions import Now
from django.test.utils import CaptureQueriesContext

from jobs import api, sql
from jobs.models import Item, Job, Worker
from jobs.registry import KINDS
from jobs.transitions import lanes, pools
from jobs.worker.run import Run
from tests.jobs.rows import WORKER, called, end, enqueue, later, row, started, take

pytestmark = pytest.mark.usefixtures("queue")


@pytest.fixture(autouse=True)
def worker(queue):
    """Somebody serves everything."""
    Worker.objects.create(id=WORKER, host="h", pid=1, slots=1, pools=["gateway", "wide"], kinds=list(KINDS))


def ticket(job):
    return api.ticket_of(job if isinstance(job, int) else job.id)


def said(job):
    found = ticket(job)
    return found.reason, found.sentence


# what it waits for


def test_a_job_that_is_next_says_so():
    assert said(enqueue("1")[0]) == ("turn", "It is next.")


def test_others_are_before_it():
    tickets = enqueue("1", "2", "3")
    assert said(tickets[2]) == ("turn", "2 before it.")


def test_it_waits_for_a_seat():
    started("pooled", "1")
    assert said(enqueue("2", kind="pooled")[0]) == ("seat", "It is next; every place at the service is taken.")


def test_it_waits_for_the_gap():
    sql.run("UPDATE jobs_seat SET free_at = clock_timestamp() + interval '12 s'")
    assert said(enqueue("1", kind="pooled")[0]) == ("gap", "It is next; the service rests for 12 s.")


def test_it_waits_for_a_job_of_its_lane():
    started("lined", "1")
    assert said(enqueue("2", kind="lined")[0]) == ("lane", "Lined of the same source comes first.")


def test_it_waits_for_an_edit_that_holds_its_lane():
    ticket_ = enqueue("1", kind="lined")[0]
    Job.objects.update(status="waiting")
    sql.run(
        "UPDATE jobs_lane SET held_kind = 'test-edit', held_label = 'A test''s edit', held_token = gen_random_uuid(),"
        " held_until = clock_timestamp() + interval '30 s'"
    )
    assert said(ticket_) == ("hold", "A test's edit is at work on the same thing.")


def test_it_waits_for_its_closed_pool_and_says_when_it_is_tried_again():
    first, second = enqueue("1", "2", kind="pooled")
    end(take(), "down", after_s=3600)
    found = ticket(second)
    until = sql.row("SELECT closed_at, closed_until FROM jobs_pool WHERE name = 'gateway'")
    assert (found.retry_at, found.closed_since) == (until["closed_until"], until["closed_at"])
    assert said(second) == ("closed", f"The service is not answering; next try {until['closed_until']:%H:%M} UTC.")
    asked_at = row(first).run_at
    assert said(first) == ("closed", f"The service was not answering; it is asked again at {asked_at:%H:%M:%S} UTC.")


def test_it_waits_for_the_one_that_tries_a_pool_that_was_away():
    """Other seats are free meanwhile, and it gets none of them."""
    Worker.objects.update(slots=4)
    closed, second, third = enqueue("1", "2", "3", kind="pooled", args={"pool": "wide"})
    end(take(), "down")
    pools.probe("wide", by="staff")
    assert said(second) == ("turn", "It is next.")
    probe = take()
    assert (probe.id, said(third)[0]) == (second.id, "recovering")
    assert said(third)[1] == "It is next; the service has been away, and another job is trying it first."
    assert ticket(third).starts_from is None
    pools.answered("wide", started_at=row(probe).started_at)
    assert said(third) == ("turn", "It is next.")
    assert row(closed).status == "scheduled"


def test_what_began_before_its_pool_closed_tries_nothing():
    Worker.objects.update(slots=4)
    enqueue("1", "2", "3", kind="pooled", args={"pool": "wide"})
    take()
    end(take(), "down")
    pools.probe("wide", by="staff")
    assert said(Job.objects.get(subject="3").pk) == ("turn", "It is next.")


def test_it_waits_for_its_lane_that_staff_paused():
    ticket_ = enqueue("1", kind="lined")[0]
    lanes.pause("lane:1", by="ana", paused=True)
    assert said(ticket_) == ("paused", "Its line is paused by staff.")


def test_it_waits_for_a_pool_without_places():
    ticket_ = enqueue("1", "2", kind="pooled")[1]
    pools.change("gateway", by="staff", capacity=0)
    assert said(ticket_) == ("paused", "The service has no place for Coach at this hour; staff decide which.")
    assert ticket(ticket_).starts_from is None


def test_it_waits_for_its_pool_that_staff_paused():
    ticket_ = enqueue("1", kind="pooled")[0]
    pools.change("gateway", by="staff", paused=True)
    assert said(ticket_) == ("paused", "The service is paused by staff.")


def test_it_waits_for_its_time():
    job = started()
    end(job, "snoozed", after_s=600)
    assert said(job) == ("run_at", f"It is set for {row(job).run_at:%H:%M:%S} UTC.")


def test_a_time_that_has_come_is_nothing_to_wait_for_when_nobody_serves_it():
    """Nobody moves it into the line: that, not a moment of the past, is what is in the way."""
    job = started()
    end(job, "snoozed", after_s=600)
    Worker.objects.all().delete()
    assert said(job)[0] == "run_at"
    Job.objects.update(run_at=Now() - timedelta(minutes=1))
    assert said(job) == ("no_worker", "No worker that serves it is running.")


def test_it_waits_for_its_next_attempt():
    job = started()
    end(job, "retry", after_s=600, error="It failed.")
    assert said(job) == ("run_at", f"The last attempt failed; the next one is at {row(job).run_at:%H:%M:%S} UTC.")


@pytest.mark.parametrize(
    "change",
    [
        {"kinds": ["plain"]},
        {"pools": ["wide"]},
        {"draining": True},
        {"heartbeat_at": "2020-01-01T00:00Z"},
    ],
)
def test_no_worker_serves_it(change):
    Worker.objects.update(**change)
    assert said(enqueue("1", kind="pooled")[0]) == ("no_worker", "No worker that serves it is running.")


def test_a_queue_that_is_switched_off_says_so(tune):
    ticket_ = enqueue("1")[0]
    tune(ENABLED=False)
    assert said(ticket_) == ("disabled", "The queue is switched off.")


def test_a_running_job_says_so_with_what_it_has_done():
    job = started()
    Run(job).progress(3, 10, "reading")
    found = ticket(job)
    assert (found.sentence, found.progress, found.is_active) == ("It is running.", (3, 10, "reading"), True)
    assert 0 <= found.elapsed_s < 10


def test_a_running_job_that_is_asked_to_stop_says_so():
    job = started()
    assert ticket(job).can_stop
    api.stop(job.id, by="ana")
    assert (said(job), ticket(job).can_stop) == (("", "It is being stopped."), False)


def test_a_job_of_a_silent_worker_says_when_it_moves_on(tune):
    tune(SELF_KILL_SECONDS=35, RESCUE_SECONDS=45)
    job = started()
    sql.run("UPDATE jobs_worker SET heartbeat_at = clock_timestamp() - interval '38 s'")
    assert said(job) == ("silent_worker", "Its worker has fallen silent; the job moves on in 7 s.")


@pytest.mark.parametrize(
    ("outcome", "status", "can_retry"),
    [("succeeded", "succeeded", False), ("rejected", "failed", True), ("stopped", "cancelled", True)],
)
def test_a_finished_job_waits_for_nothing(outcome, status, can_retry):
    job = started()
    end(job, outcome, error="" if outcome != "rejected" else "No.")
    found = ticket(job)
    assert (found.status, found.is_finished, found.can_stop, found.can_retry) == (status, True, False, can_retry)
    assert (found.sentence, found.position, found.error) == ("", None, "No." if outcome == "rejected" else "")


def test_items_are_counted_by_their_state():
    found = enqueue("1", kind="items", items=["a", "b", "c"])[0]
    Item.objects.filter(key="a").update(status="ok")
    assert ticket(found).items == {"ok": 1, "pending": 2}


# its place


def test_the_position_counts_what_is_due_before_it_in_its_pool():
    tickets = enqueue(*map(str, range(5)), kind="pooled")
    enqueue("elsewhere", kind="pooled", args={"pool": "wide"})
    enqueue("without")
    assert [ticket(found).position for found in tickets] == [1, 2, 3, 4, 5]


def test_jobs_that_wait_in_lanes_for_the_same_pool_are_before_it_too():
    enqueue("1", "2", kind="both")
    assert ticket(enqueue("3", kind="pooled")[0]).position == 3


def test_a_promotion_moves_the_positions():
    tickets = enqueue(*map(str, range(3)))
    api.promote(tickets[2].id, by="staff")
    assert [ticket(found).position for found in tickets] == [2, 3, 1]


def test_jobs_that_nobody_serves_any_more_are_not_before_it():
    enqueue("gone")
    Job.objects.update(kind="a kind of an older release")
    assert ticket(enqueue("1")[0]).position == 1


def test_what_is_ahead_is_told_by_kind():
    enqueue("1", "2", kind="pooled")
    enqueue("3", kind="calls")
    found = ticket(enqueue("4", kind="pooled")[0])
    assert (found.ahead, found.position) == ({"calls": 1, "pooled": 2}, 4)


def test_the_ready_head_of_its_lane_is_before_it_though_it_needs_no_pool():
    enqueue("1", kind="lined")
    found = ticket(enqueue("2", kind="both")[0])
    assert (found.ahead, found.position) == ({"lined": 1}, 2)


def test_a_position_is_exact_up_to_a_thousand():
    api.enqueue_many("plain", [api.New(owner="ana", subject=str(number)) for number in range(1100)])
    order = list(Job.objects.in_turn().values_list("id", flat=True))
    assert [ticket(order[place - 1]).position for place in (1, 2, 500, 1000)] == [1, 2, 500, 1000]
    assert ticket(order[1099]).position == 1001


# whose


def test_the_newest_of_an_identity_is_the_one_that_counts():
    end(started(fingerprint="f1"))
    again = api.enqueue("plain", "ana", "1", fingerprint="f2")
    assert api.ticket("plain", "ana", "1").id == again.id
    assert api.ticket("plain", "ana", "other") is None


def test_an_owner_sees_the_active_jobs_in_order_then_what_ended_today():
    old, done = started("plain", "old"), started("plain", "done")
    for job in (old, done):
        end(job)
    later(old, -90_000, "ended_at")
    first, second = enqueue("1", "2")
    api.enqueue("plain", "ben", "1")
    api.promote(second.id, by="staff")
    assert [found.id for found in api.tickets("ana")] == [second.id, first.id, done.id]
    assert len(api.tickets("ana", limit=1)) == 1


def test_active_jobs_are_counted_by_status():
    started("plain", "1")
    enqueue("2", "3")
    enqueue("4", "5", kind="lined")
    end(started("items", "6"))
    assert api.counts("ana") == {"running": 1, "ready": 3, "waiting": 1}


@pytest.mark.parametrize("kind", ["plain", "lined", "both"])
def test_a_ticket_takes_at_most_four_statements(kind):
    found = enqueue("1", kind=kind)[0]
    with CaptureQueriesContext(connection) as sent:
        ticket(found)
    assert len(sent) <= 4


def test_a_call_in_flight_does_not_change_what_the_ticket_says():
    job = started("pooled")
    called(job)
    Worker.objects.update(heartbeat_at=Now())
    assert said(job) == ("", "It is running.")
