"""Facts as they are kept with a text: whole enough to be written about again, and checked, years later."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from coach.scopes.facts import Fact, Facts

RECENT = 7  # values of a history that count as a trend of their own: see coach.gateway.rules.trends
WORDS = ("label", "display", "meaning", "convention", "source")


def kept(facts: Facts) -> dict[str, dict[str, Any]]:
    """Return each fact by its key; of its history what its direction is read from."""
    return {
        fact.key: {
            **{name: getattr(fact, name) for name in WORDS},
            "value": fact.value,
            "unit": fact.unit,
            "good": fact.good,
            "history": shortened(fact.history),
            "passing": fact.passing,
        }
        for fact in facts.facts
    }


def shortened(history: tuple[float | None, ...]) -> list[float]:
    past = [value for value in history if value is not None]
    return past if len(past) <= RECENT else [past[0], *past[-RECENT:]]


def restored(
    stored: Mapping[str, Mapping[str, Any]], *, scope: str, subject: str, as_of: date | None = None
) -> Facts | None:
    """Return the facts; None where they were kept by a version that kept less."""
    if not stored or not all("value" in fact and "history" in fact for fact in stored.values()):
        return None
    facts = tuple(
        Fact(key=key, **{name: fact[name] for name in (*WORDS, "value", "unit", "good", "passing")},
             history=tuple(fact["history"]))
        for key, fact in stored.items()
    )  # fmt: skip
    missing = tuple(fact.key for fact in facts if fact.value is None)
    return Facts(scope=scope, subject=subject, title="", facts=facts, as_of=as_of, missing=missing)
