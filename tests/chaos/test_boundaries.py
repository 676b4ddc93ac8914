"""A slot is killed, or loses its connection, at every statement boundary from its claim to its finish, one by one."""

import os
import signal
from collections.abc import Callable, Iterator
from itertools import pairwise
from urllib.parse import quote

import pytest
from django.db import connection
from django.db.models.functions import Now

from coach.trial import TrialGateway
from jobs import api, testing
from jobs.models import Attempt, Job, Seat, Worker
from jobs.transitions import invariants, pools
from tests.chaos import witness
from tests.chaos.boundaries import Boundaries, Strike, ends_one
from tests.chaos.sessions import deadlocks
from tests.processes import until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.full]

GAP_S, CALL_MOST_S = 0.05, 0.8
ROUNDS = 150  # far more than there are boundaries: whoever needs so many is never struck again, and never through
TIMES = {"TEST_POLL_SECONDS": "0.1", "TEST_DOWN_SECONDS": "0.1"}
UNCHARGED = {"drained", "down"}  # what a lost connection may have cost an attempt


@pytest.fixture
def way() -> Iterator[Boundaries]:
    held = connection.settings_dict
    running = Boundaries(held["HOST"], int(held["PORT"]))
    yield running
    running.close()


def address(way: Boundaries) -> str:
    held = connection.settings_dict
    who = f"{quote(held['USER'])}:{quote(held['PASSWORD'], safe='')}"
    return f"postgresql://{who}@{quote(way.folder, safe='')}:{way.port}/{held['NAME']}"


@pytest.fixture
def slots(start_worker, way):
    """Five slots that claim, and one that works all the time and must never notice anything."""
    bystander = api.enqueue("sleeps", "by", "stander", args={"seconds": 600})
    worker = start_worker(slots=6, env={"DATABASE_URL": address(way), **TIMES})
    until(lambda: Job.objects.get(pk=bystander.id).status == "running", seconds=30)
    token = Job.objects.get(pk=bystander.id).token
    yield worker
    assert Job.objects.get(pk=bystander.id).token == token, "the bystander was harmed"
    until(lambda: not invariants.violations(), seconds=15, what="the audit finds nothing")
    assert "Traceback" not in worker.log


def with_a_call(gateway: TrialGateway, number: int) -> list[int]:
    """One call, and another job that must come to no harm."""
    args = {"url": gateway.url, "timeout": CALL_MOST_S, "streamed": False}
    tickets = [api.enqueue("calls", "ana", str(number), args=args, priority=0)]
    tickets.append(api.enqueue("plain", "ben", str(number), priority=10))
    return [ticket.id for ticket in tickets]


def in_a_lane(gateway: TrialGateway, number: int) -> list[int]:
    """One of a lane, and the next in the same lane."""
    return [api.enqueue("lined", "ana", f"{number} {part}", priority=part).id for part in range(2)]


def in_a_chain(gateway: TrialGateway, number: int) -> list[int]:
    """Two that end plainly: the statement that ends the first claims the second."""
    return [api.enqueue("plain", "ana", f"{number} {part}", priority=part).id for part in range(2)]


CHARGED = {  # what a death may have cost an attempt: nothing, when its job was claimed with the ending of another
    with_a_call: {"crashed"},
    in_a_lane: {"crashed"},
    in_a_chain: {"crashed", "drained"},
}
STRUCK = {  # statements of each that must have been struck
    with_a_call: [b"FROM jobs_claim(", b"INSERT INTO jobs_call", b"jobs_attempt", b"COMMIT"],
    in_a_lane: [b"FROM jobs_claim(", b"jobs_attempt", b"COMMIT"],
    in_a_chain: [b"FROM jobs_claim("],
}


@pytest.mark.parametrize("executed", [False, True], ids=["before", "unanswered"])
@pytest.mark.parametrize("kills", [True, False], ids=["killed", "cut"])
@pytest.mark.parametrize("wish", [with_a_call, in_a_lane, in_a_chain])
def test_no_statement_boundary_loses_or_doubles_anything(
    slots, way, wish: Callable[[TrialGateway, int], list[int]], kills: bool, executed: bool
):
    before, struck = deadlocks(), []
    pools.change("gateway", by="test", capacity=1, gap_s=GAP_S)
    with TrialGateway(delay_s=0.03) as gateway:
        for number in range(ROUNDS):
            way.catch(resting=wish is in_a_lane)
            until(lambda: Seat.objects.filter(pool="gateway", job=None, free_at__lt=Now()).exists())
            ids = wish(gateway, number)
            hit = way.let(Strike(at=len(struck) + 1, executed=executed, act=kill if kills else spare))
            for job in ids:
                testing.wait(job, seconds=20)
            begun = len(way.said) > (2 if wish is in_a_lane else 1)  # a claim from rest wakes up before it begins
            check(ids, lost_as=CHARGED[wish] if kills and begun else UNCHARGED)
            if not on_target(way, ids):
                continue
            if not hit:
                break
            struck.append(way.struck)
        else:
            pytest.fail(f"It never ran through; struck were {[words(each) for each in struck]}.")
        calls = witness.made(gateway.log())
        assert gateway.stats()["max_in_flight"] <= 1
    print(len(struck), "boundaries", [words(each) for each in struck])
    # It was struck at the claim, at the call, in the ending and at its commit, and ran through in the end.
    for part in STRUCK[wish]:
        assert any(part in each for each in struck), part
    assert wish is not in_a_chain or any(ends_one(each) for each in struck)
    assert witness.overruns(calls, witness.Caps(1), gap_s=GAP_S) == []
    assert witness.twice(calls) == []
    if wish is with_a_call:
        succeeded = Attempt.objects.filter(kind="calls", outcome="succeeded").values_list("token", flat=True)
        assert set(succeeded) <= {call.token for call in calls}
        assert kills or len(calls) == number + 1
    assert deadlocks() == before


