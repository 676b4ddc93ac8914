"""Routes: queued jobs go to the spare pool while theirs is down for long, and come back when it is open."""

import threading
from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import F
from django.db.models.functions import Now

from jobs import api, checks, sql
from jobs.models import Audit, Job, Pool, Worker
from jobs.registry import KINDS
from jobs.transitions import claim, finish, invariants, pools, routes, workers
from jobs.transitions.claim import Claimed
from jobs.transitions.outcomes import Attempted
from tests.jobs.rows import WORKER, end, later, row, serving, started, take

AWAY_S = 600
MINUTE = timedelta(minutes=1)


@pytest.fixture(autouse=True)
def _served(queue, tune):
    tune(SPARE_AFTER_SECONDS=AWAY_S)
    workers.register(WORKER, host="here", pid=1, slots=1, pools=["gateway", "wide"], kinds=list(KINDS), version="1")


def ask(count=1, kind="routed", **options):
    return [api.enqueue(kind, f"owner:{n % 3}", f"{kind}-{n}", **options).id for n in range(count)]


def close(name="gateway", *, for_s=AWAY_S, again_in_s=60):
    """Have a pool be down for so long already; it is tried again in so many seconds (negative: now)."""
    now = Now()
    Pool.objects.filter(pk=name).update(
        admit=1,
        failures=3,
        down_since=now - timedelta(seconds=for_s),
        closed_at=now - MINUTE,
        closed_until=now + timedelta(seconds=again_in_s),
    )


def in_pool(name):
    return set(Job.objects.filter(pool=name).values_list("id", flat=True))


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


def test_a_spare_that_is_down_is_not_tried_while_the_first_may_soon_be_open():
    ask(4)
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


def test_a_first_that_recovers_step_by_step_gets_so_many_back():
    pools.change("gateway", by="test", capacity=4)
    ask(8)
    close(again_in_s=-1)
    Pool.objects.filter(pk="gateway").update(admit=2)
    routes.follow()
    assert len(in_pool("gateway")) == 2
    assert len(in_pool("wide")) == 6


def test_a_flood_that_was_moved_still_delays_nobody_else():
    """What its owner asks for now is due after what waits at the spare, and a newcomer is not."""
    for number in range(20):
        api.enqueue("routed", "flood", str(number))
    close()
    routes.follow()
    more = api.enqueue("routed", "flood", "20").id
    (many,) = api.enqueue_many("routed", [api.New(owner="flood", subject="21")])
    newcomer = api.enqueue("routed", "ben", "1").id
    assert row(newcomer).turn < row(more).turn < row(many).turn
    assert row(more).vturn > max(Job.objects.filter(owner="flood").exclude(pk__in=[more, many]).values_list("vturn"))[0]


def test_a_flood_that_is_asked_for_again_delays_nobody_else():
    tickets = [api.enqueue("routed", "flood", str(number)) for number in range(3)]
    for ticket in tickets[:2]:
        api.stop(ticket.id, by="ana")
    close()
    routes.follow()
    assert api.retry(tickets[0].id, by="ana")
    assert row(tickets[0]).vturn > row(tickets[2]).vturn


def test_the_clock_of_a_pool_goes_on_with_its_jobs():
    """If it stood still where they left, a newcomer would pass over everybody who has waited since."""
    Pool.objects.update(clock=F("clock") - 60 * MINUTE)
    for number in range(6):
        api.enqueue("routed", "flood", str(number))
    close()
    routes.follow()
    for _ in range(3):
        end(take("routed", pools=("wide",)))
    routes.follow()
    first = Job.objects.filter(status="ready").earliest("turn")
    newcomer = api.enqueue("routed", "ben", "1").id
    (many,) = api.enqueue_many("routed", [api.New(owner="cleo", subject="1")])
    assert row(newcomer).vturn == row(many).vturn == first.vturn + MINUTE


def test_what_an_owner_has_in_line_for_something_else_at_the_spare_does_not_delay_the_first():
    for number in range(20):
        api.enqueue("pooled", "ana", str(number), args={"pool": "wide"})
    asked = api.enqueue("routed", "ana", "1").id
    newcomer = api.enqueue("routed", "ben", "1").id
    assert row(newcomer).vturn - row(asked).vturn < MINUTE


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
