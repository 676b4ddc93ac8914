"""Durations, moments and counts in words."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from django.utils import timezone

DAY = timedelta(days=1)


def lasting(seconds: float) -> str:
    """Return "40 s", "3 min", "2 h 5 min", "4 d"."""
    whole = max(0, round(seconds))
    if whole < 120:
        return f"{whole} s"
    minutes = whole // 60
    if minutes < 60:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    if hours < 24:
        return f"{hours} h {minutes} min" if minutes else f"{hours} h"
    return f"{hours // 24} d"


def clock(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%H:%M:%S} UTC"


def when(moment: datetime | None) -> str:
    """Return a moment of the last day by its age, of the next one by its distance, any other by its date."""
    if moment is None:
        return "–"
    age = timezone.now() - moment
    if timedelta(0) <= age < DAY:
        return f"{lasting(age.total_seconds())} ago"
    if -DAY < age < timedelta(0):
        return f"in {lasting(-age.total_seconds())}"
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M}"


def counted(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def problem(kind: str, error: str) -> str:
    """Return "timeout: It took too long." or what there is of it."""
    return ": ".join(part for part in (kind, error) if part)


def listed(counts: Mapping[str, int]) -> str:
    """Return "2 running already, 1 over"."""
    return ", ".join(f"{number:,} {what}" for what, number in counts.items())
