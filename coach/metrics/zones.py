"""Zones of heart rate, power and pace, the time spent in them, and how it splits into easy, moderate and hard."""

import math
from collections.abc import Sequence

import numpy as np

from coach.formats.recording import Array
from coach.metrics.arrays import measured

KARVONEN_SHARES = (0.5, 0.6, 0.7, 0.8, 0.9)
FRIEL_RUN_SHARES = (0.85, 0.90, 0.95, 1.00, 1.03, 1.06)
FRIEL_BIKE_SHARES = (0.81, 0.90, 0.94, 1.00, 1.03, 1.06)
COGGAN_SHARES = (0.55, 0.75, 0.90, 1.05, 1.20, 1.50)
FRIEL_PACE_SHARES = (1.29, 1.14, 1.06, 1.01, 0.97, 0.90)  # of the seconds a kilometre takes at threshold
# How many of the lowest zones are easy, and how many of the next moderate, by the number of entries.
KARVONEN_ENTRIES = 6


def karvonen_bounds_bpm(*, rest_bpm: float, max_bpm: float) -> tuple[float, ...]:
    """Return the lower bounds of five zones: rest + p·(max−rest) from 50 %. Source: Karvonen 1957."""
    return tuple(rest_bpm + share * (max_bpm - rest_bpm) for share in KARVONEN_SHARES)


def friel_bounds_bpm(lthr_bpm: float, *, cycling: bool = False) -> tuple[float, ...]:
    """Return the six bounds between zones 1, 2, 3, 4, 5a, 5b and 5c as shares of LTHR. Source: Friel."""
    return tuple(share * lthr_bpm for share in (FRIEL_BIKE_SHARES if cycling else FRIEL_RUN_SHARES))


def coggan_bounds_w(ftp_w: float) -> tuple[float, ...]:
    """Return the six bounds between the seven power zones. Source: Allen & Coggan."""
    return tuple(share * ftp_w for share in COGGAN_SHARES)


def friel_bounds_mps(threshold_mps: float) -> tuple[float, ...]:
    """Return the six bounds between zones 1, 2, 3, 4, 5a, 5b and 5c as speeds, from shares of threshold pace.

    Source: Friel.
    """
    return tuple(threshold_mps / share for share in FRIEL_PACE_SHARES)


def seconds_in(values: Array, *, bounds: Sequence[float]) -> list[int]:
    """Return the seconds below the first bound, between each two, and from the last on; values at 1 Hz.

    A value on a bound belongs to the zone above it.
    """
    index = np.searchsorted(np.array(bounds), measured(values), side="right")
    return [int(count) for count in np.bincount(index, minlength=len(bounds) + 1)]


def split_seconds(seconds: Sequence[float]) -> tuple[float, float, float]:
    """Return seconds below LT1, between, and above LT2 from the seconds in zones as `seconds_in` gives them.

    Seven entries (Friel, Coggan): zones 1-2, 3-4, 5 and up. Six entries (Karvonen, the first below 50 % of
    reserve): up to 70 %, 70 to 90 %, above 90 %. Source: Seiler 2010 for the three parts.
    """
    easy = 3 if len(seconds) == KARVONEN_ENTRIES else 2
    return sum(seconds[:easy]), sum(seconds[easy : easy + 2]), sum(seconds[easy + 2 :])


def polarization_index(*, easy: float, moderate: float, hard: float) -> float | None:
    """Return log₁₀(z1/z2·z3·100) of shares; above 2 is polarised; None where one is 0. Source: Treff 2019."""
    if min(easy, moderate, hard) <= 0:
        return None
    return math.log10(easy / moderate * hard * 100)
