"""Training impulse from heart rate, sample by sample."""

import math
from typing import Final

import numpy as np

from coach.formats.recording import Array
from coach.metrics.arrays import measured

# Banister's weights: factor and exponent. Where the sex is not said the men's are used, and said to be.
WEIGHTS: Final = {"m": (0.64, 1.92), "f": (0.86, 1.67), "": (0.64, 1.92)}
EDWARDS_BOUNDS = (0.5, 0.6, 0.7, 0.8, 0.9)


def trimp(heart_rate_bpm: Array, *, rest_bpm: float, max_bpm: float, sex: str = "") -> float | None:
    """Return the sum over seconds of min·x·a·e^(b·x), x the share of heart rate reserve, held inside 0 to 1.

    Not from a session's mean, which understates intervals; only `summary` does that, where nothing else is known.
    None without samples or without a reserve.
    Source: Banister 1991; Morton, Fitz-Clarke & Banister 1990.
    """
    known = measured(heart_rate_bpm)
    if not known.size or max_bpm <= rest_bpm:
        return None
    factor, exponent = WEIGHTS.get(sex, WEIGHTS[""])
    reserve = np.clip((known - rest_bpm) / (max_bpm - rest_bpm), 0.0, 1.0)
    return float(np.sum(reserve * factor * np.exp(exponent * reserve)) / 60)


def threshold_trimp(lthr_bpm: float, *, rest_bpm: float, max_bpm: float, sex: str = "") -> float | None:
    """Return the TRIMP of 60 minutes at threshold heart rate."""
    if not rest_bpm < lthr_bpm or max_bpm <= rest_bpm:
        return None
    factor, exponent = WEIGHTS.get(sex, WEIGHTS[""])
    reserve = min((lthr_bpm - rest_bpm) / (max_bpm - rest_bpm), 1.0)
    return 60 * reserve * factor * math.exp(exponent * reserve)


def heart_stress_score(
    heart_rate_bpm: Array, *, lthr_bpm: float, rest_bpm: float, max_bpm: float, sex: str = ""
) -> float | None:
    """Return 100·TRIMP/TRIMP(60 min at LTHR) points. Source: GoldenCheetah's TRIMP(100) scaling."""
    done = trimp(heart_rate_bpm, rest_bpm=rest_bpm, max_bpm=max_bpm, sex=sex)
    hour = threshold_trimp(lthr_bpm, rest_bpm=rest_bpm, max_bpm=max_bpm, sex=sex)
    return None if done is None or not hour else 100 * done / hour


def edwards(heart_rate_bpm: Array, *, max_bpm: float) -> float | None:
    """Return minutes in 50-60-70-80-90-100 % of maximum, weighted 1 to 5. Source: Edwards 1993."""
    known = measured(heart_rate_bpm)
    if not known.size or max_bpm <= 0:
        return None
    weights = np.searchsorted(np.array(EDWARDS_BOUNDS) * max_bpm, known, side="right")
    return float(weights.sum() / 60)
