"""The audit beside workers at work: it sees nothing wrong in what they do, and mends what somebody else breaks."""

import time
from random import Random

import pytest

from jobs import api, sql
from jobs.models import Attempt, Job, Seat
from jobs.transitions import invariants
from tests.chaos.sessions import deadlocks
from tests.processes import until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.full]

SECONDS = 20
ONE = {
    "running": "(SELECT id FROM jobs_job WHERE status = 'running' ORDER BY random() LIMIT 1)",
    "ready": "(SELECT id FROM jobs_job WHERE status = 'ready' ORDER BY random() LIMIT 1)",
}
BREAKS = (
    "UPDATE jobs_seat SET token = gen_random_uuid() WHERE job = {running}",
    "DELETE FROM jobs_seat WHERE job = {running}",
    "DELETE FROM jobs_seat WHERE id = (SELECT min(id) FROM jobs_seat WHERE job IS NULL)",
    "INSERT INTO jobs_seat (pool, free_at, why) VALUES ('gateway', now() - interval '1 hour', '')",
    "UPDATE jobs_job SET status = 'waiting' WHERE lane <> '' AND status = 'ready' AND id = {ready}",
    "UPDATE jobs_job SET band = 0 WHERE id = {ready}",
    "UPDATE jobs_job SET run_at = now() WHERE status = 'ready' AND id = {ready}",
    "UPDATE jobs_pool SET admit = 0, closed_until = NULL",
    "UPDATE jobs_seat SET free_at = now() + interval '9 years' WHERE job IS NULL",
    "INSERT INTO jobs_idle (worker, slot) VALUES (gen_random_uuid(), 1)",
)
# A seat that lost its job lingers as long as a call may last; here nobody calls.
NO_CALLS = "UPDATE jobs_seat SET free_at = clock_timestamp() WHERE why = 'lingering'"


def work(seconds):
    """Give two workers short jobs of every sort; return their ids."""
    lane = [{"lane": f"lane:{number % 5}"} for number in range(120)]
    ids = [api.enqueue("lined", f"o{n % 4}", str(n), args={**lane[n], "seconds": 0.02}).id for n in range(120)]
    ids += [api.enqueue("both", f"o{n % 4}", str(n), args=lane[n]).id for n in range(120)]
    ids += [api.enqueue("pooled", f"o{n % 4}", str(n), watch=f"{n % 9}").id for n in range(80)]
    return ids + [api.enqueue("sleeps", "ana", str(n), args={"seconds": 0.1}).id for n in range(60)]


def test_workers_at_work_break_no_rule(start_worker):
    start_worker(slots=3)
    start_worker(slots=3)
    ids = work(SECONDS)
    # What a look meets between two statements of a process is no violation only if it is gone at the next look.
    before: set[tuple[str, str]] = set()
    looks = 0
    while Job.objects.filter(pk__in=ids, ended_at__isnull=True).exists():
        found = {(each.rule.name, thing) for each in invariants.violations() for thing in each.things}
        found = {(name, thing) for name, thing in found if name != "ready-job-is-served"}
        assert not found & before
        before, looks = found, looks + 1
        time.sleep(0.3)
    assert looks > 3
    assert not Job.objects.filter(pk__in=ids).exclude(status="succeeded").exists()


def test_what_somebody_breaks_beside_them_is_mended_and_every_job_ends(start_worker):
    chance, locks = Random(11), deadlocks()
    worker = start_worker(slots=4)
    ids = work(SECONDS)
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        for statement in chance.sample(BREAKS, 3):
            sql.run(statement.format(**ONE))
        invariants.repair(invariants.violations(), by="test")
        sql.run(NO_CALLS)
        time.sleep(chance.uniform(0.05, 0.3))

    def mended() -> bool:
        invariants.repair(invariants.violations(), by="test")
        sql.run(NO_CALLS)
        return not Job.objects.filter(pk__in=ids, ended_at__isnull=True).exists()

    until(mended, seconds=90, what="every job ends")
    until(lambda: not invariants.violations(), what="no rule is broken")
    assert not Job.objects.filter(pk__in=ids).exclude(status="succeeded").exists()
    assert set(Attempt.objects.values_list("outcome", flat=True)) <= {"succeeded", "drained"}
    assert Attempt.objects.filter(outcome="succeeded").count() == len(ids)
    assert not Seat.objects.filter(job__isnull=False).exists()
    assert deadlocks() == locks
    assert "Traceback" not in worker.log
