"""Defines a fact once, apart from its value: what it means, how it is computed and how it is shown."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from coach import display
from coach.display import Style
from coach.models import Athlete
from coach.scopes.facts import Fact

Value = float | str | None
History = tuple[float | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    key: str
    label: str
    kind: str  # one of coach.display
    meaning: str
    unit: str = ""
    convention: str = ""
    source: str = ""
    good: str = ""

    def fact(self, value: Value, *, style: Style, history: History = ()) -> Fact:
        return Fact(
            key=self.key,
            label=self.label,
            value=value,
            unit=self.unit,
            display=display.show(self.kind, value, style=style),
            meaning=self.meaning,
            convention=self.convention,
            source=self.source,
            good=self.good,
            history=history,
        )


def style_of(athlete: Athlete) -> Style:
    return Style(units=athlete.units, language=athlete.language)


def state(
    terms: Iterable[Term],
    values: Mapping[str, Value],
    *,
    style: Style,
    histories: Mapping[str, History] | None = None,
) -> tuple[Fact, ...]:
    """Return a fact for each term that has an entry in `values`, in the order of the terms.

    An entry of None stays as a fact without a value; a term without an entry does not apply and is left out.
    """
    past = histories or {}
    return tuple(
        term.fact(values[term.key], style=style, history=past.get(term.key, ())) for term in terms if term.key in values
    )


def unknown(facts: Iterable[Fact]) -> tuple[str, ...]:
    """Return the keys of the facts that could not be computed."""
    return tuple(fact.key for fact in facts if fact.value is None)
