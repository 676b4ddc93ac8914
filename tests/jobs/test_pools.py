"""Pools: declared once, changed live, with every change on record."""

from functools import partial

import pytest

from jobs import api, sql
from jobs.models import Audit, Pool, Seat
from jobs.transitions import calls, pools, sweep
from jobs.transitions.claim import Claimed
from tests.jobs.rows import end, enqueue, take, try_claim
from tests.jobs.sessions import in_step, together

pytestmark = pytest.mark.usefixtures("queue")


def seats(pool="wide"):
    return Seat.objects.filter(pool=pool).count()


def test_a_declared_pool_is_made_once_and_stays_as_staff_set_it():
    pools.change("wide", by="staff", capacity=2, gap_s=7)
    pools.create_declared()
    assert (Pool.objects.get(pk="wide").capacity, seats()) == (2, 2)


def test_a_pool_that_is_declared_anew_gets_its_seats(tune, settings):
    tune(POOLS={**settings.JOBS["POOLS"], "ocr": {"capacity": 2, "gap": 5}})
    pools.create_declared()
    assert (seats("ocr"), Pool.objects.get(pk="ocr").gap.total_seconds()) == (2, 5)


def test_declaring_at_the_same_time_makes_the_seats_once(tune, settings):
    tune(POOLS={**settings.JOBS["POOLS"], "ocr": {"capacity": 2, "gap": 5}})
    together(*[pools.create_declared] * 4)
    assert seats("ocr") == 2


@pytest.mark.parametrize("capacity", [0, 1, 3, 8])
def test_the_seats_become_as_many_as_the_capacity(capacity):
    assert pools.change("wide", by="staff", capacity=capacity) is True
    assert seats() == capacity


def test_a_seat_in_use_leaves_with_its_job():
    enqueue("1", "2", kind="pooled", args={"pool": "wide"})
    jobs = [take(), take()]
    pools.change("wide", by="staff", capacity=0)
    assert seats() == 2
    for job in jobs:
        end(job)
    assert pools.trim(["wide"]) == 2
    assert seats() == 0


def test_a_seat_that_rests_leaves_after_its_rest():
    Seat.objects.filter(pool="wide").update(free_at="2040-01-01T00:00Z")
    pools.change("wide", by="staff", capacity=1)
    assert seats() == 3
    Seat.objects.filter(pool="wide").update(free_at="2020-01-01T00:00Z")
    sweep.thorough([])
    assert seats() == 1


def test_trimming_leaves_the_seats_that_the_capacity_allows():
    assert pools.trim(["gateway", "wide"]) == 0
    assert (seats("gateway"), seats()) == (1, 3)


def test_a_gap_that_is_changed_holds_for_the_next_call():
    pools.change("gateway", by="staff", gap_s=300)
    enqueue("1", "2", kind="pooled")
    job = take()
    calls.begin(job.id, job.token, timeout_s=5, streamed=True)
    calls.over(job.id, job.token)
    end(job)
    assert try_claim() is None


def test_changes_at_the_same_time_follow_one_another():
    """Neither puts back what the other changed."""
    sizes = [partial(pools.change, "wide", by="ana", capacity=number) for number in range(20)]
    gaps = [partial(pools.change, "wide", by="ben", gap_s=number) for number in range(20)]
    in_step(sizes, gaps)
    old, new = zip(*Audit.objects.order_by("id").values_list("old", "new"), strict=True)
    assert list(old[1:]) == list(new[:-1])
    assert seats() == Pool.objects.get(pk="wide").capacity == 19


def test_a_pool_that_does_not_exist_says_so():
    assert pools.change("nothing", by="staff", capacity=1) is False
    assert not Audit.objects.exists()


def test_a_change_is_on_record_with_the_old_and_the_new():
    pools.change("wide", by="staff", capacity=2, paused=True)
    audit = Audit.objects.get()
    assert (audit.actor, audit.action, audit.target) == ("staff", "pool.change", "pool wide")
    assert audit.old == {"capacity": 3, "gap": 0, "paused": False, "reserve": []}
    assert audit.new == {"capacity": 2, "gap": 0, "paused": True, "reserve": []}


def test_what_is_not_named_stays():
    pools.change("wide", by="staff", gap_s=9)
    pools.change("wide", by="staff", paused=True)
    pool = Pool.objects.get(pk="wide")
    assert (pool.capacity, pool.gap.total_seconds(), pool.paused) == (3, 9, True)


def test_a_reset_takes_the_settings_again():
    pools.change("wide", by="staff", capacity=1, gap_s=9)
    pools.reset("wide", by="staff")
    assert (Pool.objects.get(pk="wide").gap.total_seconds(), seats()) == (0, 3)


def test_a_change_under_load_keeps_every_claim_within_the_capacity():
    enqueue(*map(str, range(30)), kind="pooled", args={"pool": "wide"})

    def work():
        for _ in range(15):
            job = try_claim("pooled")
            if isinstance(job, Claimed):
                end(job)

    sizes = [partial(pools.change, "wide", by="staff", capacity=capacity) for capacity in (1, 4, 2, 0, 3)]
    together(work, work, work, lambda: [act() for act in sizes])
    pools.trim(["wide"])
    assert seats() == 3
    assert not Seat.objects.filter(job__isnull=False).exists()


def test_a_pool_of_its_own_name_is_all_a_job_needs():
    assert api.enqueue("pooled", "ana", "1", args={"pool": "wide"}).sentence
    assert sql.row("SELECT pool FROM jobs_job")["pool"] == "wide"
