"""Claimers beside claimers: never the same job, never a seat too many, and the gap is kept."""

import threading
from functools import partial
from itertools import pairwise

import pytest

from jobs import sql
from jobs.models import Job
from jobs.transitions import calls, pools
from jobs.transitions.claim import Claimed, Contended
from tests.jobs.rows import end, enqueue, row, take, try_claim
from tests.jobs.sessions import aside, together

pytestmark = pytest.mark.usefixtures("queue")


def test_a_job_that_another_claimer_has_locked_is_contended_not_nothing():
    enqueue("1")
    with sql.short_transaction():
        take()
        assert aside(try_claim) == Contended(pool="")


def test_a_seat_that_another_claimer_has_locked_is_contended_too():
    enqueue("1", "2", kind="pooled")
    with sql.short_transaction():
        take()
        assert aside(try_claim) == Contended(pool="gateway")


def test_a_claimer_takes_the_next_job_of_the_kind_when_the_first_is_locked():
    first, second = enqueue("1", "2")
    with sql.short_transaction():
        assert take().id == first.id
        assert aside(take).id == second.id


class Log:
    """What is in flight, by a count of its own that no row decides."""

    def __init__(self):
        self.now = self.most = self.most_rows = self.done = 0
        self.guard = threading.Lock()
        self.both = threading.Event()  # the first to begin waits for a second beside it, however slow the machine is

    def begin(self):
        with self.guard:
            self.now += 1
            self.most = max(self.most, self.now)
            if self.now == 2:
                self.both.set()
        assert self.both.wait(10)
        rows = Job.objects.running().filter(pool="wide").count()
        with self.guard:
            self.most_rows = max(self.most_rows, rows)

    def end(self):
        with self.guard:
            self.now -= 1
            self.done += 1


def work(log, slot, until):
    while log.done < until:
        job = try_claim("pooled", slot=slot)
        if isinstance(job, Claimed):
            log.begin()
            log.end()
            end(job)


def test_eight_claimers_never_take_a_third_job_of_two_seats():
    pools.change("wide", by="staff", capacity=2)
    enqueue(*map(str, range(40)), kind="pooled", args={"pool": "wide"})
    log = Log()
    together(*[partial(work, log, slot, 40) for slot in range(8)])
    assert (log.most, log.most_rows) == (2, 2)


def test_claimers_never_take_the_same_job_twice():
    enqueue(*map(str, range(60)))
    found = together(*[lambda slot=slot: [take(slot=slot).id for _ in range(5)] for slot in range(8)])
    ids = [number for taken in found for number in taken]
    assert len(set(ids)) == len(ids) == 40


def call_and_end(slot, spans, wanted):
    while len(spans) < wanted:
        job = try_claim("pooled", slot=slot)
        if isinstance(job, Claimed):
            calls.begin(job.id, job.token, timeout_s=5, streamed=True)
            calls.over(job.id, job.token)
            over = sql.row("SELECT over_at FROM jobs_call WHERE job = %(id)s", id=job.id)["over_at"]
            spans.append((row(job).started_at, over))
            end(job)


def test_claimers_keep_the_gap_after_the_end_of_each_call():
    pools.change("gateway", by="staff", gap_s=0.05)
    enqueue(*map(str, range(10)), kind="pooled")
    spans = []
    together(*[partial(call_and_end, slot, spans, 7) for slot in range(4)])
    spans.sort()
    gaps = [(after[0] - before[1]).total_seconds() for before, after in pairwise(spans)]
    assert min(gaps) >= 0.05
