"""Staff stop, retry and promote whole pages of jobs at once while workers claim and finish them."""

import threading
from random import Random

import pytest
from django.db import connection

from jobs import api
from jobs.console import operate
from jobs.models import Attempt, Job, Seat
from jobs.transitions import invariants, pools
from tests.chaos.sessions import deadlocks
from tests.processes import until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.full]

JOBS, ROUNDS = 500, 200
VERBS = ("stop", "retry", "promote")
EACH = JOBS // len(VERBS) + 1  # jobs of a round for each hand, so that a round moves about every job once
SURFACED = ("Traceback", "LockNotAvailable", "DeadlockDetected", "QueryCanceled", "IntegrityError")


def wishes() -> list[int]:
    """Enqueue jobs with and without lanes and a pool, of several owners; some take a moment, so that a line forms."""
    found: list[int] = []
    for number in range(JOBS):
        kind = ("sleeps", "lined", "both", "pooled")[number % 4]
        args = {"lane": f"lane:{number % 12}", "seconds": 0.1}
        found.append(api.enqueue(kind, f"o{number % 7}", str(number), args=args).id)
    return found


class Hand:
    """One of the staff: in each round it acts on a page of jobs, at the same time as the others."""

    def __init__(self, verb: str, ids: list[int], barrier: threading.Barrier, seed: int) -> None:
        self.act = operate.VERBS[verb]
        self.verb, self.ids, self.barrier, self.chance = verb, ids, barrier, Random(seed)
        self.moved = 0
        self.failed: list[str] = []
        self.thread = threading.Thread(target=self.work, daemon=True)

    def work(self) -> None:
        try:
            for _ in range(ROUNDS):
                self.barrier.wait(120)
                page = self.chance.sample(self.ids, EACH)
                self.moved += self.act(page, by=self.verb).total_moved
        except threading.BrokenBarrierError:
            self.failed.append("another hand, or it took too long")
        except Exception as error:
            self.failed.append(repr(error))
            self.barrier.abort()
        finally:
            connection.close()


def test_bulk_by_three_hands_deadlocks_nowhere_and_loses_nothing(start_worker):
    before = deadlocks()
    pools.change("gateway", by="test", capacity=4)
    ids = wishes()
    workers = [start_worker(slots=2), start_worker()]
    until(lambda: Job.objects.filter(status="succeeded").exists(), seconds=30, what="they work")
    barrier = threading.Barrier(len(VERBS))
    hands = [Hand(verb, ids, barrier, seed) for seed, verb in enumerate(VERBS)]
    for hand in hands:
        hand.thread.start()
    for hand in hands:
        hand.thread.join(900)
    print("moved", {hand.verb: hand.moved for hand in hands}, "attempts", Attempt.objects.count())
    assert [error for hand in hands for error in hand.failed] == []
    until(lambda: not Job.objects.filter(ended_at__isnull=True).exists(), seconds=90, what="every job ends")
    assert set(Job.objects.values_list("status", flat=True)) <= {"succeeded", "cancelled"}
    operate.retry(ids, by="test")
    until(lambda: Job.objects.filter(status="succeeded").count() == JOBS, seconds=90, what="every job succeeds")
    assert Job.objects.count() == JOBS
    assert set(Attempt.objects.values_list("outcome", flat=True)) <= {"succeeded", "stopped"}
    assert not Job.objects.exclude(attempts=0, crashes=0, downs=0).exists()
    assert not Seat.objects.filter(job__isnull=False).exists()
    until(lambda: not invariants.violations(), seconds=15, what="the audit finds nothing")
    assert deadlocks() == before
    logs = "\n".join(worker.log for worker in workers)
    assert [word for word in SURFACED if word in logs] == []
