"""Defines a fact once, apart from its value: what it means, how it is computed and how it is shown."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from coach import display
from coach.display import Style
from coach.models import Athlete
from coach.scopes.basics import CONVENTIONS, SOURCES
from coach.scopes.facts import Fact

Value = float | str | None
History = tuple[float | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What a term says in another language than English."""

    label: str
    meaning: str
    convention: str = ""
    source: str = ""  # where it is more than names and years
    values: Mapping[str, str] = field(default_factory=dict)  # the words that it can show, by those it holds
    reads: Callable[[str], str] | None = None  # where its words are put together of others

    def read(self, value: str) -> str:
        return self.reads(value) if self.reads else self.values.get(value, value)


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
    passing: bool = False
    chinese: Words | None = None  # until it has some it speaks English

    def fact(self, value: Value, *, style: Style, history: History = ()) -> Fact:
        """Return the fact; its value is the same in every language, what is read of it is not."""
        words = self.words(style)
        shown = words.read(value) if isinstance(value, str) else value
        return Fact(
            key=self.key,
            label=words.label,
            value=value,
            unit=self.unit,
            display=display.show(self.kind, shown, style=style),
            meaning=words.meaning,
            convention=words.convention,
            source=words.source,
            good=self.good,
            history=history,
            passing=self.passing,
        )

    def words(self, style: Style) -> Words:
        """Return what is read of the fact; sentences that many terms share have their Chinese in one place."""
        if not style.chinese or self.chinese is None:
            return Words(label=self.label, meaning=self.meaning, convention=self.convention, source=self.source)
        known = self.chinese
        return replace(
            known,
            convention=known.convention or worded(self.convention, CONVENTIONS, style=style),
            source=known.source or worded(self.source, SOURCES, style=style),
        )


def with_chinese(terms: Iterable[Term], words: Mapping[str, Words]) -> tuple[Term, ...]:
    """Return the terms, each with its Chinese where there is some; a borrowed one keeps what it brought."""
    return tuple(replace(term, chinese=words.get(term.key, term.chinese)) for term in terms)


def worded(text: str, words: Mapping[str, str], *, style: Style) -> str:
    """Return what a screen says beside its facts, in the athlete's language where it is known."""
    return words.get(text, text) if style.chinese else text


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
