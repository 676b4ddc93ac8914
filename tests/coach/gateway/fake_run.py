"""A run without a queue behind it: what a handler may ask, and a note of all that was asked."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from jobs.exceptions import Outcome, Snooze, Stopped


@dataclass
class FakeCall:
    timeout: float
    streamed: bool
    linger_s: float = 60
    aborts: list[Callable[[], None]] = field(default_factory=list)
    tokens: int = 0
    ended: str = ""
    left_with: str = ""
    late: bool = False

    @property
    def left_s(self) -> float:
        return self.timeout

    def check(self) -> None:
        if self.late:
            raise Snooze("Too late.", seconds=0)

    def on_abort(self, act: Callable[[], None]) -> None:
        self.aborts.append(act)

    def token(self) -> None:
        self.tokens += 1

    def answered(self) -> None:
        self.ended = "answered"

    def over(self) -> None:
        self.ended = "over"


class FakeRun:
    def __init__(self, number: int = 7) -> None:
        self.id = number
        self.attempt = 1
        self.pool = "gateway"
        self.calls: list[FakeCall] = []
        self.stopped_at: float | None = None
        self.in_call = threading.Event()

    def check(self) -> None:
        if self.stopped_at is not None:
            raise Stopped("stop")

    def stop(self) -> None:
        """Do what another thread of the worker does when somebody asks to stop."""
        self.stopped_at = time.monotonic()
        for act in self.calls[-1].aborts:
            act()

    @contextmanager
    def save(self) -> Iterator[None]:
        yield

    @contextmanager
    def call(self, *, timeout: float, streamed: bool = True, linger_s: float = 60) -> Iterator[FakeCall]:
        self.check()
        call = FakeCall(timeout=timeout, streamed=streamed, linger_s=linger_s)
        self.calls.append(call)
        self.in_call.set()
        try:
            yield call
        except Outcome as error:
            call.left_with = type(error).__name__
            if not error.linger and not call.ended:
                call.over()
            raise
