"""Routes: queued jobs go to the spare pool while theirs is down for long, and come back when it is open."""

import threading

import pytest
from django.db import connection
from django.db.models import F
from django.db.models.functions import Now

from jobs import api, checks, sql
from jobs.models import Audit, Job, Pool, Worker
from jobs.transitions import claim, finish, invariants, pools, routes
from jobs.transitions.claim import Claimed
from jobs.transitions.outcomes import Attempted
from tests.jobs.away import AWAY_S, MINUTE, ask, close, in_pool, served
from tests.jobs.rows import WORKER, end, later, row, serving, started, take

__all__ = ["served"]
pytestmark = pytest.mark.usefixtures("served")


def test_nothing_moves_while_all_is_well():
    ids = ask(3)
    assert routes.follow() == 0
    assert in_pool("gateway") == set(ids)


def test_a_short_outage_is_waited_out():
    ids = ask(2)
    close(for_s=AWAY_S - 5)
    assert routes.follow() == 0
    assert in_pool("gateway") == set(ids)


def test_after_so_long_all_queued_jobs_go_to_the_spare_with_their_turn():
    ids = ask(4)
    before = dict(Job.objects.values_list("id", "turn"))
    close()
    assert routes.follow() == 4
    assert in_pool("wide") == set(ids)
    assert dict(Job.objects.values_list("id", "turn")) == before
    assert set(Job.objects.values_list("status", flat=True)) == {"ready"}


def test_a_move_is_in_the_audit():
    ids = ask(2)
    close()
    routes.follow()
    written = Audit.objects.get(action="job.reroute")
    assert (written.actor, written.target) == ("route", "pool gateway")
    assert written.new == {"to": "wide", "kind": "routed", "count": 2, "jobs": sorted(ids)}


def test_a_running_job_is_never_moved():
    job = started("routed")
    close()
    assert routes.follow() == 0
    assert row(job).pool == "gateway"
    end(job)


def test_who_waits_for_the_next_try_of_the_first_waits_no_longer():
    job = started("routed")
    end(job, "down", hard=True, error="It is away.")
    assert row(job).status == "scheduled"
    close()
    assert routes.follow() == 1
    found = row(job)
    assert (found.pool, found.status, found.run_at, found.downs, found.error) == ("wide", "ready", None, 0, "")


def test_who_waits_after_a_failure_of_its_own_goes_on_waiting():
    job = started("routed")
    end(job, "retry", error="Not good.")
    run_at = row(job).run_at
    close()
    routes.follow()
    found = row(job)
    assert (found.pool, found.status, found.run_at, found.attempts) == ("wide", "scheduled", run_at, 1)


def test_other_kinds_stay_where_they_are():
    ids = ask(2, kind="pooled")
    close()
    assert routes.follow() == 0
    assert in_pool("gateway") == set(ids)


SPARES_THAT_CANNOT = [
    {"paused": True},
    {"down_since": Now(), "admit": 1, "closed_at": Now(), "closed_until": Now() + MINUTE},
    {"capacity": 0},
]


@pytest.mark.parametrize("fields", SPARES_THAT_CANNOT)
def test_a_spare_that_cannot_take_them_gets_none(fields):
    ask(2)
    close()
    Pool.objects.filter(pk="wide").update(**fields)
    assert routes.follow() == 0


def test_a_spare_that_nobody_serves_gets_none():
    ask(2)
    close()
    Worker.objects.update(pools=["gateway"])
    assert routes.follow() == 0


def test_a_spare_whose_workers_do_not_know_the_kind_gets_none():
    ask(2)
    close()
    Worker.objects.update(kinds=["plain"])
    assert routes.follow() == 0


@pytest.mark.parametrize("fields", [{"pools": ["wide"]}, {"kinds": ["plain"]}])
def test_nobody_comes_back_to_a_first_that_nobody_serves(fields):
    ids = ask(2)
    close()
    routes.follow()
    Pool.objects.filter(pk="gateway").update(admit=None, down_since=None, closed_until=Now())
    Worker.objects.update(**fields)
    assert routes.follow() == 0
    assert in_pool("wide") == set(ids)


