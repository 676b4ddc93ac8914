"""The claim: the best job first, only what is served, and never one seat too many."""

from datetime import timedelta

import pytest

from jobs import api, sql
from jobs.models import Job, Seat
from jobs.transitions import calls, claim, pools
from jobs.transitions.claim import Claimed
from tests.jobs.rows import WORKER, end, enqueue, row, serving, started, take, try_claim

pytestmark = pytest.mark.usefixtures("queue")


# order


def test_the_best_is_the_first_by_band_then_turn_then_id():
    first, second, third, fourth = enqueue("1", "2", "3", "4")
    moment = row(first).turn
    Job.objects.update(turn=moment)
    Job.objects.filter(pk=second.id).update(turn=moment - timedelta(seconds=1))
    Job.objects.filter(pk=fourth.id).update(band=0, turn=moment + timedelta(hours=1))
    assert [take().id for _ in range(4)] == [fourth.id, second.id, first.id, third.id]


def test_the_best_is_found_over_kinds_and_pools():
    later_one, pooled, wide = enqueue("1")[0], enqueue("2", kind="pooled")[0], None
    wide = enqueue("3", kind="pooled", args={"pool": "wide"})[0]
    now = row(pooled).turn
    for turn, ticket in enumerate((wide, later_one, pooled)):
        Job.objects.filter(pk=ticket.id).update(turn=now + timedelta(seconds=turn))
    assert [take().id for _ in range(3)] == [wide.id, later_one.id, pooled.id]


def test_the_best_of_each_kind_is_compared_by_its_band_too():
    early, promoted = enqueue("1", "2")
    other = enqueue("3", kind="items")[0]
    turn = row(early).turn
    for minutes, ticket in ((5, promoted), (10, other)):
        Job.objects.filter(pk=ticket.id).update(band=0, turn=turn + timedelta(minutes=minutes))
    assert [take().id for _ in range(3)] == [promoted.id, other.id, early.id]


def test_a_claim_says_all_that_a_run_needs():
    ticket = api.enqueue("pooled", "ana", "1", fingerprint="f1", args={"pool": "wide", "n": 1})
    job = take("pooled", slot=7)
    assert (job.id, job.owner, job.fingerprint, job.pool, job.args["n"]) == (ticket.id, "ana", "f1", "wide", 1)
    now = row(job)
    assert (now.status, now.worker, now.slot, now.token) == ("running", WORKER, 7, job.token)
    assert (now.deadline - now.started_at) == pytest.approx(timedelta(seconds=600), abs=timedelta(seconds=1))
    assert (Seat.objects.get(pk=now.seat).job, Seat.objects.get(pk=now.seat).token) == (job.id, job.token)


# what is left alone


def test_a_kind_that_is_not_served_is_left_alone():
    enqueue("1", kind="pooled")
    second = enqueue("2")[0]
    assert take("plain").id == second.id
    assert try_claim("plain") is None


def test_a_pool_that_is_not_served_is_left_alone():
    enqueue("1", kind="pooled", args={"pool": "wide"})
    assert try_claim(pools=("gateway",)) is None


def test_a_process_may_leave_jobs_without_a_pool_alone():
    enqueue("1")
    second = enqueue("2", kind="pooled")[0]
    assert take(poolless=False).id == second.id
    assert try_claim(poolless=False) is None


@pytest.mark.parametrize("state", ["scheduled", "waiting"])
def test_only_a_ready_job_is_claimed(state):
    ticket = enqueue("1", kind="lined")[0]
    Job.objects.filter(pk=ticket.id).update(status=state, run_at="2020-01-01T00:00Z")
    assert try_claim() is None


def test_a_paused_pool_gives_nothing():
    enqueue("1", kind="pooled")
    pools.change("gateway", by="staff", paused=True)
    assert try_claim() is None
    pools.change("gateway", by="staff", paused=False)
    take("pooled")


