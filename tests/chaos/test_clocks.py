"""Machines whose clocks disagree by a quarter of an hour: only the database's clock counts."""

import shutil
import subprocess
from itertools import pairwise

import pytest
from django.utils import timezone

from coach.trial import TrialGateway
from jobs import api, testing
from jobs.models import Attempt, Job, Worker
from jobs.transitions import pools
from tests.processes import until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.full]

GAP_S = 0.4


# Shifts the clock on the wall and no other; libfaketime breaks clock_nanosleep, which Python sleeps by.
SHIFT = """
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t clock, struct timespec *now) {
    long failed = syscall(SYS_clock_gettime, clock, now);
    const char *shift = getenv("WALL_CLOCK_SHIFT_S");
    if (!failed && clock == CLOCK_REALTIME && shift) now->tv_sec += atol(shift);
    return (int) failed;
}
"""


@pytest.fixture
def shifted(tmp_path):
    """Give the environment of a process whose wall clock is off by so many seconds."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("No compiler is installed.")
    source, library = tmp_path / "shift.c", tmp_path / "shift.so"
    source.write_text(SHIFT)
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source], check=True)
    return lambda seconds: {"LD_PRELOAD": str(library), "WALL_CLOCK_SHIFT_S": str(seconds)}


def test_clocks_a_quarter_of_an_hour_apart_steal_no_lease_and_keep_the_gap(start_worker, shifted):
    with TrialGateway(delay_s=0.05) as gateway:
        pools.change("gateway", by="test", capacity=1, gap_s=GAP_S)
        tickets = [api.enqueue("calls", f"o{n % 3}", str(n), args={"url": gateway.url}) for n in range(15)]
        tickets += [api.enqueue("sleeps", f"o{n % 3}", str(n), args={"seconds": 6}) for n in range(2)]
        workers = [start_worker(slots=2, env=shifted(900)), start_worker(slots=2, env=shifted(-900))]
        until(lambda: Worker.objects.count() == 2)
        known = set(Worker.objects.values_list("pk", flat=True))
        for ticket in tickets:
            assert testing.wait(ticket.id, seconds=40).status == "succeeded"
        calls = sorted(gateway.log(), key=lambda call: call["started"])
        assert gateway.stats()["max_in_flight"] == 1
        assert min(after["started"] - before["ended"] for before, after in pairwise(calls)) >= GAP_S
    assert len(calls) == 15
    assert set(Attempt.objects.values_list("outcome", flat=True)) == {"succeeded"}
    assert set(Worker.objects.values_list("pk", flat=True)) == known
    logs = [worker.log for worker in workers]
    assert not any("rescued" in log or "lease_lost" in log for log in logs)
    hours = {log[:16] for log in logs}
    assert len(hours) == 2  # they did tell another time


def test_two_clocks_a_quarter_of_an_hour_apart_give_each_tick_once(start_worker, shifted):
    """Both are up when the schedule comes due; what each ticks is of one row, and the row moves on."""
    from django_q.models import Schedule

    Schedule.objects.exclude(name="morning").delete()
    workers = [start_worker(args=(), env=shifted(900)), start_worker(args=(), env=shifted(-900))]
    until(lambda: all("ready for work" in worker.log for worker in workers), what="both clusters run")
    Schedule.objects.filter(name="morning").update(schedule_type="I", minutes=1, next_run=timezone.now())
    until(lambda: Job.objects.filter(kind="prefetch").count() >= 3, seconds=300, what="three ticks")
    prints = list(Job.objects.filter(kind="prefetch").values_list("fingerprint", flat=True))
    assert len(set(prints)) == len(prints)
    assert all(Attempt.objects.filter(job=job).count() == 1 for job in Job.objects.values_list("pk", flat=True)[:2])
