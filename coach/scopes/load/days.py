"""The athlete's load on every calendar day, and what follows from it for today."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np
from django.db.models import Count, Sum

from coach.formats.recording import Array
from coach.metrics.fitness import ATL_DAYS, CTL_DAYS, Fitness, exponential, fitness
from coach.models import Activity, Athlete
from coach.scopes.calendar import EARLIEST
from coach.scopes.load.hard import HARD
from coach.scopes.load.terms import AWAY_DAYS

AHEAD_DAYS = 7
DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Days:
    """Loads from the first activity on; `until` is today when something was done today, else yesterday.

    A day that is not over counts only when there is something on it: nobody rests before the evening.
    """

    first: date
    until: date
    today: date
    last_active: date
    loads: Array
    fitness: Fitness
    by_way: Mapping[str, Mapping[date, float]]
    last_hard: date | None

    def at(self, day: date) -> int:
        return (day - self.first).days

    @property
    def days_away(self) -> int:
        return (self.today - self.last_active).days

    @property
    def is_away(self) -> bool:
        """Say whether the last session is longer ago than fitness looks back."""
        return self.days_away > AWAY_DAYS

    @property
    def morning_tsb(self) -> float:
        """Form this morning: fitness less fatigue at the end of yesterday."""
        place = self.at(self.today - DAY)
        return float(self.fitness.ctl[place] - self.fitness.atl[place]) if place >= 0 else 0.0

    def points(self, way: str, *, since: date) -> float:
        return sum(load for day, load in self.by_way.get(way, {}).items() if day >= since)


def days_of(athlete: Athlete) -> Days | None:
    """Read every day's load in one query; None when there is no activity up to today."""
    today = athlete.today()
    rows = (
        Activity.objects.filter(athlete=athlete)
        .counted()
        .between(EARLIEST, today)
        .values_list("local_date", "load_from")
        .annotate(points=Sum("load"), hard=Count("pk", filter=HARD))
        .order_by("local_date")
    )
    by_way: dict[str, dict[date, float]] = {}
    by_day: dict[date, float] = {}
    last_hard = None
    for day, way, points, hard in rows:
        last_hard = day if hard else last_hard
        by_way.setdefault(way, {})[day] = points
        by_day[day] = by_day.get(day, 0.0) + points
    if not by_day:
        return None
    dates = list(by_day)
    until = today if dates[-1] == today else today - DAY
    loads = np.zeros((until - dates[0]).days + 1)
    loads[[day.toordinal() - dates[0].toordinal() for day in dates]] = list(by_day.values())
    return Days(
        first=dates[0],
        until=until,
        today=today,
        last_active=dates[-1],
        loads=loads,
        fitness=fitness(loads),
        by_way=by_way,
        last_hard=last_hard,
    )


def ahead(days: Days) -> tuple[list[date], Fitness]:
    """Return the next seven days at rest, from tomorrow on, with fitness, fatigue and the form of each morning."""
    rest = np.zeros((days.today - days.until).days + AHEAD_DAYS)
    ctl = exponential(rest, tau_days=CTL_DAYS, start=float(days.fitness.ctl[-1]))
    atl = exponential(rest, tau_days=ATL_DAYS, start=float(days.fitness.atl[-1]))
    mornings = np.concatenate(([float(days.fitness.ctl[-1] - days.fitness.atl[-1])], (ctl - atl)[:-1]))
    last = slice(-AHEAD_DAYS, None)
    dates = [days.today + DAY * (number + 1) for number in range(AHEAD_DAYS)]
    return dates, Fitness(ctl=ctl[last], atl=atl[last], tsb=mornings[last])
