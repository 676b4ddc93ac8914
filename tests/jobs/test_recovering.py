"""A pool that comes back after an outage: it is tried by one job, then by two, then by all."""

import pytest

from jobs import sql
from jobs.models import Job
from jobs.transitions import pools
from jobs.transitions.claim import Claimed
from tests.jobs.rows import end, enqueue, row, take, try_claim
from tests.jobs.sessions import together

pytestmark = pytest.mark.usefixtures("queue")


def recovering(admit, *, capacity=3):
    """Leave the pool `wide` as after an outage whose time is over."""
    pools.change("wide", by="staff", capacity=capacity)
    sql.run(
        "UPDATE jobs_pool SET admit = %(admit)s, closed_at = clock_timestamp() - interval '1 min',"
        " closed_until = clock_timestamp() - interval '1 s' WHERE name = 'wide'",
        admit=admit,
    )


def wide(count):
    return enqueue(*map(str, range(count)), kind="pooled", args={"pool": "wide"})


@pytest.mark.parametrize("admit", [1, 2])
def test_a_recovering_pool_admits_no_more_than_it_may(admit):
    recovering(admit)
    wide(5)
    for _ in range(admit):
        take()
    assert try_claim() is None


def test_a_recovering_pool_opens_step_by_step_as_calls_are_answered():
    recovering(1, capacity=3)
    wide(9)
    probe = take()
    assert try_claim() is None
    pools.answered("wide", started_at=row(probe).started_at)
    second = take()
    assert try_claim() is None
    pools.answered("wide", started_at=row(second).started_at)
    take()
    assert Job.objects.running().count() == 3


def test_of_many_claimers_one_sends_the_probe():
    for _ in range(5):
        recovering(1)
        wide(3)
        taken = together(*[try_claim] * 6)
        jobs = [job for job in taken if isinstance(job, Claimed)]
        assert len(jobs) == 1
        end(jobs[0])
        Job.objects.all().delete()


def test_a_job_from_before_the_closing_does_not_count_as_a_probe():
    wide(2)
    old = take()
    recovering(1)
    sql.run("UPDATE jobs_job SET started_at = started_at - interval '1 h' WHERE id = %(id)s", id=old.id)
    assert take().id != old.id


def test_endless_work_without_a_pool_does_not_keep_a_recovering_pool_from_its_probe():
    recovering(1)
    probe = wide(1)[0]
    enqueue("a", "b", "c")
    assert take().id == probe.id


def test_while_a_pool_admits_no_more_the_best_of_the_rest_is_taken():
    recovering(1)
    wide(2)
    other = enqueue("a")[0]
    assert take().pool == "wide"
    assert take().id == other.id
