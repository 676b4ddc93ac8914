"""What time brings, and what a process that died on the way left undone."""

import uuid
from dataclasses import replace
from datetime import timedelta

import pytest
from django.db.models import F
from django.db.models.functions import Now

from jobs import api, sql
from jobs.models import Attempt, Chore, Idle, Item, Job, Payload, Pool, Progress, Seat, Watch, Worker
from jobs.registry import KINDS
from jobs.transitions import rescue, sweep, wake, workers
from jobs.worker.sweeper import Sweeper
from tests.jobs.rows import WORKER, end, enqueue, later, row, started, status, take
from tests.jobs.sessions import aside, together
from tests.processes import until

pytestmark = pytest.mark.usefixtures("queue")

OTHER = uuid.UUID(int=2)  # a worker


def test_a_job_whose_time_has_come_is_ready():
    job = started()
    end(job, "retry", after_s=60)
    sweep.quick()
    assert status(job) == "scheduled"
    later(job, -61, "run_at")
    sweep.quick()
    assert (status(job), row(job).run_at) == ("ready", None)


def test_a_chore_is_done_by_one_process_a_round():
    assert sweep.take_turn("quick", every_s=60)
    assert not aside(lambda: sweep.take_turn("quick", every_s=60))


def test_a_sweeper_that_freezes_keeps_nobody_from_the_next_round():
    assert sweep.take_turn("quick", every_s=0)
    assert aside(lambda: sweep.take_turn("quick", every_s=60))


def test_a_server_whose_clock_was_set_back_is_swept_at_once():
    sweep.take_turn("quick", every_s=1)
    Chore.objects.update(due_at=Now() + timedelta(days=1))
    assert sweep.take_turn("quick", every_s=1)
    assert not sweep.take_turn("quick", every_s=1)


def test_a_product_whose_function_fails_keeps_nobody_from_being_swept(monkeypatch):
    """A route may be a function of the product, which the sweep calls."""
    monkeypatch.setitem(KINDS, "routed", replace(KINDS["routed"], route=_failing))
    pool = Pool.objects.filter(name="gateway")
    pool.update(capacity=3)
    sweep.thorough([])
    assert Seat.objects.filter(pool="gateway").count() == 3


def _failing():
    raise LookupError("A setting that nobody made.")


def test_a_round_that_failed_is_not_the_last(monkeypatch):
    begun: list[str] = []

    def take_turn(name, *, every_s):
        begun.append(name)
        raise LookupError("No database raises it.")

    monkeypatch.setattr(sweep, "take_turn", take_turn)
    sweeper = Sweeper([])
    sweeper.start()
    until(lambda: len(begun) > 1, what="another round")
    sweeper.end()
    sweeper.join(5)


def test_sweepers_that_overlap_do_each_thing_once():
    jobs = [started("pooled", str(number), args={"pool": "wide"}) for number in range(3)]
    for number in range(10):
        enqueue(f"{number}a", f"{number}b", kind="lined", args={"lane": f"lane:{number}"})
    Job.objects.filter(kind="lined").update(status="waiting")

    def sweeping():
        sweep.quick()
        sweep.thorough(["lined"])

    together(*[sweeping] * 3)
    assert Job.objects.filter(kind="lined", status="ready").count() == 10
    assert Attempt.objects.count() == len(jobs)
    assert {row(job).crashes for job in jobs} == {1}


# patience


@pytest.fixture
def old():
    """Three jobs of the kind `pooled` that have waited for an hour, the second one longest."""
    tickets = enqueue("1", "2", "3", kind="pooled")
    for hours, ticket in zip((1, 3, 2), tickets, strict=True):
        later(ticket, -3600 * hours, "queued_at")
    return tickets


def promoted():
    return list(Job.objects.filter(promoted="patience").values_list("subject", flat=True))


def test_the_job_that_waited_longest_beyond_patience_goes_first(old):
    interactive = api.enqueue("pooled", "ben", "1", priority=0, watch="7")
    sweep.thorough([])
    assert promoted() == ["2"]
    assert [take().id, row(old[1]).band] == [interactive.id, 0]


def test_one_job_of_a_pool_is_moved_in_an_interval(old, tune):
    sweep.thorough([])
    Job.objects.filter(promoted="patience").update(status="cancelled", ended_at=Now())
    sweep.thorough([])
    assert promoted() == ["2"]
    tune(PATIENCE_SECONDS=0)
    Chore.objects.update(due_at=Now())
    sweep.thorough([])
    assert sorted(promoted()) == ["2", "3"]


def test_a_job_that_is_asked_for_again_begins_to_wait_again(old):
    api.stop(old[1].id, by="ana")
    api.retry(old[1].id, by="ana")
    sweep.thorough([])
    assert promoted() == ["3"]


def test_jobs_without_a_pool_have_patience_too():
    ticket = enqueue("1")[0]
    later(ticket, -3600, "queued_at")
    sweep.thorough([])
    assert row(ticket).promoted == "patience"


def test_who_has_not_waited_long_is_not_moved():
    enqueue("1")
    sweep.thorough([])
    assert promoted() == []


# the virtual clock


def test_the_clock_of_a_pool_is_the_turn_of_its_first_ready_job_and_never_falls():
    first, second = enqueue("1", "2", kind="pooled")
    moment = row(first).vturn
    Job.objects.filter(pk=first.id).update(vturn=moment + timedelta(hours=1))
    sweep.thorough(["pooled"])
    assert Pool.objects.get(pk="gateway").clock == moment + timedelta(hours=1)
    api.stop(first.id, by="ana")
    sweep.thorough(["pooled"])
    assert Pool.objects.get(pk="gateway").clock == moment + timedelta(hours=1)
    assert status(second) == "ready"


