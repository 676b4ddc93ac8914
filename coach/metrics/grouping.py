"""Sorts recordings into sessions: a function of which recordings there are and what was ruled, and of nothing else."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from coach.metrics.likeness import Judgement, Seen, Verdict, judge

type Judged = Mapping[frozenset[str], Judgement]

TWO = "it fits two sessions that are not the same"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruled:
    """Two recordings, by their keys, are the same session, or are not, because somebody said so."""

    one: str
    other: str
    same: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Aside:
    """A recording that belongs nowhere until somebody says where; `candidate` is a key of the session it resembles."""

    key: str
    candidate: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Grouped:
    sessions: tuple[tuple[str, ...], ...]  # keys, in order of arrival
    aside: tuple[Aside, ...]


@dataclass(slots=True)
class _Groups:
    """Sessions while they grow; what is apart never meets, not even by way of a third."""

    members: dict[str, list[str]]  # by any member
    apart: set[frozenset[str]] = field(default_factory=set)

    def pairs(self, one: str, other: str) -> list[frozenset[str]]:
        return [frozenset((a, b)) for a in self.members[one] for b in self.members[other]]

    def are_apart(self, one: str, other: str) -> bool:
        return any(pair in self.apart for pair in self.pairs(one, other))

    def meet(self, one: str, other: str) -> None:
        if self.members[one] is self.members[other] or self.are_apart(one, other):
            return
        together = [*self.members[one], *self.members[other]]
        for key in together:
            self.members[key] = together


def group(seen: Sequence[Seen], ruled: Iterable[Ruled] = ()) -> Grouped:
    """Sort recordings, given in order of arrival, into sessions; of rulings, given latest first, the latest wins.

    Rulings come before likeness. What is like one session joins it; what is only nearly like one, or like two, stands
    aside.
    """
    order = {one.key: number for number, one in enumerate(seen)}
    groups = _by_rulings(order, ruled)
    groups.apart |= {
        frozenset((a.key, b.key))
        for a, b in combinations(seen, 2)
        if a.file == b.file and not judge(a, b).verdict and groups.members[a.key] is not groups.members[b.key]
    }
    judged = {frozenset((a.key, b.key)): judge(a, b) for a, b in combinations(seen, 2)}
    waiting = [key for key in order if min(groups.members[key], key=order.__getitem__) == key]
    sessions, aside = _settled(waiting, groups, judged)
    found = (tuple(sorted(groups.members[key], key=order.__getitem__)) for key in sessions)
    return Grouped(sessions=tuple(sorted(found, key=lambda keys: order[keys[0]])), aside=aside)


def _by_rulings(order: Mapping[str, int], ruled: Iterable[Ruled]) -> _Groups:
    groups = _Groups(members={key: [key] for key in order})
    for ruling in ruled:
        if ruling.one not in order or ruling.other not in order:
            continue
        if ruling.same:
            groups.meet(ruling.one, ruling.other)
        elif groups.members[ruling.one] is not groups.members[ruling.other]:
            groups.apart.add(frozenset((ruling.one, ruling.other)))
    return groups


def _settled(waiting: list[str], groups: _Groups, judged: Judged) -> tuple[list[str], tuple[Aside, ...]]:
    """Place one after the other, and those that wait again, because what came after them may have settled them."""
    sessions: list[str] = []  # a key of each
    while True:
        aside: list[Aside] = []
        for key in waiting:
            doubt = _placed(key, sessions, groups, judged)
            if doubt:
                aside.append(doubt)
        if len(aside) == len(waiting):
            return sessions, tuple(aside)
        waiting = [doubt.key for doubt in aside]


def _placed(key: str, sessions: list[str], groups: _Groups, judged: Judged) -> Aside | None:
    """Put a recording into the session that it is like, or make it one; return why it can be neither."""
    best = {
        session: max((judged[pair] for pair in groups.pairs(key, session)), key=lambda judgement: judgement.verdict)
        for session in sessions
        if not groups.are_apart(key, session)
    }
    for least in (Verdict.EXACT, Verdict.SAME):
        alike = [session for session, judgement in best.items() if judgement.verdict >= least]
        if len(alike) == 1:
            groups.meet(alike[0], key)
            return None
        if alike:
            return Aside(key=key, candidate=alike[0], why=TWO)
    near = [session for session, judgement in best.items() if judgement.verdict == Verdict.DOUBT]
    if near:
        return Aside(key=key, candidate=near[0], why=best[near[0]].why)
    sessions.append(key)
    return None
