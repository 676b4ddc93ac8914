"""Repeats of a calendar event, by day and by week: whether a day is one of them is counted, never walked to."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

WEEKDAYS = {"MO": 0, "TU": 1, "WE": 2, "TH": 3, "FR": 4, "SA": 5, "SU": 6}
DIGITS = re.compile(r"\d{1,6}")
KNOWN = {"FREQ", "INTERVAL", "COUNT", "UNTIL", "BYDAY", "WKST"}
DAY = timedelta(days=1)


class BadRule(Exception):
    """A rule that is broken, or of a kind that no training plan needs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """DAILY or WEEKLY; `weekdays` count from `week_start`, in their order within a week."""

    start: date
    weekly: bool
    interval: int = 1
    count: int | None = None
    until: date | None = None
    weekdays: tuple[int, ...] = ()
    week_start: int = 0

    @classmethod
    def read(cls, text: str, *, start: date) -> "Rule":
        parts = dict(each.split("=", 1) for each in text.strip().upper().split(";") if "=" in each)
        frequency = parts.get("FREQ")
        if frequency not in ("DAILY", "WEEKLY") or set(parts) - KNOWN or (frequency == "DAILY" and "BYDAY" in parts):
            raise BadRule("only days and weeks are repeated")
        week_start = _weekday(parts.get("WKST", "MO"))
        named = parts.get("BYDAY", "")
        days = [_weekday(each) for each in named.split(",")] if named else [start.weekday()]
        return cls(
            start=start,
            weekly=frequency == "WEEKLY",
            interval=_number(parts.get("INTERVAL", "1")),
            count=_number(parts["COUNT"]) if "COUNT" in parts else None,
            until=_day(parts["UNTIL"]) if "UNTIL" in parts else None,
            weekdays=tuple(sorted({(day - week_start) % 7 for day in days})),
            week_start=week_start,
        )

    def days(self, first: date, last: date) -> Iterator[date]:
        """Go through the repeats from first to last."""
        begin, end = max(first, self.start), min(last, self.until or last)
        for number in range((end - begin).days + 1):
            day = begin + DAY * number
            place = self._place(day)
            if place is not None and (self.count is None or place < self.count):
                yield day

    def _place(self, day: date) -> int | None:
        """Return how many repeats come before this one; None when the day is none."""
        if not self.weekly:
            steps, rest = divmod((day - self.start).days, self.interval)
            return None if rest else steps
        weeks, rest = divmod((self._week(day) - self._week(self.start)).days // 7, self.interval)
        if rest or self._within(day) not in self.weekdays:
            return None
        before_start = sum(each < self._within(self.start) for each in self.weekdays)
        return weeks * len(self.weekdays) + self.weekdays.index(self._within(day)) - before_start

    def _within(self, day: date) -> int:
        return (day.weekday() - self.week_start) % 7

    def _week(self, day: date) -> date:
        return day - DAY * self._within(day)


def _weekday(text: str) -> int:
    if text.strip() not in WEEKDAYS:
        raise BadRule("there is no such weekday")
    return WEEKDAYS[text.strip()]


def _number(text: str) -> int:
    if not DIGITS.fullmatch(text.strip()) or int(text) < 1:
        raise BadRule("that is no number of repeats")
    return int(text)


def _day(text: str) -> date:
    if not re.fullmatch(r"\d{8}(T\d{4,6}Z?)?", text.strip()):
        raise BadRule("it ends on no day")
    return date(int(text[:4]), int(text[4:6]), int(text[6:8]))
