"""Dates as Strava writes them in its languages; the time is always UTC."""

import re
import unicodedata
from datetime import UTC, datetime

# The first letters of the months, without accents and dots: English, German, French, Spanish, Italian, Portuguese,
# Dutch. Longer ones go first where three letters are not enough.
MONTHS = {
    start: month
    for month, starts in enumerate(
        (
            "jan ene gen",
            "feb fev",
            "mar mrt mrz maar",
            "apr avr abr",
            "may mai mag mei",
            "jun juin giu",
            "jul juil lug",
            "aug aou ago",
            "sep set",
            "oct okt ott out",
            "nov",
            "dec dez dic",
        ),
        start=1,
    )
    for start in starts.split()
}
TIME = re.compile(r"(\d{1,2})\s?[:h]\s?(\d{2})(?:[:.](\d{2}))?")
AFTERNOON = re.compile(r"\b(pm|p\. ?m\.?)|下午|晚上")
MORNING = re.compile(r"\b(am|a\. ?m\.?)|上午|凌晨|早上")
YEAR_FIRST = re.compile(r"(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})")
YEAR_LAST = re.compile(r"(\d{1,2})\s*([-/.])\s*(\d{1,2})\s*[-/.]\s*(\d{4})")
YEAR = re.compile(r"\d{4}")
DAY = re.compile(r"(?<!\d)(\d{1,2})(?!\d)")
WORD = re.compile(r"[a-z]{3,}")


def parse(text: str, *, day_first: bool | None = None) -> datetime | None:
    """Return the moment; None for what is no date, or one of figures alone whose order nobody says."""
    text = _plain(text)
    time = TIME.search(text)
    day = text[: time.start()] if time else text
    date = _year_first(day) or _figures(day, day_first=day_first) or _words(day)
    if date is None:
        return None
    try:
        return datetime(*date, *(_hours(text, time) if time else (0, 0, 0)), tzinfo=UTC)
    except ValueError:
        return None


def is_day_first(texts: list[str]) -> bool | None:
    """Say by all the dates of a table whether the day stands before the month; None when they do not tell."""
    found = [match for text in texts if (match := YEAR_LAST.search(_plain(text)))]
    if any(match[2] == "." or int(match[1]) > 12 for match in found):
        return True
    return False if any(int(match[3]) > 12 for match in found) else None


def _plain(text: str) -> str:
    """Return the text in small letters, without accents and with plain spaces (U+202F stands before AM)."""
    spread = unicodedata.normalize("NFKD", text.casefold())
    kept = "".join(letter for letter in spread if not unicodedata.combining(letter))
    return " ".join(kept.split())[:100]


def _year_first(day: str) -> tuple[int, int, int] | None:
    found = YEAR_FIRST.search(day)
    return (int(found[1]), int(found[2]), int(found[3])) if found else None


def _figures(day: str, *, day_first: bool | None) -> tuple[int, int, int] | None:
    found = YEAR_LAST.search(day)
    if found is None:
        return None
    first, second = int(found[1]), int(found[3])
    if day_first is None and found[2] == ".":
        day_first = True
    if day_first is None and first <= 12 and second <= 12 and first != second:
        return None
    month, day_of = (second, first) if day_first or first > 12 else (first, second)
    return int(found[4]), month, day_of


def _words(day: str) -> tuple[int, int, int] | None:
    year = YEAR.search(day)
    day_of = DAY.search(day)
    month = next((number for word in WORD.findall(day) if (number := _month(word))), None)
    return (int(year[0]), month, int(day_of[1])) if year and day_of and month else None


def _month(word: str) -> int | None:
    return MONTHS.get(word[:4]) or MONTHS.get(word[:3])


def _hours(text: str, time: re.Match[str]) -> tuple[int, int, int]:
    hour, minute, second = int(time[1]), int(time[2]), int(time[3] or 0)
    if AFTERNOON.search(text) and hour < 12:
        hour += 12
    elif MORNING.search(text) and hour == 12:
        hour = 0
    return hour, minute, second
