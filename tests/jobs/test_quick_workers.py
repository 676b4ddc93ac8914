"""Quick jobs in real processes: a death, a stop or a deadline of one costs the others nothing."""

import os
import signal
import time
import uuid

import pytest
from django.db import connection

from jobs import api, sql, testing
from jobs.models import Attempt, Idle, Job, Worker
from jobs.worker.child import Left
from tests.chaos.proxy import CutProxy
from tests.jobs.rows import row, status
from tests.processes import database_url, until

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def notes(transactional_db):
    """A table of the product, in which a handler writes a line each time that it saves."""
    sql.run("CREATE TABLE IF NOT EXISTS quick_notes (job bigint, at timestamptz)")
    yield lambda: {row["job"]: row["n"] for row in sql.rows("SELECT job, count(*) AS n FROM quick_notes GROUP BY job")}
    sql.run("DROP TABLE quick_notes")


def many(count, *, first=0, **args):
    news = [api.New(owner="ana", subject=str(first + n), args=args) for n in range(count)]
    return api.enqueue_many("quick", news)


def around(count, **args):
    """Enqueue an odd one between others; return its id and theirs."""
    before, odd = many(count), many(1, first=count, **args)[0]
    return odd, before + many(count, first=count + 1)


def all_end(seconds=40):
    until(lambda: not Job.objects.filter(ended_at__isnull=True).exists(), seconds=seconds, what="every job ends")


def outcomes(job):
    return list(Attempt.objects.filter(job=job).order_by("ended_at").values_list("outcome", flat=True))


def unharmed(ids):
    """Check that these have succeeded once, and that nothing was charged to them."""
    for job in Job.objects.filter(pk__in=ids):
        assert (job.status, job.attempts, job.crashes) == ("succeeded", 0, 0)
        assert outcomes(job.pk).count("succeeded") == 1
        assert set(outcomes(job.pk)) <= {"succeeded", "drained"}


def test_many_are_run_once_each(start_worker, notes):
    start_worker(slots=2)
    ids = many(600, act="note")
    all_end(60)
    unharmed(ids)
    assert notes() == dict.fromkeys(ids, 1)
    assert Attempt.objects.count() == 600


@pytest.mark.full
def test_ten_thousand_are_run_once_each(start_worker):
    ids = many(10_000)
    start_worker(slots=2, args=("--no-clock", "--recycle-jobs", "3000"))
    all_end(120)
    assert Attempt.objects.filter(outcome="succeeded").values("job").distinct().count() == len(ids) == 10_000
    assert Attempt.objects.count() == 10_000


@pytest.mark.parametrize("act", ["die", "crash"])
def test_the_one_that_dies_is_charged_and_the_others_go_on_singly(start_worker, act):
    odd, others = around(10, act=act)
    start_worker()
    all_end()
    job = row(odd)
    assert (job.status, job.error_kind, job.crashes) == ("failed", "crash_loop", 3)
    assert outcomes(odd) == ["crashed"] * 3
    unharmed(others)
    assert Job.objects.filter(pk__in=others, singly=True).count() == 20


def test_what_was_saved_before_a_crash_is_not_run_again(start_worker):
    """Within 100 ms: what returned and was not saved yet runs again, so these run longer than that."""
    saved = many(2, act="sleep", seconds=0.15)
    odd = many(1, first=2, act="die")[0]
    start_worker()
    all_end()
    assert [outcomes(job) for job in saved] == [["succeeded"], ["succeeded"]]
    assert outcomes(odd) == ["crashed"] * 3


def test_a_slot_that_is_killed_costs_only_the_one_it_ran(start_worker):
    odd, others = around(5, act="sleep", seconds=0.8)
    worker = start_worker()
    running(worker, odd)
    os.kill(worker.slot_pids()[0], signal.SIGKILL)
    all_end()
    assert outcomes(odd) == ["crashed", "succeeded"]
    unharmed(others)


def running(worker, odd):
    """Wait until the code of this job runs: it is among those that are claimed together."""
    until(lambda: "job.claimed" in worker.log and f"id={odd} " in worker.log)
    time.sleep(0.3)


