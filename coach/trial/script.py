"""The queue of scripted turns: what the next calls meet instead of a good answer."""

import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any


class BadScript(Exception):
    """The scripted turn cannot be played; the message says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What one call meets. Fields that a turn does not use are ignored."""

    do: str = "answer"  # a name in coach.trial.turns
    times: int = 1  # -1: every call from now on
    match: str = ""  # only for calls whose job id is this, or whose prompt holds it
    after_s: float = 0  # before it happens
    seconds: float = 0  # how long a stall, a slow answer or a closed listener lasts
    after_tokens: int = 3  # how much of the answer goes out before a fault in the body
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "application/json"
    body: str = ""
    text: str | None = None  # the answer, word for word, instead of one made from the facts
    reason: str = "stop"  # finish_reason
    delay_s: float | None = None  # instead of the gateway's own
    pace_s: float | None = None


KNOWN = {each.name for each in fields(Turn)}


def turn(wish: "Mapping[str, Any] | Turn | str") -> Turn:
    """Read a turn from what a test or a POST gave: a Turn, its fields, or only its name."""
    if isinstance(wish, Turn):
        return wish
    if isinstance(wish, str):
        return Turn(do=wish)
    unknown = set(wish) - KNOWN
    if unknown:
        raise BadScript(f"Unknown fields: {', '.join(sorted(unknown))}. Known are: {', '.join(sorted(KNOWN))}.")
    return Turn(**wish)


class Script:
    """Turns in their order; a call takes the first one that matches it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._turns: list[tuple[Turn, int]] = []

    def add(self, turns: Iterable[Turn]) -> None:
        with self._lock:
            self._turns += [(turn, turn.times) for turn in turns]

    def clear(self) -> None:
        with self._lock:
            self._turns.clear()

    def take(self, *, job: str, prompt: str) -> Turn | None:
        """Take the first that matches the call; None when none does."""
        with self._lock:
            for place, (turn, left) in enumerate(self._turns):
                if turn.do != "refuse" and (not turn.match or turn.match == job or turn.match in prompt):
                    self._spend(place, turn, left)
                    return turn
        return None

    def take_refusal(self) -> Turn | None:
        """Take a refusal that has come to the head: it concerns the listener, before any call exists."""
        with self._lock:
            if self._turns and self._turns[0][0].do == "refuse":
                return self._turns.pop(0)[0]
        return None

    def __len__(self) -> int:
        with self._lock:
            return len(self._turns)

    def _spend(self, place: int, turn: Turn, left: int) -> None:
        if left == 1:
            del self._turns[place]
        elif left > 1:
            self._turns[place] = (turn, left - 1)
