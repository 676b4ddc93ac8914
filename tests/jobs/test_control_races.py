"""Stops, retries and promotions at the same instant as claims and endings."""

from functools import partial

import pytest

from jobs import api
from jobs.models import Attempt, Job, Seat
from jobs.transitions import finish, pools
from jobs.transitions.claim import Claimed
from jobs.transitions.outcomes import Attempted
from tests.jobs.rows import enqueue, row, started, try_claim
from tests.jobs.sessions import in_step, together

pytestmark = pytest.mark.usefixtures("queue")

ROUNDS = 50


def stops(jobs):
    return [partial(api.stop, job.id, by="ana") for job in jobs]


def ends(jobs, outcome):
    how = Attempted(outcome=outcome, after_s=60)
    return [partial(finish.end, job.id, job.token, how) for job in jobs]


@pytest.mark.parametrize("outcome", ["succeeded", "retry", "drained"])
def test_a_stop_that_races_with_the_end_is_either_heard_or_over_and_never_lost(outcome):
    """Whatever the stop answered, nothing of the job is left to run."""
    jobs = [started("plain", str(number)) for number in range(ROUNDS)]
    for job, (answer, ending) in zip(jobs, in_step(stops(jobs), ends(jobs, outcome)), strict=True):
        assert ending is not None
        assert row(job).status in ("cancelled", "succeeded")
        if answer != "stopping":
            assert (row(job).status == "succeeded") == (answer == "over")


def test_a_stop_that_races_with_a_claim_cancels_or_is_heard():
    tickets = enqueue(*map(str, range(ROUNDS)))
    claimed = {}
    for answer, job in in_step(stops(tickets), [try_claim] * ROUNDS):
        assert answer in ("cancelled", "stopping")
        if isinstance(job, Claimed):
            claimed[job.id] = job
    for ticket in tickets:
        if job := claimed.get(ticket.id):
            assert row(ticket).stop_token == job.token
            finish.end(job.id, job.token, Attempted(outcome="retry"))
        assert row(ticket).status == "cancelled"


def test_a_stop_of_a_pooled_job_at_its_end_frees_its_seat_once():
    pools.change("gateway", by="test", capacity=15)
    jobs = [started("pooled", str(number)) for number in range(15)]
    for _stop, *endings in in_step(stops(jobs), ends(jobs, "succeeded"), ends(jobs, "succeeded")):
        assert sum(ending is not None for ending in endings) == 1
    assert Seat.objects.filter(pool="gateway", job=None).count() == Attempt.objects.count() == 15


def test_retries_that_race_queue_the_job_once():
    jobs = [started("plain", str(number)) for number in range(15)]
    for act in ends(jobs, "rejected"):
        act()
    again = [partial(api.retry, job.id, by="ana") for job in jobs]
    assert [sum(round_) for round_ in in_step(again, again, again)] == [1] * 15


def test_many_stops_and_promotions_beside_claims_and_ends_deadlock_nobody():
    tickets = enqueue(*map(str, range(30)), kind="lined") + enqueue(*map(str, range(30)), kind="pooled")

    def work():
        while Job.objects.queued().exists():
            job = try_claim()
            if isinstance(job, Claimed):
                finish.end(job.id, job.token, Attempted(outcome="succeeded"))

    def disturb(act):
        for ticket in tickets:
            act(ticket.id, by="staff")

    together(work, work, partial(disturb, api.promote), partial(disturb, api.stop))
    assert not Job.objects.active().exists()
