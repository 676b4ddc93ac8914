"""The athlete's weigh-ins, the trend behind them, and how fast it moves."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np

from coach import preferred
from coach.formats.recording import Array
from coach.metrics.body import SLOPE_DAYS, Slope, slope, trend_kg
from coach.models import Athlete, Threshold

READ_DAYS = 540
FRESH_DAYS = 90  # a trend that ended longer ago is none
DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    today: date
    provider: str
    days: tuple[date, ...]  # of the weigh-ins, oldest first
    raw_kg: Array
    trend_kg: Array

    @property
    def is_fresh(self) -> bool:
        return bool(self.days) and (self.today - self.days[-1]).days < FRESH_DAYS

    @property
    def of_slope(self) -> int:
        """Return how many weigh-ins lie in the days that the slope is fitted to."""
        return sum(day > self.today - DAY * SLOPE_DAYS for day in self.days)

    def slope(self) -> Slope | None:
        numbers = np.array([day.toordinal() for day in self.days[-self.of_slope :]], dtype=float)
        return slope(numbers, self.raw_kg[-self.of_slope :]) if self.of_slope else None


def scale_of(athlete: Athlete) -> Scale:
    """Read a year and a half of weights; one query. What lies before it has no part in today's trend."""
    today = athlete.today()
    series = preferred.weights(athlete, since=today - DAY * (READ_DAYS - 1), until=today)
    values: Mapping[date, float] = series.values if series else {}
    raw = np.array(list(values.values()), dtype=float)
    numbers = np.array([day.toordinal() for day in values], dtype=float)
    return Scale(
        today=today,
        provider=series.provider if series else "",
        days=tuple(values),
        raw_kg=raw,
        trend_kg=trend_kg(numbers, raw),
    )


def ftp_of(athlete: Athlete, day: date) -> Threshold | None:
    return athlete.thresholds.valid_on(day).filter(kind=Threshold.Kind.FTP).first()
