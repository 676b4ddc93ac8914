"""Runs the jobs that a slot has claimed, one after another, and ends them."""

import logging
import os
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from django.db import DatabaseError, connection

from jobs import events, exceptions, sql
from jobs.registry import kind_of
from jobs.transitions import claim, finish, quick
from jobs.transitions.claim import Claimed, Served
from jobs.transitions.outcomes import Attempted
from jobs.worker import lines
from jobs.worker.batch import Batch, Returned
from jobs.worker.endings import ended_early, outcome_of, where
from jobs.worker.lease import Lease, SharedNumber, now_s
from jobs.worker.memory import resident_mb
from jobs.worker.run import Run, Why

BRIEF_S = 0.05  # a kind that is over sooner keeps its session: a new one costs 5 ms and all plans
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


class Execution:
    def __init__(self, place: Place, lease: Lease, current: SharedNumber) -> None:
        self.place = place
        self.lease = lease
        self.current = current  # the id of the job whose code runs; what its supervisor charges with our death
        self.draining = threading.Event()
        self.run: Run | None = None
        self.talk: tuple[uuid.UUID, lines.Lines] | None = None  # what it logs, for who asks meanwhile
        self.ahead: Claimed | None = None  # claimed by the statement that ended the one before
        self.brief: set[str] = set()  # kinds whose last job here was over before a new session would have paid
        self.batch: Batch | None = None
        self.share = quick.MOST  # how many quick jobs it claims together: twice as many as it ran in time
        self.done = 0
        self.adrift = False  # an answer of the database was lost: it may think that this slot runs something
        self.asked: set[str] = set()  # tokens that it was told to stop, also before it has begun them
        self.spoiled = False  # asked to end a job early: leave afterwards, so that no kill meets the next job

    def execute(self, job: Claimed) -> None:
        if quick.is_quick(job):
            self.execute_batch(job)
        else:
            self.execute_one(job)

    def execute_one(self, job: Claimed, batch: Batch | None = None) -> None:
        """Run the job and end it: a plain success of a batch with the others, any other with the next claim."""
        began_s = now_s()
        self.run = run = Run(job, self.lease)
        self.current.value = job.id
        if run.token.hex in self.asked:
            self.interrupt(run, "stop")
        if batch is None and run.kind not in self.brief:
            run.release()
        with events.within(run.id), lines.kept() as kept:
            self.talk = run.token, kept
            how = self.attempt(run)
            self.talk = None
        if how and kept.text:
            how = replace(how, log=kept.text)
        (self.brief.add if now_s() - began_s < BRIEF_S else self.brief.discard)(run.kind)
        self.spoiled = self.spoiled or run.ended_early is not None
        self.done += 1
        returned = how and returned_plainly(run, how, began_s=began_s)
        if batch and returned:
            batch.add(returned)
        elif returned and not self.is_leaving():
            self.ahead = self.finish_and_claim(returned)
        elif how is not None:
            self.finish(run, how)
        self.spoiled = self.spoiled or run.ended_early is not None
        self.current.value = 0
        self.run = None

    def finish_and_claim(self, returned: Returned) -> Claimed | None:
        """End a plain success and claim the next in one statement; where there is more to its ending, only that."""
        run, place = returned.run, self.place
        try:
            ended, job = claim.after(
                run.id, run.token, returned.result, worker=place.worker, slot=place.slot, served=place.served
            )
        except (DatabaseError, ValueError):
            connection.close()
            ended, job, self.adrift = False, None, True  # it may have been carried out
        if ended:
            finish.tell(run.id, run.kind)
        else:
            self.finish(run, returned.how)
        return job

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
        self.end_returned(batch)
        give_back(batch.rest())

    def run_through(self, batch: Batch) -> None:
        while not self.is_over(batch) and (job := batch.next()):
            self.execute_one(job, batch)
            if batch.is_unsaved:
                self.end_returned(batch)
                if batch.may_be_hurried and quick.somebody_hurries(self.place.served):
                    return

    def is_over(self, batch: Batch) -> bool:
        """Say whether no other job of the batch may be begun."""
        return batch.is_late or self.is_leaving()

    def is_leaving(self) -> bool:
        return self.draining.is_set() or self.spoiled or not self.lease.alive or self.is_worn()

    def is_worn(self) -> bool:
        """Say whether this process has run its share or grown too large; the supervisor starts another."""
        place = self.place
        if not self.done:
            return False
        return 0 < place.most_jobs <= self.done or 0 < place.most_mb < resident_mb(os.getpid())

    def end_returned(self, batch: Batch) -> None:
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

    def interrupt(self, run: Run, why: Why) -> None:
        self.spoiled = True
        run.end_early(why)

    def attempt(self, run: Run) -> Attempted | None:
        """Run the handler; None when the job is no longer ours to end."""
        if run.ended_early:
            return ended_early(run.ended_early)
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
            rejected = Attempted(outcome="rejected", error=str(error)[:2000], error_kind="result", log=how.log)
            self.finish(run, rejected)

    def insist[T](self, act: Callable[[], T]) -> T:
        """Do it, for a while even against a database that is away."""
        give_up, said = time.monotonic() + SAVE_FOR_S, False
        while True:
            try:
                return act()
            except sql.AWAY as error:
                connection.close()
                if not said:
                    said = True
                    job = self.current.value
                    events.log(events.DATABASE_AWAY, logging.WARNING, job=job, why=events.reason(error))
                if not self.lease.alive or time.monotonic() > give_up:
                    os._exit(1)
                time.sleep(0.3)


def returned_plainly(run: Run, how: Attempted, *, began_s: float) -> Returned | None:
    """Return what may be ended together with others; None when this ending has more to it."""
    if how.outcome != "succeeded" or run.ended_early or run.lane or run.pool:
        return None
    if run.has_unrecorded_call or kind_of(run.kind).on_end:
        return None
    if how.log and not kind_of(run.kind).quick:  # of a quick job that succeeds no line is kept
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
