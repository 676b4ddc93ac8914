"""The sessions of a week, and the days of it and of the weeks before, cut at the same weekday."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from statistics import median

from django.db.models import Q, Subquery

from coach.models import Activity, Athlete, Goal, Planned, TrainingDay
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
    done: tuple[TrainingDay, ...]  # what the sessions add up to, a row for each day that has some
    planned: tuple[Planned, ...]  # what was meant to be done; no sum is made of it
    goal: Goal | None  # the next one from this week on; of a week that is over, the one that lay in it
    before: tuple[tuple[TrainingDay, ...], ...]  # up to twelve earlier weeks since the athlete began, newest first

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
        return [points(self.done_on(day)) for day in self.days]

    def done_on(self, day: date) -> list[TrainingDay]:
        return [row for row in self.done if row.local_date == day]

    def usual(self, total: Callable[[Sequence[TrainingDay]], float]) -> float | None:
        """Return the median over the four weeks before, up to the same weekday; None with fewer than two weeks."""
        compared = [
            [row for row in rows if (row.local_date - start).days < self.counted]
            for rows, start in zip(self.before, self.starts_before(), strict=True)
        ][:COMPARED_WEEKS]
        return median([total(rows) for rows in compared]) if len(compared) >= 2 else None

    def starts_before(self) -> list[date]:
        return [self.first - WEEK * (number + 1) for number in range(len(self.before))]


def week_of(athlete: Athlete, name: str) -> Week:
    """Read the week and the twelve before it; ValueError where there is no such week. Four queries."""
    first, last = days_of(name, starts_on=athlete.week_starts_on)
    today = athlete.today()
    rows = days_done(athlete, first - WEEK * HISTORY_WEEKS, last)
    began = next((row.local_date for row in rows if row.local_date >= EARLIEST), None)
    sessions = Activity.objects.filter(athlete=athlete).counted().between(first, last).only(*COLUMNS)
    done = tuple(row for row in rows if row.local_date >= first)
    return Week(
        name=name,
        first=first,
        last=last,
        today=today,
        counted=counted_days(first, today=today, active_today=any(row.local_date == today for row in done)),
        sessions=tuple(sessions.order_by("started_at", "pk")),
        done=done,
        planned=tuple(Planned.objects.filter(athlete=athlete).between(first, last)),
        goal=goals.next_goal(athlete, first, last if last < today else None),
        before=earlier(rows, first=first, began=began),
    )


def days_done(athlete: Athlete, first: date, last: date) -> list[TrainingDay]:
    """Read the days from the first to the last, and the very first day of the athlete before them; one query."""
    known = TrainingDay.objects.filter(athlete=athlete)
    began = known.filter(local_date__gte=EARLIEST).order_by("local_date").values("local_date")[:1]
    reach = Q(local_date__range=(first, last)) | Q(local_date=Subquery(began))
    return list(known.filter(reach, local_date__lte=last).order_by("local_date"))


def counted_days(first: date, *, today: date, active_today: bool) -> int:
    return max(0, min((today - first).days + (1 if active_today else 0), 7))


def earlier(rows: Sequence[TrainingDay], *, first: date, began: date | None) -> tuple[tuple[TrainingDay, ...], ...]:
    """Split into weeks, newest first; the week in which the athlete began and those before it do not compare."""
    weeks = []
    for number in range(HISTORY_WEEKS):
        start = first - WEEK * (number + 1)
        if began is None or start < began:
            break
        weeks.append(tuple(row for row in rows if start <= row.local_date < start + WEEK))
    return tuple(weeks)


def timer_s(rows: Sequence[Activity | TrainingDay]) -> float:
    return sum(row.timer_s for row in rows)


def points(rows: Sequence[Activity | TrainingDay]) -> float:
    return sum(row.load for row in rows)


def count(rows: Sequence[TrainingDay]) -> float:
    return float(sum(row.sessions for row in rows))
