"""The supervisor: starts slots, keeps the lease, carries out stops and time-outs, and ends what a dead slot left."""

import logging
import multiprocessing
import multiprocessing.forkserver
import os
import signal
import socket
import sys
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import wait
from typing import Any

from django.db import Error, connection, connections

from jobs import events
from jobs.conf import code, conf
from jobs.transitions import finish, home, workers
from jobs.transitions.claim import Served
from jobs.worker import slot as slots
from jobs.worker.beat import Beat, Running
from jobs.worker.child import Child, Left
from jobs.worker.clock import Clock
from jobs.worker.execution import Place, give_back
from jobs.worker.lease import Lease, now_s
from jobs.worker.sweeper import Sweeper
from jobs.worker.systemd import notify

SETTLE_S = 5.0  # how long a drained worker tries to tell a database that is away
EARLY_S = 1.0  # a slot that dies within this time has probably run nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    slots: int
    served: Served
    grace_s: float
    until_empty: bool = False
    most_jobs: int = 0  # of one slot
    most_mb: int = 0
    clock: bool = False


class Supervisor:
    def __init__(self, options: Options) -> None:
        self.options = options
        self.context = multiprocessing.get_context("forkserver")
        self.children: dict[int, Child] = {}
        self.next_number = 1
        self.started = 0  # slots; with until_empty only those that found it so, or still look
        self.unsettled: list[Left] = []
        self.sought: set[uuid.UUID] = set()  # tokens that ran on slots which were no more
        self.draining_since: float | None = None
        self.hurry = False
        self.asked_at: dict[uuid.UUID, float] = {}
        self.early_deaths = 0  # in a row: slots that died without having run anything
        self.start_after_s = 0.0
        self.clock = Clock() if options.clock else None
        self._wake_r, self._wake_w = socket.socketpair()
        self._wake_w.setblocking(False)

    # Life

    def work(self) -> int:
        """Run until drained; return the exit code."""
        self._start_fork_server()
        signal.signal(signal.SIGTERM, self._on_signal)
        signal.signal(signal.SIGINT, self._on_signal)
        while self._one_life():
            events.log(events.LEASE_LOST, logging.WARNING)
        if self.clock:
            self.clock.end()
        events.log(events.WORKER_STOPPED)
        return 0

    def _one_life(self) -> bool:
        """Work under one worker id; True when the lease was given up and a new life must begin."""
        self.worker = uuid.uuid4()
        self.shared = self.context.RawValue("d", 0.0)
        self.lease = Lease(self.shared)
        self.beat = Beat(self.worker, self.lease, self._wake, self._slot_pids)
        self.sweeper = Sweeper(list(self.options.served.kinds))
        self._register()
        self.beat.start()
        self.sweeper.start()
        notify("READY=1")
        try:
            while not self._is_done():
                self._turn()
        finally:
            self._end_threads()
        given_up = self.beat.given_up
        if not given_up:
            self._leave()
        return given_up and self.draining_since is None

    def _start_fork_server(self) -> None:
        """From this thread, whose death the kernel reports to it; when it dies, the next slot starts another."""
        self.context.set_forkserver_preload(["jobs.worker.preload"])
        multiprocessing.forkserver.ensure_running()

    def _register(self) -> None:
        trouble = events.Trouble(events.DATABASE_AWAY)
        while self.draining_since is None:
            try:
                home.settle()
                sent_s = now_s()
                workers.register(
                    self.worker,
                    host=socket.gethostname(),
                    pid=os.getpid(),
                    slots=self.options.slots,
                    pools=list(self.options.served.pools),
                    kinds=list(self.options.served.kinds),
                    version=code(),
                )
                self.lease.extend(sent_s=sent_s, lasts_s=conf().SELF_KILL_SECONDS)
                events.log(events.WORKER_STARTED, worker=self.worker, slots=self.options.slots)
                return
            except Error as error:
                trouble.met(error)
                connection.close()
                time.sleep(0.5)

    def _is_done(self) -> bool:
        if self.children or self.unsettled:
            return False
        return self.draining_since is not None or self.beat.given_up or self._is_emptied()

    def _is_emptied(self) -> bool:
        return self.options.until_empty and self.started >= self.options.slots

    def _slot_pids(self) -> list[int]:
        return [child.pid for child in list(self.children.values()) if child.pid]

    def _end_threads(self) -> None:
        self.beat.end()
        self.sweeper.end()
        self.beat.join(5)
        self.sweeper.join(5)

    def _leave(self) -> None:
        try:
            workers.leave(self.worker)
        except Error:
            connection.close()  # the deployment forgets us after the lease

    # One turn of the loop

    def _turn(self) -> None:
        self.beat.turned_s = now_s()
        self._keep_slots()
        if self.clock and self.draining_since is None:
            self.clock.keep()
        ready = wait([self._wake_r, *(child.process.sentinel for child in self.children.values())], timeout=0.25)
        if self._wake_r in ready:
            self._wake_r.recv(4096)
        if not self.lease.alive or self.beat.given_up:
            self._kill_all("lease")
        while self.beat.asked:
            if child := self.children.get(self.beat.asked.popleft()):
                child.ask("lines")
        self._end_early()
        self._drain()
        self._reap()
        notify("WATCHDOG=1")
        self._settle()

    def _keep_slots(self) -> None:
        if self.draining_since is not None or self.beat.given_up or not self.lease.alive:
            return
        if now_s() < self.start_after_s:
            return
        while len(self.children) < self.options.slots and not self._is_emptied():
            if not self._start_slot():
                return

    def _start_slot(self) -> bool:
        """False when the fork server was killed at this moment: the next turn starts another."""
        number, self.next_number = self.next_number, self.next_number + 1
        here, there = self.context.Pipe()
        place = Place(
            worker=self.worker,
            slot=number,
            served=self.options.served,
            until_empty=self.options.until_empty,
            most_jobs=self.options.most_jobs,
            most_mb=self.options.most_mb,
        )
        current = self.context.RawValue("q", 0)  # written by the slot in one store, read when it has died
        arguments = (place, self.shared, there, current)
        process = self.context.Process(target=slots.main, args=arguments, name=f"slot-{number}")
        try:
            process.start()
        except (EOFError, OSError) as error:
            here.close()  # what was half started meets the end of its pipe
            events.log(events.SLOT_UNBORN, logging.WARNING, slot=number, why=type(error).__name__)
            return False
        finally:
            there.close()
        self.children[number] = Child(number, process, here, current)
        self.started += 1
        events.log(events.SLOT_STARTED, logging.DEBUG, slot=number, pid=process.pid)
        return True

    def _end_early(self) -> None:
        """Tell slots of stop requests and time-outs; after the grace, kill what did not listen."""
        now = now_s()
        for running in self.beat.running:
            child = self.children.get(running.slot)
            late = running.ends_s < now
            if child is None:
                self._seek(running)
                continue
            if running.stop:
                child.tell("stop", running.token.hex)
            if not (running.stop or late) or child.is_in_another(running.job):
                continue
            since = self.asked_at.setdefault(running.token, now)
            grace = conf().STOP_GRACE_SECONDS
            if now - since > grace and self._still_runs(running):
                number = signal.SIGKILL if now - since > grace + 2 else signal.SIGTERM
                child.kill(number, token=running.token, why="stop" if running.stop else "deadline")
                events.log(events.KILLED, slot=running.slot, job=running.job, signal=number.name)

        for child in self.children.values():
            if held := child.held(self.beat.running):
                self._try(partial(self._take_back, child, held))

    def _take_back(self, child: Child, held: Sequence[tuple[int, uuid.UUID]]) -> None:
        """Give back what a slot does not run, where it has not ended since the last heartbeat."""
        still = {job["token"] for job in workers.running_on(self.worker, child.number)}
        give_back([(job, token) for job, token in held if token in still])

    def _seek(self, running: Running) -> None:
        """A claim that was under way when its slot died may be done after that was settled: settle it again."""
        if running.token not in self.sought:
            self.sought.add(running.token)
            self.unsettled.append(Left(number=running.slot, killed=(None, "gone")))

    def _still_runs(self, running: Running) -> bool:
        """A kill is meant for one attempt: ask the database again right before."""
        found = self._try(lambda: workers.running_on(self.worker, running.slot)) or []
        return any(job["token"] == running.token for job in found)

    def _drain(self) -> None:
        if self.beat.asked_to_leave and self.draining_since is None:
            self._leave_soon()
        if self.draining_since is None:
            return
        self.beat.draining = True
        if self.clock:
            self.clock.ask_to_end()
        for child in self.children.values():
            child.tell("drain")
        waited = time.monotonic() - self.draining_since
        grace = 0.0 if self.hurry else self.options.grace_s
        if waited < grace:
            return
        for child in self.children.values():
            child.tell("interrupt")
        last = grace + (1.0 if self.hurry else conf().STOP_GRACE_SECONDS)
        if waited > last:
            self._kill_all("drain")
        if waited > last + SETTLE_S:
            self.unsettled.clear()  # the database is away for long: the deployment rescues what is left

    def _kill_all(self, why: str) -> None:
        for child in self.children.values():
            child.kill(signal.SIGKILL, token=None, why=why)

    def _reap(self) -> None:
        for child in [child for child in self.children.values() if not child.process.is_alive()]:
            del self.children[child.number]
            child.control.close()
            if child.process.exitcode != 0:
                events.log(events.SLOT_DIED, logging.WARNING, slot=child.number, exit=child.process.exitcode)
            self._slow_down(child)
            if child.current.value != slots.FOUND_NOTHING:
                self.started -= self.options.until_empty
            child.process.close()
            self.unsettled.append(Left(number=child.number, killed=child.killed, current=child.current.value))

    def _slow_down(self, child: Child) -> None:
        """Slots that die as soon as they start are not started over and over at full speed."""
        early = child.process.exitcode != 0 and not child.killed and now_s() - child.started_s < EARLY_S
        self.early_deaths = self.early_deaths + 1 if early else 0
        if self.early_deaths > 1:
            self.start_after_s = now_s() + min(30.0, 0.25 * 2**self.early_deaths)

    def _settle(self) -> None:
        """End what the dead slots left running, as the database knows it."""
        while self.unsettled and not self.beat.given_up:
            left = self.unsettled[0]
            try:
                while jobs := workers.running_on(self.worker, left.number):
                    for job in jobs:
                        finish.end(job["id"], job["token"], left.how_ended(job))
                workers.wake_up(self.worker, left.number)
            except Error:
                connection.close()
                return
            self.unsettled.pop(0)
        if self.beat.given_up:
            self.unsettled.clear()  # somebody else has moved these jobs on

    # Small things

    def _try(self, act: Callable[[], Any]) -> Any:
        try:
            return act()
        except Error:
            connection.close()
            return None

    def _wake(self) -> None:
        try:
            self._wake_w.send(b".")
        except BlockingIOError:
            return  # it is awake already

    def _on_signal(self, number: int, frame: Any) -> None:
        if self.draining_since is None:
            self._leave_soon()
        else:
            self.hurry = True
        self._wake()

    def _leave_soon(self) -> None:
        self.draining_since = time.monotonic()
        notify("STOPPING=1")


def run(options: Options) -> int:
    """Work in this process until SIGTERM; connections of the caller are not kept."""
    connections.close_all()
    if sys.platform != "linux":
        events.log("worker.platform", logging.WARNING, why="leases are proved on Linux only")
    return Supervisor(options).work()
