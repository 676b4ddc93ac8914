"""Days, times and durations of a calendar file (iCalendar), on the calendar of the athlete."""

import re
from datetime import date, datetime, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

LONGEST_S = 86_400.0
DATE = re.compile(r"(\d{4})(\d{2})(\d{2})")
MOMENT = re.compile(r"(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})?(Z?)")
DURATION = re.compile(r"\+?P(?:(\d{1,4})W)?(?:(\d{1,4})D)?(?:T(?:(\d{1,4})H)?(?:(\d{1,5})M)?(?:(\d{1,6})S)?)?")


class NoMoment(Exception):
    """The text is no day and no time."""


def moment(parameters: dict[str, str], value: str) -> date | datetime:
    """Return a day, or a time in its own zone: aware where the zone is known, else on nobody's clock."""
    text = value.strip()
    if found := DATE.fullmatch(text):
        return date(*map(int, found.groups()))
    timed = MOMENT.fullmatch(text)
    if timed is None:
        raise NoMoment(text[:40])
    year, month, day, hour, minute, second = (int(part or 0) for part in timed.groups()[:6])
    plain = datetime(year, month, day, hour, minute, min(second, 59))  # noqa: DTZ001  (its zone follows)
    return plain.replace(tzinfo=zone_named("UTC" if timed[7] else parameters.get("TZID", "")))


def zone_named(name: str) -> tzinfo | None:
    """Return the zone; None for a name that only its program knows, so that the day stays as written."""
    try:
        return ZoneInfo(name.strip().lstrip("/")) if name.strip() else None
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def began_day(when: date | datetime) -> date:
    return when.date() if isinstance(when, datetime) else when


def local_day(when: date | datetime, zone: tzinfo) -> date:
    """Return the athlete's day."""
    if isinstance(when, datetime):
        return (when.astimezone(zone) if when.tzinfo else when).date()
    return when


def lasting(
    began: date | datetime, ended: date | datetime | None, said: tuple[dict[str, str], str] | None
) -> float | None:
    """Return the seconds of an event with times; a whole day has none."""
    if not isinstance(began, datetime):
        return None
    seconds = 0.0
    if isinstance(ended, datetime) and (ended.tzinfo is None) == (began.tzinfo is None):
        seconds = (ended - began).total_seconds()
    elif said is not None and (found := DURATION.fullmatch(said[1].strip())):
        weeks, days, hours, minutes, rest = (int(part or 0) for part in found.groups())
        seconds = (weeks * 7 + days) * 86_400.0 + hours * 3600 + minutes * 60 + rest
    return seconds if 0 < seconds <= LONGEST_S else None
