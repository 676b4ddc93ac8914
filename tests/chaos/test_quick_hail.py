"""Quick jobs by the hundred under kills, freezes, lost sessions, stops and second clicks all the time."""

import os
import signal
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from random import Random

import pytest
from django.db import connection

from jobs import api, sql
from jobs.models import Attempt, Job
from jobs.transitions import control, invariants
from tests.chaos.sessions import deadlocks, end_sessions
from tests.processes import until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.full]

SECONDS, JOBS = 20, 3000
STATEMENTS = ("%jobs_claim(%", "%jobs_claim_quick%", "%jobs_attempt%", "%quick_notes%", "COMMIT%", "LISTEN%")


@pytest.fixture
def notes(transactional_db):
    """A table of the product, in which each run saves a line."""
    sql.run("CREATE TABLE IF NOT EXISTS quick_notes (job bigint, at timestamptz)")
    yield lambda: {row["job"] for row in sql.rows("SELECT DISTINCT job FROM quick_notes")}
    sql.run("DROP TABLE quick_notes")


def strike(worker, chance):
    """Kill or freeze one of its slots; return 1 when it was killed."""
    slots = worker.slot_pids()
    if not slots or chance.random() > 0.5:
        return 0
    pid, number = chance.choice(slots), chance.choice([signal.SIGKILL, signal.SIGSTOP])
    with suppress(ProcessLookupError):
        os.kill(pid, number)
        if number == signal.SIGKILL:
            return 1
        time.sleep(chance.uniform(0.05, 0.4))
        os.kill(pid, signal.SIGCONT)
    return 0


def click(ids, chance, over):
    """Two of the staff press the same button on the same jobs, again and again."""
    while not over.wait(0.1):
        act = chance.choice([control.stop, control.retry, control.promote])
        for job in chance.sample(ids, 3):
            for name in ("ana", "ben"):
                try:
                    act(job, by=name)
                except sql.AWAY:  # their sessions are cut too
                    connection.close()
    connection.close()


def test_hail_on_quick_jobs_loses_none_and_charges_only_those_that_ran(start_worker, notes):
    chance, before = Random(11), deadlocks()
    acts = ({"act": "note"}, {}, {"act": "sleep", "seconds": 0.02}, {"act": "call"})
    news = [api.New(owner=f"o{n % 5}", subject=str(n), args=acts[n % len(acts)]) for n in range(JOBS)]
    ids = api.enqueue_many("quick", news)
    ids += [api.enqueue("plain", "ana", str(n)).id for n in range(100)]
    workers = [start_worker(slots=2), start_worker(slots=2)]
    killed, cut, over = 0, 0, threading.Event()
    clicks = ThreadPoolExecutor(1).submit(click, ids, Random(12), over)
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        cut += end_sessions(chance.choice(STATEMENTS))
        killed += strike(chance.choice(workers), chance)
        time.sleep(chance.uniform(0.02, 0.15))
    over.set()
    clicks.result(30)
    stopped = set(Job.objects.filter(status="cancelled").values_list("pk", flat=True))
    for job in stopped:
        control.retry(job, by="ana")
    until(lambda: not Job.objects.filter(ended_at__isnull=True).exists(), seconds=90, what="every job ends")
    said = Counter(Attempt.objects.values_list("outcome", flat=True))
    print(f"killed {killed} slots and {cut} sessions, {len(stopped)} stopped:", said)
    assert set(said) <= {"succeeded", "drained", "crashed", "stopped", "down"}
    assert said["crashed"] <= killed
    failed = Job.objects.exclude(status__in=["succeeded", "cancelled"])
    assert list(failed.exclude(error_kind="crash_loop").values_list("pk", "status", "error_kind")) == []
    noted = Job.objects.filter(kind="quick", status="succeeded", pk__in=ids[0 : JOBS : len(acts)])
    assert set(noted.values_list("pk", flat=True)) <= notes()
    until(lambda: not invariants.violations(), seconds=15, what="the audit finds nothing")
    assert deadlocks() == before
