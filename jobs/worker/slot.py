"""A slot: a child process that claims, runs and finishes one job after another."""

import os
import random
import signal
import threading
import time
from multiprocessing.connection import Connection

from django.db import DatabaseError, connection

from jobs import sql
from jobs.conf import conf
from jobs.transitions import claim, live, wake, workers
from jobs.transitions.claim import Claimed, Contended, Served
from jobs.worker.execution import Execution, Place, give_back
from jobs.worker.lease import Lease, SharedNumber, SharedTime, die_with_parent, now_s

FOUND_NOTHING = -1  # in place of a job's id: it has left because the queue is empty


class Slot(Execution):
    def __init__(self, place: Place, lease: Lease, control: Connection, current: SharedNumber) -> None:
        super().__init__(place, lease, current)
        self.control = control
        self.telling = threading.Lock()

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
        self.adrift = self.adrift or self.ahead is not None
        self.settle()
        connection.close()

    def step(self) -> bool:
        """Run one job or sleep once; False when there is nothing left to do."""
        if self.adrift:
            self.give_back()
        job = self.next_job()
        if job is not None:
            self.execute(job)
            return True
        if self.place.until_empty:
            return self.waits_for_a_seat()
        job = self.rest()
        if job is not None:
            self.execute(job)
        return True

    def waits_for_a_seat(self) -> bool:
        """Wait a little for a seat that only has to rest; False when the queue is empty for this slot."""
        seconds = claim.rests_s(self.place.served)
        if seconds is None:
            self.current.value = FOUND_NOTHING
            return False
        self.draining.wait(min(max(seconds, 0.05), conf().POLL_SECONDS))
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
        self.adrift, self.ahead = False, None
        left = [(job["id"], job["token"]) for job in workers.running_on(self.place.worker, self.place.slot)]
        try:
            give_back(left)
        except BaseException:
            self.adrift = True
            raise

    def next_job(self) -> Claimed | None:
        if self.ahead:
            job, self.ahead = self.ahead, None
            return job
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
        if what == "stop":
            self.hear_stop(token)
            return
        if what == "lines":
            if self.telling.acquire(blocking=False):
                threading.Thread(target=self.tell_lines, daemon=True).start()
            return
        self.draining.set()
        if what == "interrupt" and (run := self.run):
            self.interrupt(run, "drain")

    def hear_stop(self, token: str) -> None:
        """Remember it before looking at what runs: whoever is begun at this moment looks afterwards."""
        self.asked.add(token)
        run, batch = self.run, self.batch
        if run and run.token.hex == token:
            self.interrupt(run, "stop")
        elif batch and (job := batch.drop(token)):
            threading.Thread(target=self.stop_unbegun, args=(job,), daemon=True).start()

    def tell_lines(self) -> None:
        """Answer who looks at what runs here. A thread of its own, one at a time; unanswered, it is asked again."""
        try:
            if talk := self.talk:
                live.tell(talk[0], talk[1].text)
        except DatabaseError:
            return
        finally:
            connection.close()
            self.telling.release()


def main(place: Place, shared: SharedTime, control: Connection, current: SharedNumber) -> None:
    """Run as a child of the fork server; a session of its own, so that a signal to the group misses it."""
    die_with_parent()
    os.setsid()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Slot(place, Lease(shared), control, current).work()
