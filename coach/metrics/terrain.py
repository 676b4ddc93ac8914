"""Climbing, grade, and what speed uphill or downhill is worth on the flat."""

import numpy as np

from coach.formats.recording import Array
from coach.metrics.arrays import smoothed

BAROMETRIC_HYSTERESIS_M = 2.0
SATELLITE_HYSTERESIS_M = 3.0
SATELLITE_SMOOTHING_SECONDS = 31
STEEPEST = 0.45
STEP_M = 5.0
MOST_STEPS = 200_000
GRADE_M = 30.0
# Altitude is averaged over this distance before a grade is taken: satellite altitude wanders by metres.
BAROMETRIC_SMOOTHING_M = 30.0
SATELLITE_SMOOTHING_M = 90.0


def climbed_m(altitude_m: Array, *, hysteresis_m: float) -> tuple[float, float]:
    """Return (ascent, descent) in metres: the reference moves when altitude leaves it by more than this."""
    ascent = descent = 0.0
    heights = altitude_m[np.isfinite(altitude_m)].tolist()
    reference = heights[0] if heights else 0.0
    for height in heights:
        difference = height - reference
        if abs(difference) > hysteresis_m:
            ascent += max(difference, 0.0)
            descent += max(-difference, 0.0)
            reference = height
    return ascent, descent


def ascent_m(altitude_m: Array, *, barometric: bool) -> tuple[float, float] | None:
    """Return (ascent, descent): hysteresis 2 m where barometric, else 3 m after 30 s of smoothing."""
    known = altitude_m[np.isfinite(altitude_m)]
    if known.size < 2:
        return None
    if barometric:
        return climbed_m(known, hysteresis_m=BAROMETRIC_HYSTERESIS_M)
    even = smoothed(known, window=SATELLITE_SMOOTHING_SECONDS)
    return climbed_m(even, hysteresis_m=SATELLITE_HYSTERESIS_M)


def cost_factor(grade: Array) -> Array:
    """Return C(i)/C(0), the cost of running at grade i (rise over run) against the flat; i within ±.45.

    Source: Minetti 2002, J Appl Physiol 93:1039.
    """
    i = np.clip(grade, -STEEPEST, STEEPEST)
    cost: Array = 155.4 * i**5 - 30.4 * i**4 - 43.3 * i**3 + 46.3 * i**2 + 19.5 * i + 3.6
    return cost / 3.6


def grades(distance_m: Array, altitude_m: Array, *, barometric: bool) -> Array:
    """Return the grade at each entry, over 30 m of smoothed altitude; 0 where it cannot be known.

    `distance_m` is cumulative and in the order of `altitude_m`.
    """
    result = np.zeros(distance_m.size)
    known = np.isfinite(distance_m) & np.isfinite(altitude_m)
    covered, heights = first_of_each(np.maximum.accumulate(distance_m[known]), altitude_m[known])
    if covered.size < 2 or covered[-1] - covered[0] < GRADE_M:
        return result
    step = max(STEP_M, float(covered[-1] - covered[0]) / MOST_STEPS)
    axis = np.arange(covered[0], covered[-1], step)
    width = BAROMETRIC_SMOOTHING_M if barometric else SATELLITE_SMOOTHING_M
    even = smoothed(np.interp(axis, covered, heights), window=int(width / step) | 1)
    before, after = np.maximum(axis - GRADE_M / 2, axis[0]), np.minimum(axis + GRADE_M / 2, axis[-1])
    rise = np.interp(after, axis, even) - np.interp(before, axis, even)
    slope = np.divide(rise, after - before, out=np.zeros(axis.size), where=after > before)
    result[known] = np.interp(distance_m[known], axis, slope)
    return result


def first_of_each(covered: Array, heights: Array) -> tuple[Array, Array]:
    """Leave out standing still: interpolation needs distances that grow."""
    grows = np.concatenate(([True], np.diff(covered) > 0))[: covered.size]
    return covered[grows], heights[grows]


def graded_speed_mps(speed_mps: Array, grade: Array) -> Array:
    """Return the speed on the flat that costs as much: v·C(i)/C(0). Source: Minetti 2002."""
    return speed_mps * cost_factor(grade)


def mean_cost_factor(distance_m: Array, grade: Array) -> float | None:
    """Return the cost factor averaged over the distance covered; None where nothing was covered."""
    known = np.isfinite(distance_m)
    covered = np.diff(np.maximum.accumulate(distance_m[known]))
    total = float(covered.sum())
    return float((covered * cost_factor(grade[known][1:])).sum() / total) if total > 0 else None
