"""The scopes there are: one question each, and what an insight about it must answer."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from coach.models import Athlete
from coach.scopes.facts import Facts

Compute = Callable[[Athlete, str], Facts]


class UnknownScope(LookupError):
    """There is no scope of this name."""


class UnknownSubject(LookupError):
    """The athlete has nothing of this name: a week that does not exist, or somebody else's activity."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    name: str
    title: str
    question: str
    answers: tuple[str, ...]  # what a text about it must say, in words a writer understands
    compute: Compute


_scopes: dict[str, Scope] = {}


def scope(name: str, *, title: str, question: str, answers: tuple[str, ...]) -> Callable[[Compute], Compute]:
    """Register the function that makes a scope's facts from an athlete and a subject."""

    def register(compute: Compute) -> Compute:
        _scopes[name] = Scope(name=name, title=title, question=question, answers=answers, compute=compute)
        return compute

    return register


def scopes() -> Mapping[str, Scope]:
    return dict(_scopes)


def named(name: str) -> Scope:
    try:
        return _scopes[name]
    except KeyError:
        raise UnknownScope(f"There is no scope {name!r}; there are {', '.join(sorted(_scopes))}.") from None
