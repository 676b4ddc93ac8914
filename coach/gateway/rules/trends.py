"""Which way a fact goes, as far as the fact itself can say."""

import re

from coach.scopes.facts import Fact

CHANGE = re.compile(
    r"(?:^|_)(?:delta|change|changes|ramp|gain|slope|diff|difference|trend|vs|versus|against|increase|growth)(?:_|$)"
)
RATIO = re.compile(r"(?:^|_)(?:ratio|acwr)(?:_|$)")
RECORD = re.compile(
    r"(?:^|_)(?:record|records|best|pb|pr|peak|max|min|longest|fastest|hardest|highest|biggest|top|first)(?:_|$)"
)
RANK = re.compile(r"(?:^|_)rank(?:_|$)")
SAME = 0.005  # a change of less than this share of the value is none
RECENT = 7  # values of a history that also count as a trend of their own


def trends(fact: Fact) -> frozenset[str]:
    """Return the directions that a text may say of the fact: "up", "down", "flat", or none at all.

    A change has the direction of its sign, a ratio that of its side of one. A level has those of its history, over
    all of it and over its last values; without one, a level that is shown with a sign has that sign.
    """
    value = fact.value
    if not isinstance(value, (int, float)):
        return frozenset()
    shown = sign_shown(fact)
    if CHANGE.search(fact.key):
        return frozenset({shown or sign(float(value))})
    if RATIO.search(fact.key):
        return frozenset({sign(float(value) - 1, least=SAME)})
    past = [each for each in fact.history if each is not None]
    if len(past) > 1:
        return frozenset(slope(past[start:]) for start in (0, -RECENT))
    return frozenset({shown}) if shown else frozenset()


def sign_shown(fact: Fact) -> str:
    """Return the direction of the sign in the display, "flat" where it shows a signed nothing, "" without one."""
    match = re.match(r"([+−-])", fact.display)
    if not match:
        return ""
    if not re.search(r"[1-9]", fact.display):
        return "flat"
    return "up" if match[1] == "+" else "down"


def sign(value: float, *, least: float = 0.0) -> str:
    if abs(value) <= least:
        return "flat"
    return "up" if value > 0 else "down"


def slope(past: list[float]) -> str:
    first, last = past[0], past[-1]
    return sign(last - first, least=SAME * max(abs(first), abs(last)))


def is_record(fact: Fact) -> bool:
    """Say whether the fact is a best of some kind: by its name, or a rank of one."""
    if RANK.search(fact.key):
        return fact.value == 1
    return bool(RECORD.search(fact.key)) and fact.value not in (None, False, 0, "")


def is_pace(fact: Fact) -> bool:
    """Say whether less of it is faster."""
    return fact.unit in ("s/km", "s/mi", "s/100m", "min/km", "s") or "pace" in fact.key