def test_a_closed_pool_gives_nothing_and_its_job_is_untouched():
    ticket = enqueue("1", kind="pooled")[0]
    pools.down("gateway", job=1, started_at=row(ticket).created_at, reason="", hard=True)
    assert try_claim() is None
    assert (row(ticket).status, row(ticket).attempts) == ("ready", 0)


def test_a_job_of_a_full_pool_does_not_hide_a_later_one_of_another():
    enqueue("1", "2", kind="pooled")
    other = enqueue("3", kind="plain")[0]
    take("pooled")
    assert take().id == other.id


# seats


def test_a_pool_runs_as_many_as_it_has_seats():
    enqueue("1", "2", "3", "4", kind="pooled", args={"pool": "wide"})
    assert len({row(take()).seat for _ in range(3)}) == 3
    assert try_claim() is None


def test_a_seat_that_rests_is_not_claimed():
    pools.change("gateway", by="staff", gap_s=60)
    job = started("pooled", "1")
    enqueue("2", kind="pooled")
    calls.begin(job.id, job.token, timeout_s=5, streamed=True)
    calls.over(job.id, job.token)
    end(job)
    assert try_claim() is None


def test_seats_above_a_shrunken_capacity_are_not_claimed():
    """Numbered seats admitted 4 at a capacity of 2 after a shrink."""
    enqueue("1", "2", "3", "4", kind="pooled", args={"pool": "wide"})
    first, _second, third = take(), take(), take()
    pools.change("wide", by="staff", capacity=1)
    end(first)
    assert try_claim() is None
    end(third)
    assert try_claim() is None
    assert Job.objects.running().count() == 1


def test_a_resting_seat_above_the_capacity_keeps_the_others_from_being_claimed_until_it_is_gone():
    enqueue("1", "2", kind="pooled", args={"pool": "wide"})
    Seat.objects.filter(pk=Seat.objects.filter(pool="wide").first().pk).update(free_at="2040-01-01T00:00Z")
    pools.change("wide", by="staff", capacity=0)
    pools.change("wide", by="staff", capacity=1)
    assert try_claim() is None  # the resting one is the only seat left
    Seat.objects.filter(pool="wide").update(free_at="2020-01-01T00:00Z")
    take()
    assert try_claim() is None


def test_a_grown_pool_runs_more_at_once():
    enqueue("1", "2", "3", kind="pooled")
    take()
    assert try_claim() is None
    pools.change("gateway", by="staff", capacity=3)
    assert isinstance(take(), Claimed)
    take()


def test_grown_back_before_the_spare_seats_were_gone_it_has_no_seat_too_many():
    enqueue(*"12345", kind="pooled", args={"pool": "wide"})
    for _ in range(3):
        take()
    pools.change("wide", by="staff", capacity=1)
    pools.change("wide", by="staff", capacity=3)
    assert Seat.objects.filter(pool="wide").count() == 3
    assert try_claim() is None


# when to look again


@pytest.mark.parametrize(
    ("change", "seconds"),
    [
        ("UPDATE jobs_seat SET free_at = clock_timestamp() + interval '50 s'", 50),
        ("UPDATE jobs_pool SET closed_until = clock_timestamp() + interval '70 s'", 70),
    ],
)
def test_the_next_instant_is_when_a_seat_or_a_pool_is_free_again(change, seconds):
    enqueue("1", kind="pooled")
    sql.run(change)
    assert claim.next_instant_s(serving()) == pytest.approx(seconds, abs=2)


def test_the_next_instant_is_when_the_first_scheduled_job_is_due():
    ticket = enqueue("1")[0]
    sql.run(
        "UPDATE jobs_job SET status = 'scheduled', run_at = clock_timestamp() + interval '30 s' WHERE id = %(id)s",
        id=ticket.id,
    )
    assert claim.next_instant_s(serving()) == pytest.approx(30, abs=2)


def test_nothing_that_is_known_is_no_instant():
    assert claim.next_instant_s(serving()) is None
