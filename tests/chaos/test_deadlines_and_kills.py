"""Answers that come at the deadline, stops that race an ending, and kills that race the next claim."""

import os
import signal
import time
from collections import Counter
from datetime import timedelta
from random import Random

import pytest
from django.utils import timezone

from coach.trial import TrialGateway
from jobs import api, sql, testing
from jobs.models import Attempt, Idle, Job, Payload, Pool, Seat
from jobs.transitions import control, finish, pools
from jobs.transitions.claim import Claimed
from jobs.transitions.outcomes import Attempted
from tests.chaos.sessions import MINE
from tests.jobs.rows import started
from tests.jobs.sessions import in_step
from tests.processes import QUICK, until

DEADLINE_S = 1
ONCE = {"TEST_BACKOFF_SECONDS": "3600"}  # nothing is tried again meanwhile
OPENED = {"admit": None, "closed_until": None, "down_since": None, "failures": 0}
OPEN = f"SELECT 1 FROM pg_stat_activity WHERE {MINE} AND state = 'idle in transaction'"  # noqa: S608


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
def test_an_answer_at_the_deadline_is_done_or_timed_out(start_worker):
    pools.change("wide", by="test", capacity=100)  # a seat whose call timed out lingers
    with TrialGateway(permits=100) as gateway:
        for _ in range(2):
            start_worker(slots=6, env={"AI_JOB_CLAIM_TIMEOUT": str(DEADLINE_S), **ONCE})
        close = AtTheDeadline(gateway, seed=3)
        for _ in range(20):
            close.twenty()
    print("before the deadline", close.early_s, "outcomes", close.counted("calls"), close.counted("deaf"))
    assert close.counted("calls").total() == close.counted("deaf").total() == 200  # never neither, never both
    for kind in ("calls", "deaf"):
        assert set(close.counted(kind)) == {"succeeded", "timeout"}
        assert min(close.counted(kind).values()) >= 10, "they did not come close"
    results = dict(Payload.objects.values_list("job", "result"))
    for attempt in Attempt.objects.all():
        job, done = Job.objects.get(pk=attempt.job), attempt.outcome == "succeeded"
        assert (job.status, job.attempts) == (("succeeded", 0) if done else ("scheduled", 1))
        assert done or results[job.pk] is None, "It has timed out, and its result was written."
    assert Attempt.objects.values("job").distinct().count() == 400
    assert not Seat.objects.filter(job__isnull=False).exists()


class AtTheDeadline:
    """Answers within 50 ms of the deadline, and of the kill that follows it for who does not listen.

    How long the rest of an attempt takes here is learned on the way.
    """

    def __init__(self, gateway: TrialGateway, *, seed: int) -> None:
        self.gateway, self.chance = gateway, Random(seed)
        self.early_s = {"calls": 0.05, "deaf": -float(QUICK["STOP_GRACE_SECONDS"]) - 0.1}
        self.args = {"url": gateway.url, "pool": "wide", "timeout": 5}
        self.count = 0

    def twenty(self) -> None:
        self.gateway.script([{"do": "answer", "delay_s": self.moment_s("calls")} for _ in range(10)])
        ids = [api.enqueue("calls", "ana", self.name(), args=self.args).id for _ in range(10)]
        for _ in range(10):
            ids.append(api.enqueue("deaf", "ana", self.name(), args={"seconds": self.moment_s("deaf")}).id)
        until(lambda: self.have_ended(ids), seconds=60, what="every attempt ends")
        for kind in self.early_s:
            late = Attempt.objects.filter(job__in=ids, kind=kind, outcome="timeout").count()
            self.early_s[kind] += (late - 5) / 10 * 0.2

    def have_ended(self, ids: list[int]) -> bool:
        """Ask, and open the pool, which two time-outs in a row close: that is not the matter here."""
        Pool.objects.filter(pk="wide", admit__isnull=False).update(**OPENED)
        return Attempt.objects.filter(job__in=ids).count() >= 20

    def name(self) -> str:
        self.count += 1
        return str(self.count)

    def moment_s(self, kind: str) -> float:
        return DEADLINE_S - self.early_s[kind] + self.chance.uniform(-0.05, 0.05)

    def counted(self, kind: str) -> Counter[str]:
        return Counter(Attempt.objects.filter(kind=kind).values_list("outcome", flat=True))


