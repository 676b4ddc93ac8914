"""Masks values that no body and no place can have, and counts them."""

from collections.abc import Mapping

import numpy as np

from coach.formats.recording import Array

# What a stream may hold; outside of it a value counts as not measured.
PLAUSIBLE: Mapping[str, tuple[float, float]] = {
    "heart_rate_bpm": (25.0, 250.0),
    "power_w": (0.0, 2000.0),
    "cadence_rpm": (0.0, 250.0),
    "altitude_m": (-450.0, 9000.0),
    "speed_mps": (0.0, 60.0),
    "latitude_deg": (-90.0, 90.0),
    "longitude_deg": (-180.0, 180.0),
    "temperature_c": (-60.0, 70.0),
}

# A stream of zeros throughout means that the sensor was not there.
MEANT_TO_MOVE = frozenset({"heart_rate_bpm", "distance_m", "speed_mps", "power_w", "cadence_rpm"})


def masked(values: Array, *, least: float, most: float) -> tuple[Array, int]:
    """Return the values with everything outside of [least, most] as NaN, and how many those were."""
    with np.errstate(invalid="ignore"):
        outside = np.isfinite(values) & ((values < least) | (values > most))
    return np.where(outside, np.nan, values), int(outside.sum())


def plausible(streams: Mapping[str, Array]) -> tuple[dict[str, Array], dict[str, int]]:
    """Return the streams without implausible values, and the number masked in each that had any.

    A stream of zeros throughout is left out.
    """
    kept: dict[str, Array] = {}
    counts: dict[str, int] = {}
    for name, values in streams.items():
        if name in MEANT_TO_MOVE and not np.nan_to_num(values).any():
            continue
        least, most = PLAUSIBLE.get(name, (-np.inf, np.inf))
        kept[name], dropped = masked(values, least=least, most=most)
        if name == "heart_rate_bpm":  # a strap that loses contact writes 0: missing, not doubtful
            dropped -= int((values == 0).sum())
        if dropped:
            counts[name] = dropped
    return kept, counts