def test_a_newcomer_waits_behind_few_though_work_is_slower_than_its_spacing(tune):
    """Real time alone lets a newcomer wait behind all that came in the hour that the pool is late."""
    tune(SPACING_SECONDS=60)
    enqueue(*map(str, range(60)), kind="pooled")
    sql.run("UPDATE jobs_pool SET clock = clock_timestamp() - interval '1 h' WHERE name = 'gateway'")
    sql.run("UPDATE jobs_job SET vturn = vturn - interval '1 h', turn = turn - interval '1 h'")
    newcomer = api.enqueue("pooled", "ben", "1")
    assert newcomer.position <= 2


# rescue


def silent(worker=WORKER):
    Worker.objects.create(id=worker, host="h", pid=1, slots=1, pools=["gateway"], kinds=["pooled"])
    Worker.objects.update(heartbeat_at="2020-01-01T00:00Z")


def test_the_job_of_a_silent_worker_moves_on():
    silent()
    job = started("pooled")
    assert rescue.rescue() == 1
    assert (status(job), row(job).crashes, row(job).attempts) == ("ready", 1, 0)
    assert Attempt.objects.get().error_kind == "worker_lost"
    assert not Worker.objects.exists()


def test_a_worker_that_died_before_the_servers_clock_was_set_back_is_silent_after_a_lease():
    job = started()
    workers.register(WORKER, host="a", pid=1, slots=1, pools=[], kinds=[], version="1")
    heard = Worker.objects.filter(pk=WORKER)
    heard.update(heartbeat_at=Now() + timedelta(hours=1))
    assert rescue.rescue() == 0  # it may live: its next heartbeat comes
    heard.update(heartbeat_at=F("heartbeat_at") - timedelta(seconds=46))
    assert rescue.rescue() == 1
    assert status(job) == "ready"


def test_a_job_of_a_kind_that_only_another_version_knows_is_left_to_that_one(monkeypatch):
    """It may be one that is parked, and its product has to be told."""
    job = started()
    workers.register(OTHER, host="b", pid=1, slots=1, pools=[], kinds=["plain"], version="2")
    monkeypatch.delitem(KINDS, "plain")
    assert rescue.rescue() == 0
    Worker.objects.filter(pk=OTHER).update(draining=True)
    assert rescue.rescue() == 1
    assert status(job) == "ready"


def test_the_job_of_a_worker_that_nobody_knows_moves_on():
    job = started()
    rescue.rescue()
    assert status(job) == "ready"


def test_the_job_of_a_living_worker_is_left_alone():
    silent()
    Worker.objects.update(heartbeat_at=Now())
    job = started()
    assert rescue.rescue() == 0
    assert status(job) == "running"


def test_a_stopped_job_of_a_silent_worker_is_cancelled():
    job = started()
    api.stop(job.id, by="ana")
    rescue.rescue()
    assert status(job) == "cancelled"


def test_a_heartbeat_brings_the_stop_requests_of_its_worker():
    silent()
    job = started()
    api.stop(job.id, by="ana")
    (running,) = workers.beat(WORKER, draining=False).running
    assert (running["job"], running["token"], running["stop"]) == (job.id, job.token, True)
    assert running["left_s"] == pytest.approx(600, abs=5)


def test_a_worker_that_was_given_up_hears_so():
    assert workers.beat(WORKER, draining=False) is None


# waking


@pytest.mark.parametrize(
    ("change", "wakes"),
    [
        ({}, True),
        ({"draining": True}, False),
        ({"heartbeat_at": "2020-01-01T00:00Z"}, False),
        ({"pools": ["wide"]}, False),
        ({"kinds": ["plain"]}, False),
    ],
)
def test_only_a_sleeping_slot_that_can_take_the_work_is_woken(change, wakes):
    silent()
    Worker.objects.update(heartbeat_at=Now())
    workers.sleep(WORKER, 1)
    Worker.objects.update(**change)
    assert wake.one(pool="gateway", kind="pooled") is wakes
    assert Idle.objects.exists() is not wakes


def test_a_job_that_is_ready_again_wakes_a_slot():
    job = started()
    Worker.objects.create(id=uuid.uuid4(), host="h", pid=1, slots=1, pools=[], kinds=["plain"])
    workers.sleep(Worker.objects.get().pk, 1)
    end(job, "drained")
    assert not Idle.objects.exists()


# pruning


def finished(days, *, fingerprint="f1", kind="items"):
    job = started(kind, fingerprint=fingerprint, items=["a"])
    Progress.objects.create(job=job.id)
    Watch.objects.create(job=job.id, user="7", until="2040-01-01T00:00Z")
    end(job)
    later(job, -86_400 * days, "ended_at")
    Attempt.objects.filter(job=job.id).update(ended_at=row(job).ended_at)
    return job


def test_old_jobs_go_with_all_that_lives_beside_them(tune):
    tune(KEEP_JOBS_DAYS=30)
    old, newest = finished(40), finished(35, fingerprint="f2")
    assert sweep.prune() == 1
    assert list(Job.objects.values_list("id", flat=True)) == [newest.id]
    for beside in (Payload, Progress, Item, Watch):
        assert not beside.objects.filter(job=old.id).exists()
        assert beside.objects.filter(job=newest.id).exists()


def test_the_newest_of_an_identity_is_never_pruned(tune):
    job = finished(1000)
    sweep.prune()
    assert status(job) in ("failed", "succeeded")


def test_a_job_that_is_not_old_stays(tune):
    tune(KEEP_JOBS_DAYS=30)
    finished(29)
    finished(1, fingerprint="f2")
    assert sweep.prune() == 0


def test_old_attempts_go(tune):
    tune(KEEP_ATTEMPTS_DAYS=90)
    finished(91)
    assert sweep.prune() == 1
    assert not Attempt.objects.exists()