@pytest.mark.usefixtures("queue")
def test_a_stop_that_races_the_ending_is_one_of_the_two():
    jobs: list[Claimed] = []
    seen = set()

    def begin() -> None:
        jobs.append(started("pooled", str(len(jobs))))

    def end() -> None:
        finish.end(jobs[-1].id, jobs[-1].token, Attempted(outcome="retry", error="It did not work."))

    def stop() -> None:
        seen.add(control.stop(jobs[-1].id, by="ana"))

    in_step([begin, end] * 200, [lambda: None, stop] * 200)
    for job in jobs:
        assert Job.objects.get(pk=job.id).status == "cancelled"
        assert Attempt.objects.filter(job=job.id).count() == 1
    assert seen == {"cancelled", "stopping"}
    assert not Seat.objects.filter(job__isnull=False).exists()


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
def test_kills_without_grace_never_cost_the_next_job(start_worker):
    chance = Random(5)
    start_worker(slots=2, env={"TEST_STOP_GRACE_SECONDS": "0"})
    tickets = [api.enqueue("deaf", "ana", str(n), args={"seconds": chance.uniform(0, 0.15)}) for n in range(120)]
    doomed = {ticket.id for ticket in tickets[::2]}
    left = set(doomed)
    end = time.monotonic() + 40
    while left and time.monotonic() < end:
        for job in Job.objects.filter(pk__in=left, status="running").values_list("pk", flat=True):
            api.stop(job, by="ana")
            left.discard(job)
        left -= set(Job.objects.filter(pk__in=left, ended_at__isnull=False).values_list("pk", flat=True))
    until(lambda: not Job.objects.filter(ended_at__isnull=True).exists(), seconds=20, what="every job ends")
    for job in Job.objects.all():
        assert (job.crashes, job.attempts) == (0, 0)
        assert job.status in ({"cancelled", "succeeded"} if job.pk in doomed else {"succeeded"})
    print(Job.objects.filter(status="cancelled").count(), "were stopped")
    assert not Attempt.objects.filter(outcome="crashed").exists()


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
def test_a_save_frozen_with_its_worker_delays_neither_its_rescue_nor_other_sweeps(start_worker, tmp_path):
    first = start_worker()
    ticket = api.enqueue("freezes", "ana", "1", args={"marker": str(tmp_path / "frozen")})
    until(lambda: (tmp_path / "frozen").exists() and sql.rows(OPEN), what="the save is open")
    first.signal(signal.SIGSTOP)
    start_worker(slots=2)
    until(lambda: Idle.objects.exists(), what="the second one waits")
    time.sleep(5)  # its lease and the time to rescue are over
    for number in range(3):
        soon = api.enqueue("plain", "ben", str(number), run_at=timezone.now() + timedelta(seconds=0.5))
        assert testing.wait(soon.id, seconds=5).status == "succeeded"
    assert testing.wait(ticket.id, seconds=15).status == "succeeded"
    os.kill(int((tmp_path / "frozen").read_text()), signal.SIGCONT)
    first.signal(signal.SIGCONT)
    assert Attempt.objects.filter(job=ticket.id, outcome="succeeded").count() == 1


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("whole_host", [False, True], ids=["slot", "host"])
def test_a_worker_killed_between_claim_and_call_makes_one_call_in_total(start_worker, whole_host):
    with TrialGateway(delay_s=0.1) as gateway:
        first = start_worker()
        args = {"url": gateway.url, "seconds": 1.5, "timeout": 60, "streamed": False}
        ticket = api.enqueue("calls_late", "ana", "1", args=args)
        until(lambda: Job.objects.get(pk=ticket.id).status == "running")
        doomed = first.slot_pids()
        for pid in [first.pid, *doomed] if whole_host else doomed:
            os.kill(pid, signal.SIGKILL)
        if whole_host:
            start_worker()
        until(lambda: Attempt.objects.exists(), what="it is given to another")
        assert not gateway.log()
        # No call was in flight, so the seat does not linger, though the call might have taken a minute.
        assert testing.wait(ticket.id, seconds=15).status == "succeeded"
        assert len(gateway.log()) == 1
    assert list(Attempt.objects.order_by("number").values_list("outcome", flat=True)) == ["crashed", "succeeded"]
    assert Job.objects.get(pk=ticket.id).crashes == 1
    assert not Seat.objects.filter(job__isnull=False).exists()
