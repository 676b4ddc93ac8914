"""The athlete's load on every calendar day, and what follows from it for today."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import numpy as np
from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import Count, Max, Min, Q, Subquery
from numpy.typing import NDArray

from coach.formats.recording import Array
from coach.metrics.fitness import ATL_DAYS, CTL_DAYS, Fitness, exponential, fitness
from coach.metrics.load import NO_FTP, NO_HEART_RATE, NO_PACE
from coach.models import Activity, Athlete, TrainingDay
from coach.scopes.calendar import EARLIEST
from coach.scopes.load.hard import HARD
from coach.scopes.load.terms import AWAY_DAYS, SHARE_DAYS

AHEAD_DAYS = 7
DAY = timedelta(days=1)
UNSCORED = Q(flags__contains=[NO_FTP]) | Q(flags__contains=[NO_PACE]) | Q(flags__contains=[NO_HEART_RATE])
WAYS = tuple(map(str, Activity.LoadFrom.values))
Ordinals = NDArray[np.int64]


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
    by_way: Mapping[str, tuple[Ordinals, Array]]  # the days with points of each way, and those points
    last_hard: date | None
    guessed: int  # sessions of the days whose share is told that have an estimate because a threshold is missing

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
        if way not in self.by_way:
            return 0.0
        days, points = self.by_way[way]
        return float(points[days >= since.toordinal()].sum())


def days_of(athlete: Athlete) -> Days | None:
    """Read every day's load in one query of one row; None when there is no activity up to today."""
    today = athlete.today()
    hard = Activity.objects.filter(HARD, athlete=athlete).counted().between(EARLIEST, today).order_by("-local_date")
    lately = Activity.objects.filter(athlete=athlete).counted().between(today - DAY * (SHARE_DAYS - 1), today)
    guessed = lately.filter(UNSCORED, load_from=Activity.LoadFrom.ESTIMATE).order_by().values("athlete")
    rows = TrainingDay.objects.filter(athlete=athlete).between(EARLIEST, today).order_by("athlete").values("athlete")
    row = rows.annotate(
        first=Min("local_date"),
        last=Max("local_date"),
        last_hard=Subquery(hard.values("local_date")[:1]),
        guessed=Subquery(guessed.values(n=Count("pk"))),
        **{f"{way}_days": ArrayAgg("local_date", filter=with_points(way)) for way in WAYS},
        **{f"{way}_points": ArrayAgg(f"load_{way}", filter=with_points(way)) for way in WAYS},
    ).first()
    if row is None:
        return None
    found: dict[str, Any] = dict(row)
    first, last = found["first"], found["last"]
    until = today if last == today else today - DAY
    by_way = {
        way: (np.array([day.toordinal() for day in days]), np.array(found[f"{way}_points"]))
        for way in WAYS
        if (days := found[f"{way}_days"])
    }
    loads = np.zeros((until - first).days + 1)
    for days, points in by_way.values():
        loads[days - first.toordinal()] += points
    return Days(
        first=first,
        until=until,
        today=today,
        last_active=last,
        loads=loads,
        fitness=fitness(loads),
        by_way=by_way,
        last_hard=found["last_hard"],
        guessed=found["guessed"] or 0,
    )


def with_points(way: str) -> Q:
    return Q(**{f"load_{way}__gt": 0})


def ahead(days: Days) -> tuple[list[date], Fitness]:
    """Return the next seven days at rest, from tomorrow on, with fitness, fatigue and the form of each morning."""
    rest = np.zeros((days.today - days.until).days + AHEAD_DAYS)
    ctl = exponential(rest, tau_days=CTL_DAYS, start=float(days.fitness.ctl[-1]))
    atl = exponential(rest, tau_days=ATL_DAYS, start=float(days.fitness.atl[-1]))
    mornings = np.concatenate(([float(days.fitness.ctl[-1] - days.fitness.atl[-1])], (ctl - atl)[:-1]))
    last = slice(-AHEAD_DAYS, None)
    dates = [days.today + DAY * (number + 1) for number in range(AHEAD_DAYS)]
    return dates, Fitness(ctl=ctl[last], atl=atl[last], tsb=mornings[last])
