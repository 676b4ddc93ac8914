"""A slot: a child process that claims, runs and finishes one job after another."""

import logging
import os
import random
import resource
import signal
import threading
import time
import traceback
import uuid
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from django.db import DatabaseError, connection
from django.utils import timezone

from jobs import events, exceptions, sql
from jobs.conf import conf
from jobs.registry import kind_of
from jobs.transitions import claim, finish, wake, workers
from jobs.transitions.claim import Claimed, Contended, Served
from jobs.transitions.outcomes import Attempted
from jobs.worker.lease import Lease, SharedTime, die_with_parent, now_s
from jobs.worker.run import Run, Why

SAVE_FOR_S = 60  # how long a finished result is kept in memory while the database is away


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Which slot of which worker this is, and what it may claim."""

    worker: uuid.UUID
    slot: int
    served: Served
    until_empty: bool = False
    most_jobs: int = 0  # leave after so many, or above so many megabytes; 0: never
    most_mb: int = 0


class Slot:
    def __init__(self, place: Place, lease: Lease, control: Connection) -> None:
        self.place = place
        self.lease = lease
        self.control = control
        self.draining = threading.Event()
        self.run: Run | None = None
        self.done = 0
        self.adrift = False  # an answer of the database was lost: it may think that this slot runs something
        self.spoiled = False  # asked to end a job early: leave afterwards, so that no kill meets the next job

    def work(self) -> None:
        """Claim and run until told to leave."""
        threading.Thread(target=self.obey, daemon=True).start()
        while not self.draining.is_set() and not self.spoiled and not self.is_worn():
            try:
                if not self.step():
                    break
            except sql.AWAY:
                connection.close()
                self.adrift = True
                self.draining.wait(random.uniform(0.2, 0.8))  # noqa: S311
        self.settle()
        connection.close()

    def is_worn(self) -> bool:
        """Say whether this process has run its share or grown too large; the supervisor starts another."""
        place = self.place
        if not self.done:
            return False
        return 0 < place.most_jobs <= self.done or 0 < place.most_mb < resident_mb()

    def step(self) -> bool:
        """Run one job or sleep once; False when there is nothing left to do."""
        if self.adrift:
            self.give_back()
        job = self.next_job()
        if job is not None:
            self.execute(job)
            return True
        if self.place.until_empty:
            return False
        job = self.rest()
        if job is not None:
            self.execute(job)
        return True

    def settle(self) -> None:
        """Give back what is left before leaving, or the supervisor would take it for a crash."""
        while self.adrift and self.lease.alive:
            try:
                self.give_back()
            except sql.AWAY:
                connection.close()
                time.sleep(0.3)

    def give_back(self) -> None:
        """End what was claimed by a statement whose answer was lost: nothing of it was done."""
        left = workers.running_on(self.place.worker, self.place.slot)
        if left:
            finish.end(left["id"], left["token"], Attempted(outcome="drained"))
        self.adrift = False

    def next_job(self) -> Claimed | None:
        served = self.place.served
        while self.lease.alive and not self.draining.is_set():
            found = claim.claim(self.place.worker, self.place.slot, served)
            if not isinstance(found, Contended):
                return found
            time.sleep(random.uniform(0.005, 0.02))  # noqa: S311
            served = Served(
                kinds=served.kinds,
                pools=[pool for pool in served.pools if pool != found.pool],
                poolless=served.poolless and found.pool != "",
            )
            if not served.pools and not served.poolless:
                served = self.place.served
        return None

    def rest(self) -> Claimed | None:
        """Say that this slot sleeps, claim once more, then sleep until the next known instant or a notification."""
        worker, slot = self.place.worker, self.place.slot
        wake.listen(wake.slot_channel(worker, slot))
        workers.sleep(worker, slot)
        job = self.next_job()
        if job is None:
            known = claim.next_instant_s(self.place.served)
            poll = conf().POLL_SECONDS * random.uniform(0.75, 1.25)  # noqa: S311
            seconds = min(poll, max(known, 0.01)) if known is not None else poll
            wake.wait(seconds)
        workers.wake_up(worker, slot)
        return job

    def execute(self, job: Claimed) -> None:
        self.run = run = Run(job, self.lease)
        how = self.attempt(run)
        if how is not None:
            self.finish(run, how)
        self.spoiled = self.spoiled or run.ended_early is not None
        self.done += 1
        self.run = None

    def attempt(self, run: Run) -> Attempted | None:
        """Run the handler; None when the job is no longer ours to end."""
        run.release()
        try:
            result = kind_of(run.kind).handler(run)
        except exceptions.Fenced:
            if not self.lease.alive:
                return None
            # Stopped before its call began, or taken over, which the ending finds out.
            return ended_early(run.ended_early) or Attempted(outcome="drained")
        except BaseException as error:  # whatever a handler raises, its job ends
            return self.failed(run, error)
        return Attempted(outcome="succeeded", result=result)

    def failed(self, run: Run, error: BaseException) -> Attempted | None:
        if not self.lease.alive:
            os._exit(1)
        if run.ended_early:
            return ended_early(run.ended_early)
        how = outcome_of(error)
        if not isinstance(error, exceptions.JobsError):
            events.log(events.RAISED, logging.ERROR, id=run.id, error=type(error).__name__, at=_where(error))
        return how

    def finish(self, run: Run, how: Attempted) -> None:
        """Save the ending, for a while even against a database that is away."""
        give_up = time.monotonic() + SAVE_FOR_S
        while True:
            try:
                run.record()
                finish.end(run.id, run.token, how)
                return
            except sql.AWAY:
                connection.close()
                if not self.lease.alive or time.monotonic() > give_up:
                    os._exit(1)
                time.sleep(0.3)
            except (exceptions.TooLarge, DatabaseError, ValueError) as error:
                connection.close()
                if how.outcome == "rejected":
                    os._exit(1)
                how = Attempted(outcome="rejected", error=str(error)[:2000], error_kind="result")

    def obey(self) -> None:
        """Watch the supervisor's pipe, the deadline and the lease; the supervisor's death ends this process."""
        while True:
            try:
                if self.control.poll(self.patience_s()):
                    self.hear(self.control.recv())
            except (EOFError, OSError):
                os._exit(1)
            run = self.run
            if not self.lease.alive:
                if run:
                    run.end_early("lease")
                os._exit(1)
            if run and now_s() >= run.deadline_s:
                self.interrupt(run, "deadline")

    def patience_s(self) -> float:
        run = self.run
        left = run.deadline_s - now_s() if run and not run.ended_early else 1.0
        return min(max(left, 0.0), max(self.lease.left_s, 0.0), 0.2)

    def hear(self, message: tuple[str, str]) -> None:
        what, token = message
        run = self.run
        if what == "drain":
            self.draining.set()
        if what == "interrupt":
            self.draining.set()
            if run:
                self.interrupt(run, "drain")
        if what == "stop" and run and run.token.hex == token:
            self.interrupt(run, "stop")

    def interrupt(self, run: Run, why: Why) -> None:
        self.spoiled = True
        run.end_early(why)


def resident_mb() -> float:
    """Return the memory this process holds now, in megabytes."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 1024 / 1024