def test_all_come_back_when_the_first_is_open_again():
    ids = ask(4)
    close(again_in_s=-1)
    routes.follow()
    trying = take("routed", pools=("gateway",))
    moment = sql.row("SELECT clock_timestamp() AS at")["at"]
    pools.answered("gateway", started_at=moment)
    end(trying)
    assert Pool.objects.get(pk="gateway").down_since is None
    assert routes.follow() == 3
    assert in_pool("gateway") == set(ids)


def test_a_lane_keeps_its_one_head():
    ids = ask(3, kind="routed_in_a_lane")
    close()
    assert routes.follow() == 3
    assert in_pool("wide") == set(ids)
    assert Job.objects.filter(status="ready").count() == 1
    assert invariants.violations() == []


def test_the_audit_finds_nothing_after_moves_there_and_back():
    ask(5)
    ask(2, kind="routed_in_a_lane")
    close()
    routes.follow()
    assert invariants.violations() == []
    Pool.objects.filter(pk="gateway").update(admit=None, down_since=None, closed_until=Now())
    routes.follow()
    assert in_pool("wide") == set()
    assert invariants.violations() == []


def test_a_moved_job_is_found_by_its_screen():
    (job,) = ask(1, watch="7")
    close()
    routes.follow()
    again = api.enqueue("routed", "owner:0", "routed-0", watch="7")
    assert again.id == job
    assert (row(job).band, row(job).promoted) == (0, "watch")


def test_since_when_a_pool_is_down_survives_further_closings_and_ends_with_an_answer():
    moment = sql.row("SELECT clock_timestamp() AS at")["at"]
    pools.down("gateway", job=1, started_at=moment, reason="Away.", hard=True)
    first = Pool.objects.get(pk="gateway")
    Pool.objects.update(closed_at=F("closed_at") - MINUTE)
    pools.down("gateway", job=2, started_at=moment, reason="Away.", hard=True)
    again = Pool.objects.get(pk="gateway")
    assert again.down_since == first.down_since < again.closed_at
    pools.answered("gateway", started_at=again.closed_at + MINUTE)
    assert Pool.objects.get(pk="gateway").down_since is None


def test_a_route_to_a_pool_that_is_not_declared_is_told(tune):
    tune(POOLS={"gateway": {"capacity": 1, "gap": 0}})
    assert "jobs.E006" in [found.id for found in checks.settings_make_sense()]


def test_claims_and_moves_at_the_same_time_never_part_a_job_from_its_seat():
    """Two claimers take and end jobs while the route turns to and fro; each claim has a seat of its job's pool."""
    pools.change("gateway", by="test", capacity=2)
    ask(60)
    ready = threading.Barrier(3)
    over = threading.Event()
    broken: list[object] = []
    ran: list[int] = []

    def claimer(slot):
        ready.wait()
        while not over.is_set():
            job = claim.claim(WORKER, slot, serving("routed"))
            if isinstance(job, Claimed):
                found = sql.row(
                    "SELECT s.pool = j.pool AND j.pool = %(pool)s AS right FROM jobs_job j"
                    " JOIN jobs_seat s ON s.id = j.seat WHERE j.id = %(id)s",
                    id=job.id,
                    pool=job.pool,
                )
                broken.extend([job.id] if not found or not found["right"] else [])
                finish.end(job.id, job.token, Attempted(outcome="succeeded"))
                ran.append(job.id)
            elif job is None and not Job.objects.active().exists():
                break
        connection.close()

    threads = [threading.Thread(target=claimer, args=(slot,)) for slot in (1, 2)]
    for thread in threads:
        thread.start()
    ready.wait()
    for turn in range(400):
        if turn % 2:
            Pool.objects.filter(pk="gateway").update(admit=None, down_since=None, closed_until=Now())
        else:
            close()
        routes.follow()
        if not Job.objects.active().exists():
            break
    over.set()
    for thread in threads:
        thread.join()
    assert broken == []
    assert len(ran) == len(set(ran))
    assert Audit.objects.filter(action="job.reroute").count() > 1
    assert invariants.violations() == []


def test_a_poll_of_a_later_retry_finds_it_in_the_pool_it_is_in():
    (job,) = ask(1)
    close()
    routes.follow()
    ended = take("routed", pools=("wide",))
    later(ended, -1, "started_at")
    end(ended, "rejected", error="No.")
    assert api.retry(job, by="ana")
    assert row(job).pool == "wide"
