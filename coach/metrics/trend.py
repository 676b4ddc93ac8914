"""A straight line through points, with the interval that says how much of it is noise."""

from dataclasses import dataclass

import numpy as np

from coach.formats.recording import Array
from coach.metrics.body import slope, student_t95

FEWEST = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """Change a day with half the width of its 95 % interval; `centre` and `level` are the middle of the points."""

    per_day: float
    margin: float
    points: int
    centre: float
    level: float
    error: float  # half the width of the 95 % interval of the level

    @property
    def is_clear(self) -> bool:
        """Say whether the interval of the slope leaves zero out."""
        return abs(self.per_day) > self.margin

    def at(self, day: float) -> float:
        return self.level + self.per_day * (day - self.centre)

    def half_width(self, day: float) -> float:
        """Return half the width of the 95 % interval of the line itself on a day."""
        return float(np.hypot(self.error, self.margin * (day - self.centre)))


def line(days: Array, values: Array, *, fewest: int = FEWEST) -> Line | None:
    """Fit a line by least squares; None with fewer points than that, or when all are of one day."""
    known = np.isfinite(values)
    found = slope(days, values, least_points=fewest)
    if found is None:
        return None
    x, y = days[known].astype(float), values[known]
    left = y - y.mean() - found.per_day * (x - x.mean())
    spread = float(np.sqrt(np.sum(left**2) / (x.size - 2) / x.size))
    return Line(
        per_day=found.per_day,
        margin=found.margin,
        points=found.points,
        centre=float(x.mean()),
        level=float(y.mean()),
        error=student_t95(x.size - 2) * spread,
    )
