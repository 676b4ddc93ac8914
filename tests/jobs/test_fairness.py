"""Nobody waits for one owner's flood, nor for endless work that goes first: also after hours, and after an outage."""

import pytest

from jobs import api, sql
from jobs.models import Job
from jobs.transitions import pools, sweep
from tests.jobs.rows import end, row, status, take, try_claim

pytestmark = pytest.mark.usefixtures("queue")

KINDS = ["pooled", "plain"]
FLOOD, NEWCOMERS, FIRST = 5000, 10, 20

# Everything that has a moment lies that much longer ago, as if so much time had passed.
PASSED = (
    "UPDATE jobs_job SET vturn = vturn - {0}, turn = turn - {0}, queued_at = queued_at - {0}, run_at = run_at - {0}",
    "UPDATE jobs_pool SET clock = clock - {0}, closed_at = closed_at - {0}, closed_until = closed_until - {0}",
    "UPDATE jobs_chore SET due_at = due_at - {0}",
    "UPDATE jobs_seat SET free_at = free_at - {0} WHERE job IS NULL",
)


def pass_time(seconds):
    """Let time pass, with the sweeps of a living deployment at its end."""
    for statement in PASSED:
        sql.run(statement.format("make_interval(secs => %(seconds)s)"), seconds=seconds)
    sweep.quick()
    sweep.thorough(KINDS)


def flood(kind):
    many = [api.New(owner="big", subject=str(number)) for number in range(FLOOD)]
    assert len(api.enqueue_many(kind, many)) == FLOOD


def newcomers(kind):
    return {api.enqueue(kind, f"small{number}", "1").id for number in range(NEWCOMERS)}


def first(kind, *, lasts_s=300):
    """Return what starts first, each of it taking five minutes, five times the spacing of the turns."""
    started = set()
    for _ in range(FIRST):
        job = take(kind)
        started.add(job.id)
        end(job)
        pass_time(lasts_s)
    return started


@pytest.mark.parametrize("kind", KINDS)
def test_after_hours_of_work_slower_than_its_spacing_newcomers_start_among_the_first(kind):
    flood(kind)
    for _ in range(6):
        end(take(kind))
        pass_time(3600)
    mine = newcomers(kind)
    assert mine <= first(kind)


@pytest.mark.parametrize("hours", [0.2, 12])
def test_after_an_outage_newcomers_start_among_the_first(hours):
    flood("pooled")
    for _ in range(3):
        end(take("pooled"))
    end(take("pooled"), "down", after_s=hours * 3600)
    assert try_claim("pooled") is None
    during = {api.enqueue("pooled", f"during{number}", "1").id for number in range(NEWCOMERS // 2)}
    pass_time(hours * 3600 * 1.3)
    probe = take("pooled")
    end(probe)
    pools.answered("gateway", started_at=sql.row("SELECT clock_timestamp() AS at")["at"])
    late = {api.enqueue("pooled", f"late{number}", "1").id for number in range(NEWCOMERS // 2)}
    assert during | late <= first("pooled") | {probe.id}


@pytest.mark.full
@pytest.mark.parametrize("kind", KINDS)
def test_newcomers_during_a_flood_of_jobs_that_wait_for_a_lane_start_among_the_first(kind):
    """Most of the flood is not even ready; the clock goes by what is."""
    flood(kind)
    Job.objects.filter(owner="big", id__gt=min(Job.objects.values_list("id", flat=True)) + 50).update(
        status="waiting", lane="lane:none"
    )
    api.enqueue("lined", "big", "head", args={"lane": "lane:none"})
    pass_time(6 * 3600)
    mine = newcomers(kind)
    assert mine <= first(kind)


@pytest.mark.parametrize("kind", KINDS)
def test_endless_screens_keep_no_background_job_waiting_longer_than_patience_and_who_was_there(kind):
    """Each job takes a minute, and four screens are always before it: it starts after 30 minutes and those four."""
    background = api.enqueue(kind, "quiet", "1").id
    screens = claims = 0
    while claims < 60:
        while Job.objects.filter(band=0, status="ready").exclude(pk=background).count() < 4:
            screens += 1
            api.enqueue(kind, f"loud{screens}", "1", priority=0, watch=str(screens))
        job = take(kind)
        if job.id == background:
            break
        end(job)
        pass_time(60)
        claims += 1
    assert status(background) == "running", row(background).promoted
    assert 30 <= claims <= 30 + 4 + 1
    assert row(background).promoted == "patience"


@pytest.mark.full
def test_endless_screens_let_one_patient_job_go_first_in_each_interval_and_no_crowd():
    patient = [api.enqueue("pooled", f"quiet{number}", "1").id for number in range(6)]
    screens, started_at = 0, []
    for minute in range(125):
        while Job.objects.filter(band=0, status="ready").exclude(pk__in=patient).count() < 4:
            screens += 1
            api.enqueue("pooled", f"loud{screens}", "1", priority=0, watch=str(screens))
        job = take("pooled")
        if job.id in patient:
            started_at.append(minute)
        end(job)
        pass_time(60)
    assert len(started_at) == 4  # at about 30, 60, 90 and 120 minutes
    assert all(30 * n <= minute <= 30 * n + 6 for n, minute in enumerate(started_at, 1)), started_at
