"""What a text must not do to be believed: one module a rule, each from a passage to what is wrong with it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from coach.gateway.rules import claims, directions, markup, naming, numerals, repetition, screens, tokens
from coach.gateway.rules.passage import Ground, Passage

Rule = Callable[[Passage, Ground], Iterator[str]]

RULES: tuple[tuple[str, Rule], ...] = (
    ("length", tokens.too_long),
    ("markup", markup.foreign_to_prose),
    ("language", markup.other_language),
    ("token", tokens.unknown),
    ("uncited", tokens.uncited),
    ("unit", tokens.altered),
    ("name", naming.misnamed),
    ("numeral", numerals.numerals),
    ("date", numerals.dates),
    ("direction", directions.unsupported),
    ("direction", directions.miscompared),
    ("banned", claims.banned),
    ("screen", screens.wrong_here),
    ("tone", claims.hype),
    ("praise", claims.praise),
    ("missing", claims.absent),
    ("repetition", repetition.said_before),
)

FAR_TOO_LONG = 6  # times the limit: tokens are longer than what they show, but not by so much


@dataclass(frozen=True, slots=True, kw_only=True)
class Violation:
    check: str
    where: str
    text: str

    def as_dict(self) -> dict[str, str]:
        shown = markup.harmless(markup.cleaned(self.text))[:80]
        return {"check": self.check, "where": self.where, "text": shown}


def violations(passage: Passage, ground: Ground) -> list[Violation]:
    """Return everything that is wrong with a passage; of one that is far too long, only that."""
    if len(passage.text) > FAR_TOO_LONG * passage.longest:
        return [Violation(check="length", where=passage.where, text=f"{len(passage.text)} characters")]
    return [
        Violation(check=check, where=passage.where, text=text)
        for check, rule in RULES
        for text in rule(passage, ground)
    ]
