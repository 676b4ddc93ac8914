"""What happens to workers in a storm: killed, frozen, cut off, replaced, their pool resized, at random by a seed."""

import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from signal import SIGCONT, SIGKILL, SIGSTOP, SIGTERM

from coach.trial import TrialGateway
from jobs.transitions import pools
from tests.chaos.sessions import end_session, pids
from tests.chaos.witness import Caps
from tests.processes import QUICK, Worker, descendants

SLOTS = 4
TWICE_THE_LEASE_S = 2 * float(QUICK["RESCUE_SECONDS"])
MOST_FROZEN = 5


class Storm:
    """Four workers of four slots; two of them live from deploy to deploy and change their slots often."""

    def __init__(self, seed: int, gateway: TrialGateway, start: Callable[..., Worker], *, gap_s: float) -> None:
        self.chance = Random(seed)
        self.gateway = gateway
        self._start = start
        self.caps = Caps(2)
        self.frozen: list[tuple[float, int]] = []
        self.did: list[str] = []
        pools.change("gateway", by="storm", capacity=2, gap_s=gap_s)
        self.workers = [self.start(number) for number in range(4)]
        self.all = list(self.workers)

    def start(self, number: int) -> Worker:
        short_lived = ("--recycle-jobs", "7") if number > 1 else ()
        return self._start(slots=SLOTS, args=("--no-clock", *short_lived), env={"TEST_DOWN_SECONDS": "0.3"})

    def blow(self, seconds: float, *, meanwhile: Callable[[], None]) -> None:
        often, sometimes = [self.kill_caller, self.cut_off, self.resize], [self.kill_slot, self.freeze_slot]
        seldom = [self.freeze_worker, self.freeze_host, self.kill_worker, self.kill_group, self.kill_host, self.deploy]
        acts = often * 7 + sometimes * 3 + seldom
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            act = self.chance.choice(acts)
            with suppress(ProcessLookupError, IndexError):
                act()
                self.did.append(act.__name__)
            self.thaw()
            meanwhile()
            time.sleep(self.chance.uniform(0.1, 0.7))

    def calm(self) -> None:
        self.thaw(everybody=True)
        self.set_capacity(4)

    # Kills

    def kill_slot(self) -> None:
        os.kill(self.a_slot(), SIGKILL)

    def kill_caller(self) -> None:
        """Its call goes on up there."""
        port = int(self.gateway.url.split(":")[2].split("/")[0])
        slots = [pid for each in self.workers for pid in each.slot_pids()]
        patience = time.monotonic() + 2
        while not (found := callers(port, slots)) and time.monotonic() < patience:
            time.sleep(0.05)
        os.kill(self.chance.choice(found), SIGKILL)

    def kill_worker(self) -> None:
        """Its slots are orphans from now on."""
        number = self.chance.randrange(4)
        self.workers[number].kill()
        self.replace(number)

    def kill_group(self) -> None:
        number = self.chance.randrange(4)
        os.killpg(self.workers[number].pid, SIGKILL)
        self.workers[number].wait()
        self.replace(number)

    def kill_host(self) -> None:
        """Every process of it at once, as a power cut does."""
        number = self.chance.randrange(4)
        for pid in [self.workers[number].pid, *descendants(self.workers[number].pid)]:
            with suppress(ProcessLookupError):
                os.kill(pid, SIGKILL)
        self.workers[number].wait()
        self.replace(number)

    def deploy(self) -> None:
        number = self.chance.randint(2, 3)
        self.workers[number].signal(SIGTERM)
        self.replace(number)

    def replace(self, number: int) -> None:
        self.workers[number] = self.start(number)
        self.all.append(self.workers[number])

    # Freezes

    def freeze_slot(self) -> None:
        self.freeze(self.a_slot())

    def freeze_worker(self) -> None:
        """Its slots see the lease run out."""
        self.freeze(self.chance.choice(self.workers).pid)

    def freeze_host(self) -> None:
        """Whatever it was doing, it goes on after its jobs were given to others."""
        worker = self.chance.choice(self.workers)
        if worker.pid not in [pid for _, pid in self.frozen]:
            for pid in [worker.pid, *worker.slot_pids()]:
                self.freeze(pid, most=MOST_FROZEN + SLOTS + 1)

    def freeze(self, pid: int, *, most: int = MOST_FROZEN) -> None:
        if len(self.frozen) < most:
            os.kill(pid, SIGSTOP)
            self.frozen.append((time.monotonic() + TWICE_THE_LEASE_S, pid))

    def thaw(self, *, everybody: bool = False) -> None:
        now = time.monotonic()
        for until_s, pid in [each for each in self.frozen if everybody or each[0] < now]:
            self.frozen.remove((until_s, pid))
            with suppress(ProcessLookupError):
                os.kill(pid, SIGCONT)

    # The database and the pool

    def cut_off(self) -> None:
        """End some sessions."""
        sessions = sorted(pids())
        for pid in self.chance.sample(sessions, min(len(sessions), self.chance.randint(1, 4))):
            end_session(pid)

    def resize(self) -> None:
        self.set_capacity(self.chance.randint(1, 4))

    def set_capacity(self, capacity: int) -> None:
        self.caps.set(self.gateway.clock(), max(capacity, self.caps.last))
        pools.change("gateway", by="storm", capacity=capacity)
        self.caps.set(self.gateway.clock(), capacity)

    def a_slot(self) -> int:
        return self.chance.choice(self.chance.choice(self.workers).slot_pids())


def callers(port: int, among: list[int]) -> list[int]:
    """Return which of these processes have a connection to the port open."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    theirs = {f"socket:[{row[9]}]" for row in rows if row[2].endswith(f":{port:04X}")}
    return [pid for pid in among if theirs & set(files_of(pid))]


def files_of(pid: int) -> list[str]:
    try:
        return [os.readlink(each) for each in Path(f"/proc/{pid}/fd").iterdir()]
    except OSError:
        return []
