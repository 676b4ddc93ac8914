"""A rule that must hold on a live system: how to see that it does not, and how to mend it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

type Mend = Callable[[Sequence[str]], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    name: str
    sentence: str  # what is wrong when something breaks it, and what it means
    broken: str  # a statement that returns the things (as text) that break it; it may use %(grace)s and %(silent)s
    mend: Mend | None  # None: only a person can
    deep: bool = False  # reads whole tables: for the audit, not for a monitor that asks every few seconds


def numbers(things: Sequence[str]) -> list[int]:
    return [int(thing) for thing in things]
