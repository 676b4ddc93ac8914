"""A copy of the database that was restored elsewhere sends nothing until staff say so."""

import pytest

from jobs.console import machine
from jobs.models import Audit, Home, Pool
from jobs.transitions import home, pools
from tests.jobs.rows import enqueue, take, try_claim
from tests.jobs.sessions import together

pytestmark = pytest.mark.usefixtures("queue")


@pytest.fixture
def copied(queue):
    home.settle()
    Home.objects.update(place="1234/5")  # what a dump brings along


def test_the_first_worker_names_the_place_and_pauses_nothing():
    assert home.settle() == []
    assert Home.objects.get().place.count("/") == 1
    assert not Pool.objects.filter(paused=True).exists()


@pytest.mark.usefixtures("copied")
def test_a_copy_starts_with_its_pools_paused_and_says_so():
    enqueue("1", kind="pooled")
    assert "gateway" in home.settle()
    assert try_claim("pooled") is None
    (shown,) = machine.pools(name="gateway")
    assert shown.sentence == "This database was restored from a copy: nothing is sent until somebody resumes it."
    assert Audit.objects.filter(actor=home.COPIED, target="pool gateway").count() == 1


@pytest.mark.usefixtures("copied")
def test_work_without_an_upstream_goes_on_in_a_copy():
    enqueue("1", kind="plain")
    home.settle()
    assert take("plain")


@pytest.mark.usefixtures("copied")
def test_what_staff_resumed_stays_so_when_the_next_worker_starts():
    home.settle()
    pools.change("gateway", by="ben", paused=False)
    assert home.settle() == []
    assert not Pool.objects.get(name="gateway").paused


@pytest.mark.usefixtures("copied")
def test_a_pool_that_was_paused_before_still_names_who_paused_it():
    pools.change("gateway", by="ana", paused=True)
    assert "gateway" not in home.settle()
    assert Pool.objects.get(name="gateway").paused_by == "ana"


@pytest.mark.usefixtures("copied")
def test_of_workers_that_start_together_one_pauses_and_none_claims_before_it():
    enqueue("1", kind="pooled")
    found = together(*[lambda: (home.settle(), try_claim("pooled"))] * 4)
    assert [bool(paused) for paused, _ in found].count(True) == 1
    assert [claimed for _, claimed in found] == [None] * 4