def ended_early(why: Why | None) -> Attempted | None:
    match why:
        case "stop":
            return Attempted(outcome="stopped")
        case "deadline":
            return Attempted(outcome="timeout", error="It took longer than its time-out allows.")
        case "drain":
            return Attempted(outcome="drained")
        case _:
            return None


def outcome_of(error: BaseException) -> Attempted:
    """Return the row of the table of outcomes that this exception stands for."""
    said: dict[str, Any] = {"error": _said(error)}
    match error:
        case exceptions.Retry():
            return Attempted(outcome="retry", after_s=error.after_s, **said)
        case exceptions.Reject() | exceptions.TooLarge():
            return Attempted(outcome="rejected", **said)
        case exceptions.UpstreamDown():
            return Attempted(outcome="down", after_s=error.retry_after_s, hard=error.hard, **said)
        case exceptions.Misconfigured():
            return Attempted(outcome="misconfigured", **said)
        case exceptions.Snooze():
            return Attempted(outcome="snoozed", after_s=_snooze_s(error), **said)
        case exceptions.Stopped():
            return Attempted(outcome="stopped")
        case exceptions.Yielded():
            return Attempted(outcome="yielded")
        case _ if sql.is_away(error):
            return Attempted(outcome="down", blames_pool=False, error="The database was away.", error_kind="database")
        case _:
            return Attempted(outcome="retry", error_kind=type(error).__name__[:64], **said)


def _said(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:
        return type(error).__name__


def _where(error: BaseException) -> str:
    """Return the innermost frames as file:line, without the message, which may hold what no log should."""
    frames = traceback.extract_tb(error.__traceback__)[-3:]
    return " < ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in reversed(frames))


def _snooze_s(error: exceptions.Snooze) -> float:
    if error.until is not None:
        return max(0.0, (error.until - timezone.now()).total_seconds())
    return error.seconds or 0.0


def main(place: Place, shared: SharedTime, control: Connection) -> None:
    """Run as a child of the fork server; a session of its own, so that a signal to the group misses it."""
    die_with_parent()
    os.setsid()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Slot(place, Lease(shared), control).work()
