"""Workers are killed, frozen and cut off at random while the pool's capacity changes: the gateway's log decides."""

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from random import Random

import pytest

from coach.trial import TrialGateway
from jobs import api
from jobs.models import Attempt, Job, Seat
from jobs.transitions import pools
from tests.chaos.sessions import deadlocks, end_session, pids
from tests.processes import Worker, until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.full]

STORM_S, SETTLE_S, GAP_S, CALL_S = 30, 60, 0.2, 2
ACTIVE = ("scheduled", "waiting", "ready", "running")


class Storm:
    """Two workers of three slots, and what happens to them; `caps` is what capacity was in force from when."""

    def __init__(self, seed: int, gateway: TrialGateway, start: Callable[..., Worker]) -> None:
        self.chance = Random(seed)
        self.gateway = gateway
        self.start = start
        self.workers = [start(slots=3), start(slots=3)]
        self.caps: list[tuple[float, int]] = [(0.0, 2)]
        self.frozen: list[tuple[float, int]] = []
        self.did: list[str] = []
        pools.change("gateway", by="storm", capacity=2, gap_s=GAP_S)

    def blow(self, seconds: float) -> None:
        acts = [self.kill_slot] * 4 + [self.cut_off] * 4 + [self.resize] * 4 + [self.freeze_slot, self.freeze_worker]
        acts.append(self.kill_worker)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            act = self.chance.choice(acts)
            with suppress(ProcessLookupError, IndexError):
                act()
                self.did.append(act.__name__)
            self.thaw()
            time.sleep(self.chance.uniform(0.1, 0.6))

    def calm(self) -> None:
        self.thaw(everybody=True)
        self.set_capacity(3)

    def kill_slot(self) -> None:
        os.kill(self.chance.choice(self.chance.choice(self.workers).slot_pids()), signal.SIGKILL)

    def kill_worker(self) -> None:
        number = self.chance.randrange(2)
        self.workers[number].kill()
        self.workers[number] = self.start(slots=3)

    def freeze_slot(self) -> None:
        self.freeze(self.chance.choice(self.chance.choice(self.workers).slot_pids()), self.chance.uniform(0.2, 3))

    def freeze_worker(self) -> None:
        if not any(pid in {worker.pid for worker in self.workers} for _, pid in self.frozen):
            self.freeze(self.chance.choice(self.workers).pid, self.chance.uniform(1, 7))

    def freeze(self, pid: int, seconds: float) -> None:
        os.kill(pid, signal.SIGSTOP)
        self.frozen.append((time.monotonic() + seconds, pid))

    def thaw(self, *, everybody: bool = False) -> None:
        now = time.monotonic()
        for until_s, pid in [each for each in self.frozen if everybody or each[0] < now]:
            self.frozen.remove((until_s, pid))
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)

    def cut_off(self) -> None:
        """End some sessions."""
        sessions = list(pids())
        for pid in self.chance.sample(sessions, min(len(sessions), self.chance.randint(1, 4))):
            end_session(pid)

    def resize(self) -> None:
        self.set_capacity(self.chance.randint(1, 3))

    def set_capacity(self, capacity: int) -> None:
        self.caps.append((self.gateway.clock(), max(capacity, self.caps[-1][1])))
        pools.change("gateway", by="storm", capacity=capacity)
        self.caps.append((self.gateway.clock(), capacity))

    def greatest(self, since: float, until_s: float) -> int:
        """Return the greatest capacity that was in force at some time between two instants."""
        later = [*[at for at, _ in self.caps[1:]], float("inf")]
        return max(cap for (at, cap), end in zip(self.caps, later, strict=True) if at <= until_s and end >= since)


def too_many(storm: Storm) -> list[tuple[int, int, float]]:
    """Return the starts that found every seat taken: a call has its seat from its start to its end and the gap."""
    found = []
    log = storm.gateway.log()
    for call in log:
        at = call["started"]
        others = [one for one in log if one["started"] < at < (one["ended"] or float("inf")) + GAP_S]
        # A seat is claimed a little before its call starts, so the capacity of that moment counts too.
        most = storm.greatest(min([at, *[one["started"] for one in others]]) - 1, at)
        if len(others) + 1 > most:
            found.append((call["id"], len(others) + 1, most))
    return found


@pytest.mark.parametrize("seed", [1, 2])
def test_a_storm_overruns_nothing_and_loses_nothing(start_worker, seed):
    before = deadlocks()
    with TrialGateway(delay_s=0.15, permits=50) as gateway:
        args = {"url": gateway.url, "timeout": CALL_S, "streamed": False}
        tickets = [api.enqueue("calls", f"o{n % 5}", str(n), args=args) for n in range(90)]
        tickets += [api.enqueue("lined", f"o{n % 5}", str(n), args={"seconds": 0.3}) for n in range(20)]
        tickets += [api.enqueue("sleeps", f"o{n % 5}", str(n), args={"seconds": 0.2}) for n in range(40)]
        storm = Storm(seed, gateway, start_worker)
        storm.blow(STORM_S)
        storm.calm()
        until(lambda: not Job.objects.filter(status__in=ACTIVE).exists(), seconds=SETTLE_S, what="every job ends")
        print("did", {name: storm.did.count(name) for name in storm.did})
        print("calls", len(gateway.log()), "caps", len(storm.caps), gateway.stats()["max_in_flight"])
        assert too_many(storm) == []
    ended = Job.objects.filter(pk__in=[ticket.id for ticket in tickets])
    print("ended", [(row.status, row.error_kind) for row in ended if row.status != "succeeded"])
    assert {(row.status, row.error_kind) for row in ended} <= {("succeeded", ""), ("failed", "crash_loop")}
    assert not ended.filter(attempts__gt=0).exists()
    for row in ended:
        endings = list(Attempt.objects.filter(job=row.pk).values_list("outcome", flat=True))
        assert endings.count("succeeded") == (row.status == "succeeded"), (row.pk, endings)
    assert not Seat.objects.filter(job__isnull=False).exists()
    until(lambda: Seat.objects.filter(pool="gateway").count() == 3, seconds=10, what="as many seats as the capacity")
    assert deadlocks() == before
