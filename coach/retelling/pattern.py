"""The English form of a kept sentence, and how it is found again in what was kept."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from coach import display
from coach.display import Style
from coach.retelling.counts import COUNTED

HAN = Style(language="zh-hans")
PLACE = re.compile(r"%\((\w+)\)s")
DAY = re.compile(r"(\d{1,2}) ([A-Z][a-z]+) (\d{4})(?:, (\d\d:\d\d))?")
MONTH = re.compile(r"([A-Z][a-z]{2}) (\d{4})")
LONG_UNITS = {"days": "天", "hours": "小时", "minutes": "分钟", "seconds": "秒"}
FULL_STOPS = ("。", "？", "；", "：", "，")
# What may stand at a place, by how its name begins; anything at any other.
VALUES: Mapping[str, str] = {
    "n": r"[\d.,:−-]+(?:[eE][+-]?\d+)?",
    "span": r"[\d.,]+ [a-z]+",
    "day": r"\d{1,2} [A-Z][a-z]+ \d{4}(?:, \d\d:\d\d)?",
    "events": r"\d[\d,]* events?(?: [a-z]+)+",
    "sensor": r"(?i:heart rate|power|cadence)",
    "counts": COUNTED,
}


@dataclass(frozen=True)
class Pattern:
    text: str

    @cached_property
    def _source(self) -> str:
        parts = PLACE.split(self.text)
        return "".join(_place(part) if number % 2 else re.escape(part) for number, part in enumerate(parts))

    @cached_property
    def begins(self) -> re.Pattern[str]:
        """A sentence is over where a blank or the end comes; several may be strung together by semicolons."""
        source = self._source
        return re.compile(f"{source[:-2]}[.;](?= |$)" if source.endswith(r"\.") else f"{source}(?= |$)")

    @cached_property
    def whole(self) -> re.Pattern[str]:
        return re.compile(self._source)

    @property
    def fixed(self) -> int:
        return len(PLACE.sub("", self.text))

    def filled(self, told: str, values: Mapping[str, str]) -> str:
        return PLACE.sub(lambda match: shown(match[1], values[match[1]]), told)


def _place(name: str) -> str:
    return f"(?P<{name}>{VALUES.get(kind(name), '.+?')})"


def kind(name: str) -> str:
    """Return what a place is for: n_first is a number, span_most a span, name whatever somebody called it."""
    return name.partition("_")[0]


def shown(name: str, value: str) -> str:
    if kind(name) == "day":
        return DAY.sub(_day, value)
    if kind(name) == "months":
        return "、".join(f"{year}年{_month(month)}月" for month, year in MONTH.findall(value))
    if kind(name) == "span":
        number, _, unit = value.partition(" ")
        return f"{number} {LONG_UNITS.get(unit) or display.unit(unit, style=HAN)}"
    return value


def _day(found: re.Match[str]) -> str:
    at = f" {found[4]}" if found[4] else ""
    return f"{found[3]}年{_month(found[2])}月{found[1]}日{at}"


def _month(name: str) -> int:
    return 1 + next(place for place, month in enumerate(display.MONTHS) if month.startswith(name))


@dataclass(frozen=True)
class Book:
    """Patterns by their first words, two where both are fixed; on a page those that say most come first."""

    pages: Mapping[str, tuple[Pattern, ...]] = field(default_factory=dict)

    def of(self, text: str) -> Iterator[Pattern]:
        """Yield the patterns that may fit the text."""
        first, _, rest = text.partition(" ")
        for words in (f"{first} {rest.partition(' ')[0]}", first, ""):
            yield from self.pages.get(words, ())


def by_first_words(texts: Iterable[str]) -> Book:
    pages: dict[str, list[Pattern]] = {}
    for pattern in sorted(map(Pattern, dict.fromkeys(texts)), key=lambda one: one.fixed, reverse=True):
        pages.setdefault(_first_words(pattern.text), []).append(pattern)
    return Book({words: tuple(patterns) for words, patterns in pages.items()})


def _first_words(text: str) -> str:
    words = text.split(" ")[:2]
    return "" if "%(" in words[0] else words[0] if "%(" in words[-1] else " ".join(words)