def test_a_job_of_a_batch_that_is_asked_to_stop_before_it_begins_never_begins(start_worker, notes):
    slow = many(1, act="sleep", seconds=0.8)[0]
    doomed, others = many(1, first=1, act="note")[0], many(5, first=2, act="note")
    worker = start_worker()
    running(worker, slow)
    assert api.stop(doomed, by="ana") == "stopping"
    until(lambda: status(doomed) == "cancelled", seconds=5)
    all_end()
    unharmed([slow, *others])
    assert notes() == dict.fromkeys(others, 1)
    assert outcomes(doomed) == ["stopped"]
    assert "slot.killed" not in worker.log


def test_a_deaf_job_of_a_batch_is_killed_and_the_others_run_meanwhile(start_worker):
    odd, others = around(5, act="sleep", seconds=60)
    worker = start_worker(slots=2)
    until(lambda: Job.objects.filter(pk__in=others, status="succeeded").count() == 10, seconds=40)
    assert status(odd) == "running"
    api.stop(odd, by="ana")
    until(lambda: status(odd) == "cancelled", seconds=20)
    assert "slot.killed" in worker.log
    all_end()
    assert outcomes(odd) == ["stopped"]
    unharmed(others)
    assert not Job.objects.filter(singly=True).exists()


def test_a_time_out_counts_from_when_it_runs_and_costs_nobody_else(start_worker):
    patient = many(1, act="sleep", seconds=0.7)[0]
    odd = many(1, first=1, act="sleep", seconds=60)[0]
    others = [patient, *many(5, first=2)]
    start_worker(env={"AI_JOB_CLAIM_TIMEOUT": "1"})
    until(lambda: outcomes(odd), seconds=40)
    until(lambda: Job.objects.filter(status="succeeded").count() == 6)
    assert outcomes(odd) == ["timeout"]
    assert (status(odd), row(odd).attempts) == ("scheduled", 1)
    unharmed(others)


def test_a_job_that_stops_its_whole_process_keeps_no_others(start_worker):
    """No thread of the slot can give them back, so the supervisor does."""
    hog = many(1, act="hog", seconds=45)[0]
    others = many(5, first=1)
    start_worker(slots=2)
    until(lambda: Job.objects.filter(pk__in=others, status="succeeded").count() == 5, seconds=40)
    assert status(hog) == "running"
    unharmed(others)


def test_a_stop_of_one_does_not_kill_the_one_that_runs(start_worker):
    hog = many(1, act="hog", seconds=9)[0]
    doomed, after = many(2, first=1)
    worker = start_worker()
    running(worker, hog)
    assert api.stop(doomed, by="ana") == "stopping"
    until(lambda: status(doomed) == "cancelled", seconds=10)
    all_end()
    unharmed([hog, after])
    assert (outcomes(hog), outcomes(doomed)) == (["succeeded"], ["stopped"])
    assert "slot.killed" not in worker.log


def test_who_is_looked_at_goes_before_thousands(start_worker):
    many(5000)
    start_worker()
    until(lambda: Job.objects.filter(status="succeeded").exists())
    look = api.enqueue("plain", "ben", "1", watch="ben", priority=api.INTERACTIVE)
    testing.wait(look.id)
    assert Job.objects.filter(kind="quick", status="succeeded").count() < 2500


def test_sigterm_gives_back_what_was_not_begun(start_worker):
    ids = many(100, act="sleep", seconds=0.05)
    worker = start_worker()
    until(lambda: Job.objects.filter(status="succeeded").exists())
    worker.signal(signal.SIGTERM)
    assert worker.wait() == 0
    begun = set(Job.objects.filter(status="succeeded").values_list("pk", flat=True))
    assert 0 < len(begun) < 100
    for job in Job.objects.filter(pk__in=set(ids) - begun):
        assert (job.status, job.attempts, job.crashes, job.singly) == ("ready", 0, 0, False)
    assert Attempt.objects.count() == len(begun)
    assert not Worker.objects.exists()


def test_drain_empties_the_queue_of_them(start_worker):
    ids = many(250)
    assert start_worker(slots=2, args=("--drain", "--recycle-jobs", "0")).wait(30) == 0
    unharmed(ids)


def test_a_slot_is_replaced_after_its_share_of_them(start_worker):
    ids = many(50)
    start_worker(args=("--no-clock", "--recycle-jobs", "20"))
    all_end()
    unharmed(ids)
    slots = list(Attempt.objects.values_list("slot", flat=True))
    assert [slots.count(number) for number in (1, 2, 3)] == [20, 20, 10]


