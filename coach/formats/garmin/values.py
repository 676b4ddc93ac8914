"""Values as Garmin's JSON has them: anything may be missing, null, zero or of another kind."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any

LARGEST = 1e15


def number(said: Mapping[str, Any], *keys: str) -> float | None:
    """Return the first of the fields that is a number above zero."""
    for key in keys:
        value = said.get(key)
        if isinstance(value, bool) or not isinstance(value, int | float):
            continue
        if 0 < value < LARGEST:
            return float(value)
    return None


def text(said: Mapping[str, Any], key: str) -> str:
    value = said.get(key)
    return value if isinstance(value, str) else ""


def day(said: Mapping[str, Any], key: str = "calendarDate") -> date | None:
    try:
        return date.fromisoformat(text(said, key)[:10])
    except ValueError:
        return None


def noon(day: date) -> datetime:
    """Return the moment at which a value of a whole day stands: on the same date nearly everywhere."""
    return datetime(day.year, day.month, day.day, 12, tzinfo=UTC)


def gmt(said: Mapping[str, Any], key: str) -> datetime | None:
    """Return a time that is written without an offset and means GMT, or as milliseconds since 1970."""
    milliseconds = number(said, key)
    if milliseconds is not None:
        return since_1970(milliseconds)
    try:
        at = datetime.fromisoformat(text(said, key))
    except ValueError:
        return None
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)


def since_1970(milliseconds: float) -> datetime | None:
    try:
        return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=milliseconds)
    except OverflowError:
        return None
