"""Best efforts of a session, and the critical power behind them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from coach.formats.recording import Array
from coach.metrics.arrays import measured, rolling_mean

CRITICAL_SECONDS = (120.0, 1200.0)


def best_powers_w(power_w: Array, *, durations_s: Sequence[int]) -> dict[int, float]:
    """Return the highest mean power (W) for each duration that fits, in timer time at 1 Hz."""
    known = measured(power_w)
    means = {seconds: rolling_mean(known, window=seconds) for seconds in durations_s}
    return {seconds: float(values.max()) for seconds, values in means.items() if values.size}


@dataclass(frozen=True, slots=True, kw_only=True)
class CriticalPower:
    cp_w: float
    w_prime_j: float


def critical_power(bests_w: Mapping[float, float], *, least_points: int = 3) -> CriticalPower | None:
    """Fit work = W′ + CP·t over best efforts of 2 to 20 minutes; None with too few or a senseless fit.

    Source: Monod & Scherrer 1965; Skiba 2012.
    """
    shortest, longest = CRITICAL_SECONDS
    points = [(seconds, seconds * watts) for seconds, watts in bests_w.items() if shortest <= seconds <= longest]
    if len(points) < max(least_points, 2):
        return None
    seconds, work = np.array(points).T
    slope, start = np.polyfit(seconds, work, 1)
    if slope <= 0 or start <= 0:
        return None
    return CriticalPower(cp_w=float(slope), w_prime_j=float(start))
