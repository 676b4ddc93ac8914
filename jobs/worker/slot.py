"""A slot: a child process that claims, runs and finishes one job after another."""

import logging
import os
import random
import resource
import signal
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from django.db import DatabaseError, connection

from jobs import events, exceptions, sql
from jobs.conf import conf
from jobs.registry import kind_of
from jobs.transitions import claim, finish, quick, wake, workers
from jobs.transitions.claim import Claimed, Contended, Served
from jobs.transitions.outcomes import Attempted
from jobs.worker.batch import Batch, Returned
from jobs.worker.endings import ended_early, outcome_of, where
from jobs.worker.lease import Lease, SharedNumber, SharedTime, die_with_parent, now_s
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
    def __init__(self, place: Place, lease: Lease, control: Connection, current: SharedNumber) -> None:
        self.place = place
        self.lease = lease
        self.control = control
        self.current = current  # the id of the job whose code runs; what its supervisor charges with our death
        self.draining = threading.Event()
        self.run: Run | None = None
        self.batch: Batch | None = None
        self.share = quick.MOST  # how many quick jobs it claims together: twice as many as it ran in time
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
        self.adrift = False
        left = [(job["id"], job["token"]) for job in workers.running_on(self.place.worker, self.place.slot)]
        try:
            give_back(left)
        except BaseException:
            self.adrift = True
            raise

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
        if quick.is_quick(job):
            self.execute_batch(job)
        else:
            self.execute_one(job)

    def execute_one(self, job: Claimed, batch: Batch | None = None) -> None:
        """Run the job and end it; of a batch, whose connection is kept, a plain success is ended with the others."""
        began_s = now_s()
        self.run = run = Run(job, self.lease)
        self.current.value = job.id
        if batch is None:
            run.release()
        how = self.attempt(run)
        returned = how and batch and returned_plainly(run, how, began_s=began_s)
        if batch and returned:
            batch.add(returned)
        elif how is not None:
            self.finish(run, how)
        self.current.value = 0
        self.spoiled = self.spoiled or run.ended_early is not None
        self.done += 1
        self.run = None

    def execute_batch(self, first: Claimed) -> None:
        """Run this quick job and others claimed with it, as many as can be begun in time."""
        place = self.place
        room = min(self.share, place.most_jobs - self.done if place.most_jobs else quick.MOST)
        more = quick.claim_more(place.worker, place.slot, place.served, most=room - 1)
        self.batch = batch = Batch([first, *more])
        try:
            self.run_through(batch)
        finally:
            self.batch = None
        self.share = max(1, 2 * batch.begun) if batch.is_late else quick.MOST
        batch.join()
        self.save(batch)
        give_back(batch.rest())

    def run_through(self, batch: Batch) -> None:
        while not self.is_over(batch) and (job := batch.next()):
            self.execute_one(job, batch)
            if batch.is_unsaved:
                self.save(batch)
                if batch.may_be_hurried and quick.somebody_hurries(self.place.served):
                    return

    def is_over(self, batch: Batch) -> bool:
        """Say whether no other job of the batch may be begun."""
        return batch.is_late or self.draining.is_set() or self.spoiled or not self.lease.alive or self.is_worn()

    def save(self, batch: Batch) -> None:
        """End what has returned: together what ended plainly, one by one what did not after all."""
        returned = batch.returned()
        if not returned:
            return
        try:
            ended = self.insist(lambda: quick.end([one.done() for one in returned]))
        except (DatabaseError, ValueError):  # something of one of them cannot be stored; its own ending finds out
            connection.close()
            ended = set()
        for one in returned:
            if one.run.id not in ended:
                self.finish(one.run, one.how)

    def part_with(self, batch: Batch) -> None:
        """Save what has returned and give back what was not begun, while one of the batch keeps the slot.

        A thread of its own. What it cannot do, the slot does when it is free again.
        """
        returned = batch.returned()
        ended: set[int] = set()
        try:
            if self.lease.alive:
                ended = quick.end([one.done() for one in returned])
            give_back(batch.rest())
        except DatabaseError:
            self.adrift = True
        finally:
            connection.close()
            for one in returned:
                if one.run.id not in ended:
                    batch.add(one)

    def stop_unbegun(self, job: Claimed) -> None:
        """End a job of the batch that was asked to stop before it began. A thread of its own."""
        try:
            finish.end(job.id, job.token, Attempted(outcome="stopped"))
        except DatabaseError:
            self.adrift = True
        finally:
            connection.close()

    def attempt(self, run: Run) -> Attempted | None:
        """Run the handler; None when the job is no longer ours to end."""
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
            events.log(events.RAISED, logging.ERROR, id=run.id, error=type(error).__name__, at=where(error))
        return how

    def finish(self, run: Run, how: Attempted) -> None:
        """Save the ending; one that cannot be stored fails its job."""

        def end() -> None:
            run.record()
            finish.end(run.id, run.token, how)

        try:
            self.insist(end)
        except (exceptions.TooLarge, DatabaseError, ValueError) as error:
            connection.close()
            if how.outcome == "rejected":
                os._exit(1)
            self.finish(run, Attempted(outcome="rejected", error=str(error)[:2000], error_kind="result"))

    def insist[T](self, act: Callable[[], T]) -> T:
        """Do it, for a while even against a database that is away."""
        give_up = time.monotonic() + SAVE_FOR_S
        while True:
            try:
                return act()
            except sql.AWAY:
                connection.close()
                if not self.lease.alive or time.monotonic() > give_up:
                    os._exit(1)
                time.sleep(0.3)

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
            batch = self.batch
            if batch and self.is_over(batch):
                batch.do_once(self.part_with)

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
        elif what == "stop" and self.batch and (job := self.batch.drop(token)):
            threading.Thread(target=self.stop_unbegun, args=(job,), daemon=True).start()

    def interrupt(self, run: Run, why: Why) -> None:
        self.spoiled = True
        run.end_early(why)


def returned_plainly(run: Run, how: Attempted, *, began_s: float) -> Returned | None:
    """Return what may be ended together with others; None when this ending has more to it."""
    if how.outcome != "succeeded" or run.ended_early or run.has_unrecorded_call or kind_of(run.kind).on_end:
        return None
    how, result = finish.storable(how)
    if how.outcome != "succeeded":
        return None
    return Returned(run=run, how=how, result=result, began_s=began_s, ended_s=now_s())


def give_back(jobs: Sequence[tuple[int, uuid.UUID]]) -> None:
    """Put in line again what was claimed and never begun; what has a seat, a lane or a stop ends by itself."""
    back = quick.give_back(jobs)
    for job, token in jobs:
        if job not in back:
            finish.end(job, token, Attempted(outcome="drained"))


def resident_mb() -> float:
    """Return the memory this process holds now, in megabytes."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 1024 / 1024


def main(place: Place, shared: SharedTime, control: Connection, current: SharedNumber) -> None:
    """Run as a child of the fork server; a session of its own, so that a signal to the group misses it."""
    die_with_parent()
    os.setsid()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Slot(place, Lease(shared), control, current).work()
