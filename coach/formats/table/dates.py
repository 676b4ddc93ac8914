"""Dates and times in the many ways that tables write them."""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo

ORDERS = ("ymd", "dmy", "mdy")
MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "jan january januar janv janvier ene enero gennaio gen",
            "feb february februar févr fevr février fevrier febrero febbraio",
            "mar march mär märz mrz mars marzo",
            "apr april avr avril abr abril aprile",
            "may mai mayo maggio mag",
            "jun june juni juin junio giugno giu",
            "jul july juli juil juillet julio luglio lug",
            "aug august août aout ago agosto",
            "sep sept september septembre septiembre settembre set",
            "oct october okt oktober octobre octubre ottobre ott",
            "nov november novembre noviembre",
            "dec december dez dezember déc decembre décembre dic diciembre dicembre",
        ),
        start=1,
    )
    for name in names.split()
}
PARTS = re.compile(r"(\d{1,4})\s?[-/.]\s?(\d{1,2})\s?[-/.]\s?(\d{1,4})\.?")
COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})")
CHINESE = re.compile(r"(\d{4})年(\d{1,2})月(\d{1,2})日")
WORDS = re.compile(
    r"(?:(\d{1,2})(?:st|nd|rd|th)?[. ]*)?([^\W\d_]{3,10})\.?[ ,-]*(?:(\d{1,2})(?:st|nd|rd|th)?,?[ ]+)?(\d{4})"
)
WEEKDAY = re.compile(r"^[^\W\d_]{2,10}\.?,\s+(?=\d|[^\W\d_]{3,10}\.? \d)")
TIME = re.compile(r"(\d{1,2})[:.h](\d{2})(?:[:.](\d{2})(?:[.,]\d+)?)?\s*([ap])?\.?m?\.?", re.I)
ZONE = re.compile(r"\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})$", re.I)
AT_END = re.compile(r"[\sT,]+(\d{1,2}[:h]\d{2}(?:[:]\d{2}(?:[.,]\d+)?)?\s*(?:[ap]\.?m\.?)?)$", re.I)
EPOCH_S, EPOCH_MS = re.compile(r"1\d{9}"), re.compile(r"1\d{12}")


@dataclass(frozen=True, slots=True, kw_only=True)
class When:
    """A day, its time where it was written, and the zone where that was."""

    day: date
    clock: time | None = None
    zone: tzinfo | None = None


def orders_of(text: str) -> frozenset[str]:
    """Return the orders of day, month and year in which the text is a date; none when it is no date at all."""
    return frozenset(order for order in ORDERS if when(text, order=order) is not None)


def when(text: str, *, order: str) -> When | None:
    """Return the day and time; `order` decides where the text can be read in two ways."""
    text = text.strip()
    if EPOCH_S.fullmatch(text) or EPOCH_MS.fullmatch(text):
        at = datetime.fromtimestamp(int(text[:10]), UTC)
        return When(day=at.date(), clock=at.time(), zone=UTC)
    text, zone = _without_zone(text)
    clock = AT_END.search(text)
    at_time = time_of(clock[1]) if clock else None
    day = _day(text[: clock.start()].strip() if clock and at_time else text, order=order)
    return None if day is None else When(day=day, clock=at_time, zone=zone if at_time else None)


def time_of(text: str) -> time | None:
    found = TIME.fullmatch(text.strip())
    if found is None:
        return None
    hour, minute, second = int(found[1]), int(found[2]), int(found[3] or 0)
    if found[4]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if found[4].lower() == "p" else 0)
    if hour == 24 and minute == 0:
        hour = 0
    return time(hour, minute, min(second, 59)) if hour < 24 and minute < 60 else None


def _without_zone(text: str) -> tuple[str, tzinfo | None]:
    found = ZONE.search(text)
    if found is None or ":" not in text[: found.start()]:
        return text, None
    name = found[1].upper()
    if name in ("Z", "UTC", "GMT"):
        return text[: found.start()], UTC
    digits = name[1:].replace(":", "")
    shift = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    if shift > timedelta(hours=14):
        return text, None
    return text[: found.start()], timezone(-shift if name[0] == "-" else shift)


def _day(text: str, *, order: str) -> date | None:
    numbered = PARTS.fullmatch(text)
    if numbered:
        return _ordered(numbered[1], numbered[2], numbered[3], order=order, dotted="." in text)
    whole = COMPACT.fullmatch(text) or CHINESE.fullmatch(text)
    if whole:
        return _date(int(whole[1]), int(whole[2]), int(whole[3]))
    named = WORDS.fullmatch(WEEKDAY.sub("", text))
    if named and named[2].casefold() in MONTHS and (named[1] or named[3]) and not (named[1] and named[3]):
        return _date(int(named[4]), MONTHS[named[2].casefold()], int(named[1] or named[3]))
    return None


def _ordered(first: str, second: str, third: str, *, order: str, dotted: bool) -> date | None:
    """A year of four digits says its place itself; dates with points begin with the day wherever they are used."""
    if len(first) == 4:
        return _date(int(first), int(second), int(third)) if len(third) <= 2 else None
    if len(first) > 2 or len(third) not in (2, 4):
        return None
    if order == "ymd":
        return _date(_year(first), int(second), int(third)) if len(first) == len(third) == 2 else None
    day, month = (second, first) if order == "mdy" and not dotted else (first, second)
    return _date(_year(third), int(month), int(day))


def _year(text: str) -> int:
    year = int(text)
    return year if len(text) == 4 else year + (2000 if year < 70 else 1900)


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day) if year >= 1900 else None
    except ValueError:
        return None
