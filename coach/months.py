"""The athlete's sessions laid out by days: a month as weeks, and a year as a picture of its load."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Max, Min
from django.utils.translation import gettext, ngettext

from coach import display
from coach.display import Style
from coach.models import Activity, Athlete, TrainingDay

NAME = re.compile(r"(\d{4})-(\d{2})")
YEARS = (1970, 2200)
DAY = timedelta(days=1)
COLUMNS = ("pk", "started_at", "local_date", "sport", "name", "indoor", "virtual", "timer_s", "load", "is_ignored")
NO_MONTH = "There is no such month: write it like 2026-11."


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthDay:
    day: date
    inside: bool  # of the month that is shown
    is_today: bool
    sessions: tuple[Activity, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Month:
    first: date
    last: date
    heads: tuple[str, ...]
    weeks: tuple[tuple[MonthDay, ...], ...]
    before: str
    after: str  # "" in the month of today
    total: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Year:
    number: int
    before: int | None
    after: int | None
    loads: dict[date, float]
    starts_on: int
    rows: tuple[tuple[str, str, str, str, str], ...]  # name and address of a month, sessions, time, load


def month(athlete: Athlete, name: str) -> Month:
    """Return the weeks that hold a month, such as 2026-11; this one for "". ValueError where there is none."""
    today, style = athlete.today(), Style(language=athlete.language)
    first = _first_of(name) if name else today.replace(day=1)
    following = (first + timedelta(days=32)).replace(day=1)
    start = first - DAY * ((first.isoweekday() - athlete.week_starts_on) % 7)
    end = following - DAY
    end += DAY * (6 - (end - start).days % 7)
    found: dict[date, list[Activity]] = defaultdict(list)
    rows = Activity.objects.filter(athlete=athlete).between(start, end).order_by("started_at", "pk")
    for row in rows.only(*COLUMNS):
        found[row.local_date].append(row)
    days = [
        MonthDay(day=day, inside=first <= day < following, is_today=day == today, sessions=tuple(found.get(day, ())))
        for day in (start + DAY * number for number in range((end - start).days + 1))
    ]
    counted = [row for day in days if day.inside for row in day.sessions if not row.is_ignored]
    return Month(
        first=first,
        last=following - DAY,
        heads=tuple(display.initials(day.day, style=style) for day in days[:7]),
        weeks=tuple(tuple(days[place : place + 7]) for place in range(0, len(days), 7)),
        before=f"{first - DAY:%Y-%m}",
        after=f"{following:%Y-%m}" if following <= today else "",
        total=_total(counted, style=style),
    )


def _first_of(name: str) -> date:
    found = NAME.fullmatch(name)
    if not found or not YEARS[0] <= int(found[1]) <= YEARS[1] or not 1 <= int(found[2]) <= 12:
        raise ValueError(NO_MONTH)
    return date(int(found[1]), int(found[2]), 1)


def _total(rows: Sequence[Activity], *, style: Style) -> str:
    if not rows:
        return gettext("No session that counts.")
    said = ngettext("%(n)s session, %(time)s, load %(load)s", "%(n)s sessions, %(time)s, load %(load)s", len(rows))
    time = display.show("hours", sum(row.timer_s for row in rows), style=style)
    return said % {"n": len(rows), "time": time, "load": display.number(sum(row.load for row in rows))}


def year(athlete: Athlete, number: int) -> Year:
    """Return the load of each day of a year, this one for 0, and its months. ValueError where there is none."""
    today, style = athlete.today(), Style(language=athlete.language)
    number = number or today.year
    if not YEARS[0] <= number <= YEARS[1]:
        raise ValueError(f"There is no year {number} here.")
    known = TrainingDay.objects.filter(athlete=athlete)
    reach = known.aggregate(first=Min("local_date"), last=Max("local_date"))
    found = list(known.between(date(number, 1, 1), date(number, 12, 31)).order_by("local_date"))
    last = min(reach["last"] or today, today)
    return Year(
        number=number,
        before=number - 1 if reach["first"] and reach["first"].year < number else None,
        after=number + 1 if last.year > number else None,
        loads={row.local_date: row.load for row in found},
        starts_on=athlete.week_starts_on,
        rows=tuple(
            (
                f"{place}月" if style.chinese else display.MONTHS[place - 1],
                f"{number}-{place:02d}",
                str(sum(row.sessions for row in own)),
                display.show("hours", sum(row.timer_s for row in own), style=style),
                display.number(sum(row.load for row in own)),
            )
            for place in range(1, 13)
            for own in ([row for row in found if row.local_date.month == place],)
        ),
    )
