"""Pools that are down are tried, the first and the spare, by as many jobs as they admit."""

import pytest

from jobs import sql
from jobs.models import Pool, Worker
from jobs.transitions import pools, routes
from tests.jobs.away import AWAY_S, ask, close, in_pool, served
from tests.jobs.rows import end, row, take

__all__ = ["served"]
pytestmark = pytest.mark.usefixtures("served")


def test_a_spare_that_was_down_when_its_jobs_left_is_tried_by_one_while_the_first_is_away():
    """Else it would stay down for ever, for nobody would find out that it is open again."""
    ids = ask(4)
    close()
    close("wide", for_s=5 * AWAY_S, again_in_s=-1)
    assert routes.follow() == 1
    assert in_pool("wide") == {ids[-1]}
    assert routes.follow() == 0
    trying = take("routed", pools=("wide",))
    assert routes.follow() == 0
    pools.change("wide", by="test", capacity=1)
    pools.answered("wide", started_at=sql.row("SELECT clock_timestamp() AS at")["at"])
    end(trying)
    assert routes.follow() == 3
    assert in_pool("gateway") == set()


@pytest.mark.parametrize("is_open", [True, False])
def test_a_spare_that_is_down_is_not_tried_while_the_first_is_open_or_may_soon_be(is_open):
    ask(4)
    if not is_open:
        close(for_s=AWAY_S - 5)
    close("wide", again_in_s=-1)
    assert routes.follow() == 0


def test_of_one_job_and_two_pools_that_are_due_the_first_is_tried():
    ids = ask(1)
    close(again_in_s=-1)
    close("wide", again_in_s=-1)
    assert routes.follow() == 0
    assert in_pool("gateway") == set(ids)


def test_one_job_stays_to_try_the_first_when_its_time_has_come():
    ids = ask(4)
    close(again_in_s=-1)
    assert routes.follow() == 3
    assert in_pool("gateway") == {ids[-1]}


def test_one_job_comes_back_to_try_the_first():
    """Else nobody would ever find out that it is open again."""
    ids = ask(4)
    close()
    routes.follow()
    close(again_in_s=-1)
    assert routes.follow() == 1
    assert in_pool("gateway") == {ids[-1]}
    assert routes.follow() == 0


def test_while_one_tries_nobody_else_is_brought_back():
    ask(4)
    close(again_in_s=-1)
    routes.follow()
    trying = take("routed", pools=("gateway",))
    assert routes.follow() == 0
    end(trying, "down", hard=True)
    assert Pool.objects.get(pk="gateway").down_since < row(trying).created_at
    assert routes.follow() == 1
    assert in_pool("gateway") == set()


def test_a_job_of_another_kind_can_be_the_one_that_tries():
    ask(1, kind="pooled")
    ids = ask(2)
    close(again_in_s=-1)
    assert routes.follow() == 2
    assert in_pool("wide") == set(ids)


def test_a_job_that_nobody_runs_is_not_the_one_that_tries():
    ask(1, kind="pooled")
    ids = ask(2)
    Worker.objects.update(kinds=["routed"])
    close(again_in_s=-1)
    assert routes.follow() == 1
    assert len(in_pool("gateway") & set(ids)) == 1


def test_a_first_that_recovers_step_by_step_gets_so_many_back():
    pools.change("gateway", by="test", capacity=4)
    ask(8)
    close(again_in_s=-1)
    Pool.objects.filter(pk="gateway").update(admit=2)
    routes.follow()
    assert len(in_pool("gateway")) == 2
    assert len(in_pool("wide")) == 6
