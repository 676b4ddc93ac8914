"""Turns a number that a writer wrote out into the token of the cited fact that it equals, if it truly does."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from coach.gateway.rules.passage import TOKEN
from coach.scopes.facts import Fact

# Unit as written -> (dimension, factor to the unit that facts are kept in)
UNITS = {
    "km": ("m", 1000.0),
    "m": ("m", 1.0),
    "mi": ("m", 1609.344),
    "miles": ("m", 1609.344),
    "ft": ("m", 0.3048),
    "h": ("s", 3600.0),
    "hours": ("s", 3600.0),
    "min": ("s", 60.0),
    "minutes": ("s", 60.0),
    "w": ("W", 1.0),
    "watts": ("W", 1.0),
    "bpm": ("bpm", 1.0),
    "kcal": ("kcal", 1.0),
    "kj": ("kJ", 1.0),
    "ms": ("ms", 1.0),
    "rpm": ("rpm", 1.0),
    "kg": ("kg", 1.0),
    "lb": ("kg", 0.45359237),
    "lbs": ("kg", 0.45359237),
    "%": ("%", 1.0),
    "points": ("", 1.0),
    "": ("", 1.0),
    "公里": ("m", 1000.0),
    "千米": ("m", 1000.0),
    "米": ("m", 1.0),
    "英里": ("m", 1609.344),
    "英尺": ("m", 0.3048),
    "小时": ("s", 3600.0),
    "分钟": ("s", 60.0),
    "瓦": ("W", 1.0),
    "毫秒": ("ms", 1.0),
    "公斤": ("kg", 1.0),
    "磅": ("kg", 0.45359237),
    "点": ("", 1.0),
    "次/分": ("bpm", 1.0),
    "千卡": ("kcal", 1.0),
    "大卡": ("kcal", 1.0),
    "％": ("%", 1.0),
}
PACES = {
    "/km": ("s/m", 0.001),
    "/mi": ("s/m", 1 / 1609.344),
    "/公里": ("s/m", 0.001),
    "/英里": ("s/m", 1 / 1609.344),
}
UNIT = (
    r"km|miles|mi|ms|m|ft|hours|h|minutes|min|watts|W|w|bpm|kcal|kJ|rpm|kg|lbs|lb|points|%"
    r"|公里|千米|米|英里|英尺|小时|分钟|毫秒|瓦|次/分|千卡|大卡|公斤|磅|点|％"
)
DIGITS = r"\d+(?:[.,]\d+)*"
NUMBER = re.compile(
    # Between Chinese words no blank stands: only what could belong to the number may not stand around it.
    r"(?<![0-9A-Za-z_.,:+−-])(?P<sign>[+−-]?)(?:"
    r"(?P<hours>\d{1,3})\s?(?:h|hours?|小时)\s?(?P<minutes>[0-5]?\d)\s?(?:min(?:utes?)?|分钟?)"
    r"|(?P<clock>\d{1,3}(?::[0-5]\d){1,2}|\d{1,3}['’′][0-5]\d(?:[\"”″])?)\s?(?P<pace>/km|/mi|/公里|/英里)?"
    # What has no unit, as fitness, is believed where nothing stands behind it that it could be a count of.
    rf"|(?P<digits>{DIGITS})(?:\s?(?P<unit>{UNIT})|(?=\s*(?:[.,;:)。，；：）]|$)))"
    r")(?![0-9A-Za-z_每]|[.,:]\d|/\w)"
)
RANGE = re.compile(
    rf"(?P<low>{DIGITS})\s?(?:[–—~～-]|to|and|至|到)\s?(?P<high>{DIGITS})\s?(?P<unit>{UNIT})(?![0-9A-Za-z_])"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Amount:
    value: float
    dimension: str
    step: float  # the smallest difference that its digits can show

    def is_within(self, other: "Amount") -> bool:
        """Say whether this, rounded no coarser than the other, is the other."""
        near = abs(self.value - other.value) <= self.step / 2 * 1.001
        return self.dimension == other.dimension and near and self.step <= other.step * 1.001


def tokenized(text: str, cited: Sequence[Fact]) -> str:
    """Return the text with such numbers as tokens. What equals no cited fact with its unit stays and is caught."""
    parts = re.split(f"({TOKEN.pattern})", text)
    # re.split also returns the key of each token, every third part from the second on.
    pieces = [part for number, part in enumerate(parts) if number % 3 != 2]
    return "".join(piece if TOKEN.fullmatch(piece) else all_replaced(piece, cited) for piece in pieces)


def all_replaced(text: str, cited: Sequence[Fact]) -> str:
    wide = RANGE.sub(lambda match: spread(match, cited), text)
    return NUMBER.sub(lambda match: replaced(match, cited), wide)


def spread(match: re.Match[str], cited: Sequence[Fact]) -> str:
    """Read "60–75 ms" as two numbers of that unit; both must be facts."""
    found = []
    for digits in (match["low"], match["high"]):
        number = NUMBER.fullmatch(f"{digits} {match['unit']}")
        token = replaced(number, cited) if number else ""
        if not TOKEN.fullmatch(token):
            return match[0]
        found.append(token)
    return "–".join(found)


def replaced(match: re.Match[str], cited: Sequence[Fact]) -> str:
    for written in amounts(match):
        for fact in cited:
            if any(written.is_within(shown) for shown in shown_amounts(fact)):
                return f"{{{{{fact.key}}}}}"
    return match[0]


def shown_amounts(fact: Fact) -> Iterator[Amount]:
    """Read the display of a fact; the value behind it is exact where it is a number of the same dimension."""
    match = NUMBER.fullmatch(fact.display.replace("\u202f", " ").replace("\u00a0", " "))
    for shown in amounts(match) if match else ():
        same = fact.unit == shown.dimension or (not shown.dimension and fact.unit.startswith("points"))
        exact = fact.value if isinstance(fact.value, (int, float)) and same else None
        yield shown if exact is None else Amount(value=float(exact), dimension=shown.dimension, step=shown.step)


def amounts(match: re.Match[str]) -> Iterator[Amount]:
    """Read a number in each way it can be meant: 1,024 is a thousand to some and a bit over one to others."""
    minus = -1 if match["sign"] in ("-", "−") else 1
    if match["hours"]:
        seconds = int(match["hours"]) * 3600.0 + int(match["minutes"]) * 60
        yield Amount(value=minus * seconds, dimension="s", step=60.0)
        return
    if match["clock"]:
        seconds = 0.0
        for part in re.split(r"\D+", match["clock"].rstrip('"”″')):
            seconds = seconds * 60 + int(part)
        dimension, factor = PACES.get(match["pace"] or "", ("s", 1.0))
        yield Amount(value=minus * seconds * factor, dimension=dimension, step=factor)
        return
    dimension, factor = UNITS[(match["unit"] or "").lower()]
    for number, decimals in readings(match["digits"]):
        yield Amount(value=minus * number * factor, dimension=dimension, step=factor * 10.0**-decimals)


def readings(digits: str) -> Iterator[tuple[float, int]]:
    """Go through the values of digits with points and commas, each with its number of decimals."""
    groups = re.split(r"[.,]", digits)
    marks = re.findall(r"[.,]", digits)
    if not marks:
        yield float(digits), 0
        return
    if len(set(marks)) == 1 and all(len(group) == 3 for group in groups[1:]) and len(groups[0]) <= 3:
        yield float("".join(groups)), 0
    if len(marks) == 1 or (marks[-1] != marks[-2] and all(len(group) == 3 for group in groups[1:-1])):
        yield float("".join(groups[:-1]) + "." + groups[-1]), len(groups[-1])
