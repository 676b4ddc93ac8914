"""Dates as the Health app writes them: 2026-11-28 06:40:00 +0100."""

from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

EPOCH = date(1970, 1, 1)
DAY_S = 86_400


class Moment(NamedTuple):
    at_s: int  # since 1970
    day: date  # on the wall clock it was written by
    minute: int  # of that day
    offset_min: int

    @property
    def at(self) -> datetime:
        return datetime.fromtimestamp(self.at_s, UTC)

    @property
    def zone(self) -> str:
        hours, minutes = divmod(abs(self.offset_min), 60)
        return f"UTC{'-' if self.offset_min < 0 else '+'}{hours:02d}:{minutes:02d}"


def moment(text: str) -> Moment | None:
    """Return the moment, None when the text is none."""
    known = _day(text[:10], text[19:])
    if known is None:
        return None
    day, midnight_s, offset_min = known
    try:
        hour, minute, second = int(text[11:13]), int(text[14:16]), int(text[17:19])
    except ValueError:
        return None
    if not (0 <= hour < 24 and 0 <= minute < 60 and 0 <= second <= 60):
        return None
    return Moment(midnight_s + hour * 3600 + minute * 60 + second, day, hour * 60 + minute, offset_min)


@lru_cache(maxsize=4096)
def _day(day: str, offset: str) -> tuple[date, int, int] | None:
    """Return the day, the second its midnight is at by that offset, and the offset in minutes."""
    sign, digits = offset.strip()[:1], offset.strip()[1:].replace(":", "")
    if sign not in ("+", "-") or len(digits) != 4 or not digits.isascii() or not digits.isdigit():
        return None
    shift = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    if shift > timedelta(hours=14):
        return None
    try:
        found = date.fromisoformat(day)
    except ValueError:
        return None
    minutes = round(shift.total_seconds() / 60) * (-1 if sign == "-" else 1)
    return found, (found - EPOCH).days * DAY_S - minutes * 60, minutes