def on_target(way: Boundaries, ids: list[int]) -> bool:
    """Say whether the first of these was claimed: a sweep may have had its seat at that very moment."""
    if way.passed:
        return way.has_ended(ids[0])
    return len(way.said) == 1 or Attempt.objects.filter(job__in=ids).earliest("started_at").job == ids[0]


def kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)


def spare(pid: int) -> None:
    """Only its connection is cut."""


def check(ids: list[int], *, lost_as: set[str]) -> None:
    """Each ended once and succeeded; at most one attempt was lost, a crash only if its handler's process died."""
    lost = []
    spans = []
    for job in Job.objects.filter(pk__in=ids):
        attempts = list(Attempt.objects.filter(job=job.pk).order_by("number"))
        assert (job.status, job.attempts) == ("succeeded", 0)
        assert [one.outcome for one in attempts].count("succeeded") == 1
        assert attempts[-1].outcome == "succeeded"
        lost += [one.outcome for one in attempts[:-1]]
        spans += [(one.started_at, one.ended_at) for one in attempts if job.lane]
    assert len(lost) <= 1, lost
    assert set(lost) <= lost_as
    spans.sort()
    assert all(end <= start for (_, end), (start, _) in pairwise(spans)), "a lane overlapped"
    assert not Seat.objects.filter(job__in=ids).exists()


def test_a_client_frozen_between_two_statements_calls_and_writes_no_more(start_worker, way):
    """Its whole host freezes, its job is given to another, and then it goes on with the answer it had waited for."""
    pools.change("gateway", by="test", capacity=1, gap_s=GAP_S)
    env = {"DATABASE_URL": address(way), **TIMES, "TEST_SELF_KILL_SECONDS": "1.5", "TEST_RESCUE_SECONDS": "2"}
    first, second = start_worker(env=env), start_worker(slots=2, env=env)
    struck: list[bytes] = []

    def freeze(pid: int) -> None:
        for each in (pid, first.pid):
            os.kill(each, signal.SIGSTOP)

    with TrialGateway(delay_s=0.03) as gateway:
        for number in range(ROUNDS):
            way.catch(resting=False, among=lambda pid: pid in first.slot_pids())
            until(lambda: Seat.objects.filter(pool="gateway", job=None, free_at__lt=Now()).exists())
            life = Worker.objects.get(pid=first.pid).pk
            ids = with_a_call(gateway, number)
            hit = way.let(Strike(at=len(struck) + 1, executed=True, act=freeze, cuts=False))
            for job in ids:
                testing.wait(job, seconds=30)
            if not hit and on_target(way, ids):
                break
            if not hit:
                continue
            until(lambda life=life: not Worker.objects.filter(pk=life).exists(), seconds=30, what="it is given up")
            slots = first.slot_pids()
            for each in (*slots, first.pid):
                os.kill(each, signal.SIGCONT)
            until(lambda slots=slots: not set(slots) & set(first.slot_pids()), what="the slot has noticed")
            until(lambda: Worker.objects.filter(pid=first.pid).exists(), what="it begins a new life")
            struck += [way.struck] if on_target(way, ids) else []
        else:
            pytest.fail(f"It never ran through; struck were {[words(each) for each in struck]}.")
        calls = witness.made(gateway.log())
    print(len(struck), "boundaries", [words(each) for each in struck])
    assert any(b"COMMIT" in each for each in struck)
    assert witness.overruns(calls, witness.Caps(1), gap_s=GAP_S) == []
    assert witness.twice(calls) == []
    assert witness.late(calls) == []
    for job in Job.objects.filter(kind="calls"):
        outcomes = list(Attempt.objects.filter(job=job.pk).order_by("number").values_list("outcome", flat=True))
        assert outcomes in (["succeeded"], ["crashed", "succeeded"])
    assert "Traceback" not in first.log + second.log


def words(statement: bytes) -> str:
    return " ".join(statement[5:].decode(errors="replace").strip("\0").split())[:40]
