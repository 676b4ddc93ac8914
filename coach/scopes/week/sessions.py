"""The sessions of a week and of the weeks before it, cut at the same weekday."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from statistics import median

from django.db.models import Min

from coach.models import Activity, Athlete, Goal, Planned
from coach.scopes import goal as goals
from coach.scopes.calendar import EARLIEST, days_of

COMPARED_WEEKS = 4
HISTORY_WEEKS = 12
WEEK = timedelta(days=7)
DAY = timedelta(days=1)
COLUMNS = (
    "pk",
    "started_at",
    "local_date",
    "sport",
    "indoor",
    "timer_s",
    "distance_m",
    "ascent_m",
    "load",
    "load_from",
    "zone_seconds",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Week:
    """`counted` days are compared: all seven of a past week; of this one those up to the last that counts.

    Today counts when there is a session on it: a Tuesday morning is not compared with whole Tuesdays.
    """

    name: str
    first: date
    last: date
    today: date
    counted: int
    sessions: tuple[Activity, ...]
    planned: tuple[Planned, ...]  # what was meant to be done; no sum is made of it
    goal: Goal | None  # the next one from this week on; of a week that is over, the one that lay in it
    before: tuple[tuple[Activity, ...], ...]  # up to twelve earlier weeks since the athlete began, newest first

    @property
    def is_complete(self) -> bool:
        return self.last < self.today

    @property
    def days(self) -> list[date]:
        return [self.first + DAY * number for number in range(7)]

    def on(self, day: date) -> list[Activity]:
        return [session for session in self.sessions if session.local_date == day]

    def planned_on(self, day: date) -> list[Planned]:
        return [session for session in self.planned if session.day == day]

    def loads(self) -> list[float]:
        return [sum(session.load for session in self.on(day)) for day in self.days]

    def usual(self, total: Callable[[Sequence[Activity]], float]) -> float | None:
        """Return the median over the four weeks before, up to the same weekday; None with fewer than two weeks."""
        compared = [
            [session for session in sessions if (session.local_date - start).days < self.counted]
            for sessions, start in zip(self.before, self.starts_before(), strict=True)
        ][:COMPARED_WEEKS]
        return median([total(sessions) for sessions in compared]) if len(compared) >= 2 else None

    def starts_before(self) -> list[date]:
        return [self.first - WEEK * (number + 1) for number in range(len(self.before))]


def week_of(athlete: Athlete, name: str) -> Week:
    """Read the week and the twelve before it; ValueError where there is no such week. Four queries."""
    first, last = days_of(name, starts_on=athlete.week_starts_on)
    today = athlete.today()
    counted = Activity.objects.filter(athlete=athlete).counted()
    began = counted.filter(local_date__gte=EARLIEST).aggregate(day=Min("local_date"))
    rows = list(counted.between(first - WEEK * HISTORY_WEEKS, last).only(*COLUMNS).order_by("started_at", "pk"))
    sessions = tuple(row for row in rows if row.local_date >= first)
    return Week(
        name=name,
        first=first,
        last=last,
        today=today,
        counted=counted_days(first, today=today, active_today=any(row.local_date == today for row in sessions)),
        sessions=sessions,
        planned=tuple(Planned.objects.filter(athlete=athlete).between(first, last)),
        goal=goals.next_goal(athlete, first, last if last < today else None),
        before=earlier(rows, first=first, began=began["day"]),
    )


def counted_days(first: date, *, today: date, active_today: bool) -> int:
    return max(0, min((today - first).days + (1 if active_today else 0), 7))


def earlier(rows: Sequence[Activity], *, first: date, began: date | None) -> tuple[tuple[Activity, ...], ...]:
    """Split into weeks, newest first; the week in which the athlete began and those before it do not compare."""
    weeks = []
    for number in range(HISTORY_WEEKS):
        start = first - WEEK * (number + 1)
        if began is None or start < began:
            break
        weeks.append(tuple(row for row in rows if start <= row.local_date < start + WEEK))
    return tuple(weeks)


def timer_s(sessions: Sequence[Activity]) -> float:
    return sum(session.timer_s for session in sessions)


def points(sessions: Sequence[Activity]) -> float:
    return sum(session.load for session in sessions)


def count(sessions: Sequence[Activity]) -> float:
    return float(len(sessions))
