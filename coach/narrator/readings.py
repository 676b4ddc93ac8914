"""Reads facts for a judgement: numbers as numbers, and the words for which way they point."""

from coach.scopes.facts import Facts


def value(facts: Facts, key: str) -> float | None:
    """Return the number behind a fact; None when there is none."""
    fact = facts.get(key)
    return float(fact.value) if fact is not None and isinstance(fact.value, (int, float)) else None


def word(facts: Facts, key: str) -> str:
    fact = facts.get(key)
    return fact.value if fact is not None and isinstance(fact.value, str) else ""


def known(facts: Facts, *keys: str) -> bool:
    """Say whether all of these facts have a value."""
    return all(fact is not None and fact.value is not None for fact in map(facts.get, keys))


def trend(change: float, *, least: float) -> str:
    """Return "up" or "down" for a change worth the word, else "flat"."""
    if abs(change) < least:
        return "flat"
    return "up" if change > 0 else "down"
