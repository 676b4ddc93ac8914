"""The permits that all clients of the trial gateway share, and neighbours who hold some of them."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

from coach.trial.log import now


class Closing(Exception):
    """The gateway is being stopped."""


class Permits:
    """A counter of free places; who finds none waits without a word."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._taken = 0
        self._closing = False
        self._changed = threading.Condition()

    def take(self) -> bool:
        """Take a place when there is one; say whether there was one at once."""
        with self._changed:
            at_once = self._taken < self.count
            self._changed.wait_for(lambda: self._closing or self._taken < self.count)
            if self._closing:
                raise Closing
            self._taken += 1
            return at_once

    def give(self) -> None:
        with self._changed:
            self._taken -= 1
            self._changed.notify()

    @contextmanager
    def one(self) -> Iterator[bool]:
        at_once = self.take()
        try:
            yield at_once
        finally:
            self.give()

    @property
    def taken(self) -> int:
        with self._changed:
            return self._taken

    def pause(self, seconds: float) -> None:
        """Sleep, unless the gateway is stopped meanwhile."""
        with self._changed:
            if self._changed.wait_for(lambda: self._closing, timeout=max(seconds, 0)):
                raise Closing

    def close(self) -> None:
        with self._changed:
            self._closing = True
            self._changed.notify_all()


class Neighbours:
    """Other projects on the same box: each takes a permit, holds it, rests, and notes how long it waited."""

    def __init__(self, permits: Permits, *, hold_s: float, rest_s: float, seed: int) -> None:
        self._permits = permits
        self._hold_s = hold_s
        self._rest_s = rest_s
        self._seed = seed
        self._threads: list[threading.Thread] = []
        self._waits: list[float] = []
        self._kept_waiting = 0
        self._held = 0

    def start(self, count: int) -> None:
        for number in range(count):
            thread = threading.Thread(target=self._live, args=(number,), name=f"neighbour-{number}", daemon=True)
            self._threads.append(thread)
            thread.start()

    def hold(self, count: int) -> None:
        """Hold exactly this many permits from now on; fewer than before gives some back."""
        while self._held < count:
            self._permits.take()
            self._held += 1
        while self._held > count:
            self._permits.give()
            self._held -= 1

    def join(self) -> None:
        for thread in self._threads:
            thread.join(timeout=5)

    def stats(self) -> dict[str, float | int]:
        return {
            "turns": len(self._waits),
            "longest_wait_s": max(self._waits, default=0.0),
            "waited_s": sum(self._waits),
            "kept_waiting": self._kept_waiting,  # turns that found every permit taken
            "held": self._held,
        }

    def _live(self, number: int) -> None:
        chance = Random(f"{self._seed}:neighbour:{number}")  # noqa: S311 - a schedule, not a secret
        try:
            while True:
                asked_at = now()
                with self._permits.one() as at_once:
                    self._kept_waiting += not at_once
                    self._waits.append(now() - asked_at)
                    self._permits.pause(self._hold_s * chance.uniform(0.5, 1.5))
                self._permits.pause(self._rest_s * chance.uniform(0.5, 1.5))
        except Closing:
            return