def test_the_batch_of_a_killed_worker_moves_on_singly(start_worker):
    odd, others = around(5, act="sleep", seconds=0.8)
    first = start_worker()
    running(first, odd)
    first.kill()
    held = set(Job.objects.filter(status="running").values_list("pk", flat=True))
    assert odd in held
    start_worker()
    all_end()
    for job in Job.objects.filter(pk__in=held):
        assert (job.status, job.crashes, job.singly) == ("succeeded", 1, True)
        assert outcomes(job.pk) == ["crashed", "succeeded"]
    unharmed(set(others) - held)


def test_a_worker_that_lost_its_lease_in_a_batch_writes_nothing_more(start_worker):
    odd, others = around(5, act="sleep", seconds=0.8)
    first = start_worker()
    running(first, odd)
    first.signal(signal.SIGSTOP)
    for pid in first.slot_pids():
        os.kill(pid, signal.SIGSTOP)
    start_worker()
    all_end(30)
    for pid in first.slot_pids():
        os.kill(pid, signal.SIGCONT)
    first.signal(signal.SIGCONT)
    until(lambda: Worker.objects.count() == 2, what="the first begins a new life")
    assert all(outcomes(job).count("succeeded") == 1 for job in [odd, *others])


def test_a_batch_whose_claim_was_never_answered_runs_at_once(start_worker):
    held = connection.settings_dict
    proxy = CutProxy(held["HOST"], int(held["PORT"]))
    port = f":{held['PORT']}/"
    try:
        worker = start_worker(
            env={"DATABASE_URL": database_url().replace(port, f":{proxy.port}/") + "?sslmode=disable"}
        )
        until(lambda: Idle.objects.exists())
        proxy.arm(b"jobs_claim_quick(")
        ids = many(20)
        until(lambda: proxy.cut.is_set())
        all_end()
        unharmed(ids)
        assert not Job.objects.filter(singly=True).exists()
        assert "slot.died" not in worker.log
    finally:
        proxy.close()


def test_a_claim_that_lands_after_the_death_of_its_slot_runs_elsewhere(start_worker):
    """The server carries out what a killed slot had sent; the supervisor has settled that slot by then."""
    start_worker()
    until(lambda: Idle.objects.exists())
    worker = Worker.objects.get().pk
    for kind in ("plain", "pooled"):
        ticket = api.enqueue(kind, "ana", "late", run_at="2040-01-01T00:00Z")
        sql.run(LATE, id=ticket.id, worker=worker, token=uuid.uuid4())
        assert testing.wait(ticket.id, seconds=10).status == "succeeded"
        assert (row(ticket).attempts, row(ticket).crashes) == (0, 0)


LATE = """
WITH seat AS (
    UPDATE jobs_seat SET job = %(id)s, token = %(token)s, why = 'running'
    WHERE pool = (SELECT pool FROM jobs_job WHERE id = %(id)s) RETURNING id)
UPDATE jobs_job SET status = 'running', worker = %(worker)s, slot = 999, token = %(token)s, run_at = NULL,
    seat = (SELECT id FROM seat), started_at = clock_timestamp(), deadline = clock_timestamp() + interval '1 h'
WHERE id = %(id)s
"""


# how what a dead slot left has ended


MEANT, OTHER = uuid.uuid4(), uuid.uuid4()


@pytest.mark.parametrize(
    ("killed", "current", "stop", "ends"),
    [
        (None, 1, False, ("crashed", False)),
        (None, 2, False, ("drained", True)),
        (None, 0, False, ("drained", True)),
        (None, 1, True, ("stopped", False)),
        ((MEANT, "deadline"), 1, False, ("timeout", False)),
        ((OTHER, "deadline"), 2, False, ("drained", False)),
        ((None, "lease"), 1, False, ("drained", False)),
    ],
)
def test_only_the_job_whose_code_ran_is_charged_with_a_death(killed, current, stop, ends):
    how = Left(number=1, killed=killed, current=current).how_ended({"id": 1, "token": MEANT, "stop": stop})
    assert (how.outcome, how.singly) == ends
