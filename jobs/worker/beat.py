"""The heartbeat of a worker: one thread with a connection of its own, kept up while draining."""

import os
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from django.db import Error, connection

from jobs import events
from jobs.conf import conf
from jobs.transitions import wake, workers
from jobs.worker.lease import Lease, now_s
from jobs.worker.memory import resident_mb

STUCK_S = 60.0  # a supervisor whose loop has not turned for so long, behind a frozen fork server, serves no lease
MOST_ASKED = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """What the database says a slot runs, as of the last heartbeat."""

    job: int
    slot: int
    token: uuid.UUID
    stop: bool
    begun_s: float  # claimed, on the clock of the lease
    ends_s: float


class Beat(threading.Thread):
    """Extends the lease and brings stop requests; `news` is called after each answered beat."""

    def __init__(
        self, worker: uuid.UUID, lease: Lease, news: Callable[[], None], pids: Callable[[], Iterable[int]] = tuple
    ) -> None:
        super().__init__(daemon=True, name="jobs-beat")
        self.worker = worker
        self.lease = lease
        self.news = news
        self.pids = pids  # of the slots
        self.turned_s = now_s()  # the supervisor's loop
        self.draining = False
        self.asked_to_leave = False  # by staff
        self.given_up = False  # the deployment has moved our jobs on
        self.running: tuple[Running, ...] = ()
        self.asked: deque[int] = deque(maxlen=MOST_ASKED)  # slots of whose lines somebody asks
        self._over = threading.Event()

    def end(self) -> None:
        self._over.set()

    def run(self) -> None:
        trouble = events.Trouble(events.DATABASE_AWAY)
        while not self._over.is_set() and not self.given_up:
            try:
                wake.listen(wake.worker_channel(self.worker))
                while not self._over.is_set() and not self.given_up:
                    self.once()
                    trouble.over()
                    self._wait()
            except Exception as error:  # whatever it is: without a beat this worker could neither work nor end
                trouble.met(error, events.DATABASE_AWAY if isinstance(error, Error) else events.BEAT_FAILED)
                connection.close()
                self._over.wait(0.5)
        connection.close()

    def once(self) -> None:
        sent_s = now_s()
        if sent_s - self.turned_s > STUCK_S:
            return  # nobody here stops, times out or replaces anything: others take its jobs
        held_mb = sum(map(resident_mb, [os.getpid(), *self.pids()]))
        found = workers.beat(self.worker, draining=self.draining, memory_mb=held_mb)
        if found is None:
            self.given_up = True
        else:
            self.lease.extend(sent_s=sent_s, lasts_s=conf().SELF_KILL_SECONDS)
            self.running = tuple(
                Running(
                    job=row["job"],
                    slot=row["slot"],
                    token=row["token"],
                    stop=bool(row["stop"]),
                    begun_s=sent_s - row["lasts_s"],
                    ends_s=sent_s + row["left_s"],
                )
                for row in found.running
            )
            self.asked_to_leave = self.asked_to_leave or found.leave
        self.news()

    def _wait(self) -> None:
        """Sleep until the next beat is due, or somebody asks for a look."""
        until = time.monotonic() + conf().HEARTBEAT_SECONDS
        while (left := until - time.monotonic()) > 0 and not self._over.is_set():
            words = [word for _, word in wake.heard(min(left, 0.5))]
            self._hear([word for word in words if word])
            if "" in words:
                return

    def _hear(self, words: Sequence[str]) -> None:
        """Pass on who asks for the lines of what slot; that needs no beat."""
        slots = [word.removeprefix("lines ") for word in words]
        self.asked.extend(int(slot) for slot in slots if slot.isdecimal())
        if words:
            self.news()
