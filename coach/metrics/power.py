"""Normalized power and what follows from it."""

import numpy as np

from coach.formats.recording import Array
from coach.metrics.arrays import measured, rolling_mean

WINDOW_SECONDS = 30
SHORTEST_SECONDS = 600
LONGEST_COASTING_SECONDS = 120


def normalized(values: Array) -> float | None:
    """Return the fourth root of the mean fourth power of the 30 s rolling mean of values a second apart.

    Full windows only, zeros count, unmeasured seconds are left out; None when nothing fills a window.
    Source: Coggan 2003; Allen & Coggan, Training and Racing with a Power Meter.
    """
    means = rolling_mean(measured(values), window=WINDOW_SECONDS)
    return float(np.mean(means**4) ** 0.25) if means.size else None


def with_coasting(power_w: Array) -> Array:
    """Return power at 1 Hz with silences of up to 2 minutes as 0: meters fall silent when nobody pedals.

    A longer silence is a lost sensor and stays unmeasured, and so does a stream that measured nothing.
    """
    silent = ~np.isfinite(power_w)
    if silent.all():
        return power_w
    edges = np.flatnonzero(np.diff(np.concatenate(([0], silent.astype(np.int8), [0]))))
    filled = power_w.copy()
    for first, last in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        if last - first <= LONGEST_COASTING_SECONDS:
            filled[first:last] = 0.0
    return filled


def normalized_power_w(power_w: Array) -> float | None:
    """Return normalized power (W) of power at 1 Hz; None below 10 minutes, where it means nothing."""
    return normalized(power_w) if measured(power_w).size >= SHORTEST_SECONDS else None


def intensity_factor(effort: float, *, threshold: float) -> float | None:
    """Return effort / threshold, both in W or both in m/s. Source: Coggan 2003."""
    return effort / threshold if threshold > 0 else None


def stress_score(effort: float, *, threshold: float, seconds: float) -> float | None:
    """Return s·E·IF/(threshold·3600)·100 points, where IF = E/threshold: 100 is an hour at threshold.

    TSS with normalized power and FTP in W (Coggan 2003); rTSS with graded and threshold speed in m/s
    (TrainingPeaks).
    """
    factor = intensity_factor(effort, threshold=threshold)
    return None if factor is None else seconds * effort * factor / (threshold * 3600) * 100


def variability_index(normalized_w: float, *, average_w: float) -> float | None:
    """Return NP / average power: 1.00 is perfectly even. Source: Coggan."""
    return normalized_w / average_w if average_w > 0 else None


def efficiency_factor(effort: float, *, heart_rate_bpm: float) -> float | None:
    """Return NP in W, or graded speed in m/min, over average heart rate in bpm. Source: Friel."""
    return effort / heart_rate_bpm if heart_rate_bpm > 0 else None
