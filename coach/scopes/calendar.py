"""Weeks by their ISO name, for athletes whose week may begin on any weekday."""

import re
from datetime import date, timedelta

NAME = re.compile(r"(\d{4})-W(\d{2})")
THURSDAY = 4
YEARS = (1900, 2200)
EARLIEST = date(2000, 1, 1)  # devices that lost their clock write 1989


def week_of(day: date, *, starts_on: int = 1) -> str:
    """Return the ISO name of the week a day lies in, such as 2026-W48.

    A week is named after its Thursday, whatever weekday (1 to 7) it starts on; for Monday that is ISO 8601.
    """
    first = day - timedelta(days=(day.isoweekday() - starts_on) % 7)
    year, number, _ = (first + timedelta(days=(THURSDAY - starts_on) % 7)).isocalendar()
    return f"{year}-W{number:02d}"


def days_of(name: str, *, starts_on: int = 1) -> tuple[date, date]:
    """Return the first and the last day of a week; ValueError where there is no such week."""
    found = NAME.fullmatch(name)
    if not found or not YEARS[0] <= int(found[1]) <= YEARS[1]:
        raise ValueError(f"{name!r} is no week: it must look like 2026-W48.")
    thursday = date.fromisocalendar(int(found[1]), int(found[2]), THURSDAY)
    first = thursday - timedelta(days=(THURSDAY - starts_on) % 7)
    return first, first + timedelta(days=6)
