"""Weight: the trend behind the weigh-ins, and how fast it moves."""

from dataclasses import dataclass

import numpy as np

from coach.formats.recording import Array

SMOOTHING = 0.1
SLOPE_DAYS = 28
LEAST_POINTS = 4
# Two-sided 95 % of Student's t by degrees of freedom; beyond the table the normal value is close enough.
T95 = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131)
T95_LATER = ((20, 2.086), (30, 2.042), (60, 2.000))


def trend_kg(days: Array, weights_kg: Array) -> Array:
    """Return the trend after each weigh-in: T + 0.1·(W − T), after a gap of k days T + (1 − 0.9ᵏ)·(W − T).

    `days` are whole days, rising. Source: Walker, The Hacker's Diet.
    """
    values = np.empty(weights_kg.size)
    level = float(weights_kg[0]) if weights_kg.size else 0.0
    for place, weight in enumerate(weights_kg):
        gap = float(days[place] - days[place - 1]) if place else 0.0
        level += (1 - (1 - SMOOTHING) ** gap) * (float(weight) - level)
        values[place] = level
    return values


@dataclass(frozen=True, slots=True, kw_only=True)
class Slope:
    """A straight line through points: change a day, with half the width of its 95 % interval."""

    per_day: float
    margin: float
    points: int

    @property
    def is_clear(self) -> bool:
        """Say whether the interval leaves zero out."""
        return abs(self.per_day) > self.margin


def slope(days: Array, values: Array, *, least_points: int = LEAST_POINTS) -> Slope | None:
    """Fit a line by least squares; None with too few points, or when all are of one day."""
    known = np.isfinite(values)
    x, y = days[known].astype(float), values[known]
    if x.size < max(least_points, 3) or np.ptp(x) == 0:
        return None
    centred = x - x.mean()
    spread = float(np.sum(centred**2))
    rate = float(np.sum(centred * y)) / spread
    left = y - y.mean() - rate * centred
    error = float(np.sqrt(np.sum(left**2) / (x.size - 2) / spread))
    return Slope(per_day=rate, margin=student_t95(x.size - 2) * error, points=int(x.size))


def student_t95(freedom: int) -> float:
    """Return the two-sided 95 % quantile of Student's t."""
    if freedom <= len(T95):
        return T95[max(freedom, 1) - 1]
    return next((value for most, value in T95_LATER if freedom <= most), 1.960)
