"""A slot as its supervisor sees it, and what is left of one that has died."""

import math
import os
import select
import signal
import uuid
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from jobs.transitions.outcomes import Attempted
from jobs.worker.beat import Running
from jobs.worker.lease import SharedNumber, now_s

HELD_S = 5.0  # a slot gives back what it has not begun long before this, unless it is stuck


class Child:
    """A slot as its supervisor sees it."""

    def __init__(self, number: int, process: Any, control: Any, current: SharedNumber) -> None:
        self.number = number
        self.process = process
        self.pid: int | None = process.pid  # also when it has been reaped
        self.control = control
        self.current = current
        self.missed: dict[uuid.UUID, float] = {}  # tokens whose jobs it should run and does not, since when
        self.started_s = now_s()
        self.told: set[tuple[str, str]] = set()
        self.killed: tuple[uuid.UUID | None, str] | None = None  # the token that was meant, and why

    def tell(self, what: str, token: str = "") -> None:
        if (what, token) in self.told:
            return
        self.told.add((what, token))
        try:
            self.control.send((what, token))
        except (BrokenPipeError, OSError):
            return  # it has died; reaping finds out

    def ask(self, what: str) -> None:
        """Tell it something that may be asked again and again: not when it does not listen, or its pipe fills up."""
        with suppress(BrokenPipeError, OSError):
            if select.select((), (self.control,), (), 0)[1]:
                self.control.send((what, ""))

    def kill(self, number: signal.Signals, *, token: uuid.UUID | None, why: str) -> None:
        self.killed = self.killed or (token, why)
        if self.process.is_alive():
            with suppress(ProcessLookupError):  # it has ended by itself, and only the fork server knows so far
                os.kill(self.process.pid, number)

    def is_in_another(self, job: int) -> bool:
        """Say whether it runs the code of another job than this one, which is of the same batch."""
        return self.current.value not in (0, job)

    def held(self, running: Sequence[Running]) -> list[tuple[int, uuid.UUID]]:
        """Return what is said to run here and has not for long, once each.

        It is stuck in another job of the batch, or the answer to a claim was lost and the claim was carried out later.
        """
        now, current = now_s(), self.current.value
        absent = {one.token: one for one in running if one.slot == self.number and one.job != current}
        # Between two jobs one may have returned this moment and be about to be saved, so then it counts from now.
        self.missed = {token: self.missed.get(token, one.begun_s if current else now) for token, one in absent.items()}
        held = [token for token, since in self.missed.items() if now - since > HELD_S]
        self.missed |= dict.fromkeys(held, math.inf)
        return [(absent[token].job, token) for token in held]


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """A slot that is no more: what it ran has to be ended."""

    number: int
    killed: tuple[uuid.UUID | None, str] | None = None
    current: int = 0  # the job whose code ran in it when it ended

    def how_ended(self, job: Mapping[str, Any]) -> Attempted:
        """Return how the attempt ended, from what the database says the slot ran and what we killed it for."""
        token, why = self.killed or (None, "")
        if job["stop"]:
            return Attempted(outcome="stopped")
        if why == "deadline" and token == job["token"]:
            return Attempted(outcome="timeout", error="It took longer than its time-out allows and was ended.")
        if self.killed:
            # Drained, fenced, or a kill meant for another job: not this job's fault.
            return Attempted(outcome="drained")
        if self.current == job["id"]:
            return Attempted(outcome="crashed", error="Its process died.", error_kind="process_died")
        # It was not begun, or had returned and was not saved; whichever, it is not the one that died.
        return Attempted(outcome="drained", singly=True, error="The process died around it.", error_kind="process_died")
