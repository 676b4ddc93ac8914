"""A pool that is renamed or taken out of the settings while jobs wait for it."""

from dataclasses import replace

import pytest

from jobs import api
from jobs.models import Audit, Job, Worker
from jobs.registry import KINDS
from jobs.transitions import control, invariants, renamed, sweep
from tests.jobs.away import served
from tests.jobs.rows import WORKER, end, enqueue, row, started, take

__all__ = ["served"]
pytestmark = pytest.mark.usefixtures("served")


@pytest.fixture
def rename(tune, monkeypatch):
    """Have the settings call `gateway` by the name of `wide`, as of a deploy whose old workers have left."""

    def act(*, old_workers_left=True):
        tune(POOLS={"wide": {"capacity": 1, "gap": 0}})
        monkeypatch.setitem(KINDS, "both", replace(KINDS["both"], pool="wide"))
        if old_workers_left:
            Worker.objects.filter(pk=WORKER).update(pools=["wide"])

    return act


def test_what_waits_goes_to_the_pool_of_its_kind_with_its_turn(rename):
    jobs = [enqueue(str(n), kind="both", args={"lane": f"lane:{n}"})[0] for n in range(3)]
    jobs += enqueue("3", kind="both", args={"lane": "lane:0"})
    before = dict(Job.objects.values_list("id", "turn"))
    rename()
    sweep.thorough([])
    assert {row(job).pool for job in jobs} == {"wide"}
    assert dict(Job.objects.values_list("id", "turn")) == before
    assert [row(job).status for job in jobs] == ["ready", "ready", "ready", "waiting"]
    assert take("both", pools=("wide",)).id == jobs[0].id
    assert Audit.objects.get(action="job.reroute").actor == "settings"
    assert invariants.violations() == []


def test_nothing_moves_while_a_worker_of_the_old_code_serves_it(rename):
    job = enqueue("1", kind="both")[0]
    rename(old_workers_left=False)
    sweep.thorough([])
    assert row(job).pool == "gateway"


def test_what_is_asked_for_again_follows_too(rename):
    job = started("both")
    end(job, "rejected")
    rename()
    assert control.retry(job.id, by="ana")
    sweep.thorough([])
    assert row(job).pool == "wide"


def test_what_runs_stays_where_its_seat_is(rename):
    job = started("both")
    rename()
    sweep.thorough([])
    assert row(job).pool == "gateway"
    end(job)


def test_a_kind_that_says_no_pool_that_is_declared_keeps_its_jobs(rename, monkeypatch):
    job, other = enqueue("1", kind="pooled")[0], enqueue("1", kind="both")[0]
    rename()
    monkeypatch.setitem(KINDS, "pooled", replace(KINDS["pooled"], pool=_failing))
    sweep.thorough([])
    assert (row(job).pool, row(other).pool) == ("gateway", "wide")
    assert api.ticket_of(job.id).reason == "no_worker"


def _failing(owner, subject, args):
    raise LookupError("A setting that nobody made.")


def test_looking_for_such_jobs_is_one_statement_while_all_pools_are_declared(django_assert_num_queries):
    with django_assert_num_queries(1):
        assert renamed.follow() == 0
