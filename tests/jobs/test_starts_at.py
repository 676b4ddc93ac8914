"""When a job will probably start, from durations that were measured; silent where nothing is known."""

import uuid
from datetime import timedelta

import pytest

from jobs import api, sql
from jobs.models import Attempt, Worker
from jobs.registry import KINDS
from jobs.transitions import lanes, pools
from tests.jobs.rows import WORKER, end, enqueue, later, started, take

pytestmark = pytest.mark.usefixtures("queue")


@pytest.fixture(autouse=True)
def worker(queue):
    """Somebody serves everything."""
    Worker.objects.create(id=WORKER, host="h", pid=1, slots=1, pools=["gateway", "wide"], kinds=list(KINDS))


def ticket(job):
    return api.ticket_of(job.id)


def measured(kind, *seconds):
    now = sql.row("SELECT clock_timestamp() AS at")["at"]
    for lasted in seconds:
        Attempt.objects.create(
            token=uuid.uuid4(), job=0, kind=kind, number=1, worker=WORKER, slot=1, outcome="succeeded",
            started_at=now - timedelta(seconds=lasted), ended_at=now,
        )  # fmt: skip


def starts_in(found):
    now = sql.row("SELECT clock_timestamp() AS at")["at"]
    return [pytest.approx((at - now).total_seconds(), abs=2) for at in (found.starts_from, found.starts_until)]


def test_the_usual_duration_is_the_middle_half_of_the_last_attempts():
    measured("pooled", 10, 20, 30, 40, 50)
    low, high = ticket(enqueue("1", kind="pooled")[0]).usual_s
    assert (low, high) == (pytest.approx(20, abs=0.1), pytest.approx(40, abs=0.1))


def test_the_start_follows_from_what_runs_what_is_ahead_and_the_gaps():
    measured("pooled", 100, 100, 100)
    pools.change("gateway", by="staff", gap_s=20)
    job = started("pooled", "1")
    later(job, -30, "started_at")
    _second, third = enqueue("2", "3", kind="pooled")
    assert starts_in(ticket(third)) == [100 - 30 + 20 + 100 + 20] * 2


def test_more_seats_make_it_sooner():
    measured("pooled", 90)
    enqueue("1", "2", kind="pooled", args={"pool": "wide"})
    assert starts_in(ticket(enqueue("3", kind="pooled", args={"pool": "wide"})[0])) == [60, 60]


def test_a_closed_pool_starts_nothing_before_it_is_tried_again():
    measured("pooled", 10)
    _first, second = enqueue("1", "2", kind="pooled")
    end(take(), "down", after_s=3600)
    found = ticket(second)
    assert found.starts_from == found.retry_at


def test_behind_a_running_job_of_its_lane_it_starts_when_that_ends():
    measured("lined", 100)
    job = started("lined", "1")
    later(job, -30, "started_at")
    assert starts_in(ticket(enqueue("2", kind="lined")[0])) == [70, 70]


def test_behind_a_job_of_its_lane_that_was_never_measured_no_start_is_named():
    started("lined", "1")
    found = ticket(enqueue("2", kind="lined")[0])
    assert (found.starts_from, found.starts_until) == (None, None)


@pytest.mark.parametrize("why", ["unmeasured", "pool paused", "lane paused", "no worker", "off"])
def test_where_nothing_is_known_no_start_is_named(why, tune):
    if why != "unmeasured":
        measured("both", 10)
    found = enqueue("1", kind="both")[0]
    match why:
        case "pool paused":
            pools.change("gateway", by="staff", paused=True)
        case "lane paused":
            lanes.pause("lane:1", by="ana", paused=True)
        case "no worker":
            Worker.objects.all().delete()
        case "off":
            tune(ENABLED=False)
    assert (ticket(found).starts_from, ticket(found).starts_until) == (None, None)
