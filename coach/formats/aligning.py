"""Brings the streams of one device to the moments at which another took its samples."""

from collections.abc import Mapping, Sequence

import numpy as np

from coach.formats.recording import Array

STEADY = frozenset({"latitude_deg", "longitude_deg", "altitude_m", "distance_m"})  # between two samples in between
HELD_S = 10.0  # how long a sample speaks for what comes after it
LONGEST_HELD_S = 60.0


def aligned(streams: Mapping[str, Array], *, at_s: Array, shift_s: float, names: Sequence[str]) -> dict[str, Array]:
    """Return the named streams at other moments; `shift_s` is how much later their zero is.

    NaN where they have no sample close enough.
    """
    time_s = streams["time_s"] + shift_s
    usual = float(np.median(np.diff(time_s))) if time_s.size > 1 else 0.0
    held_s = min(max(HELD_S, 2.5 * usual), LONGEST_HELD_S)
    return {name: _at(at_s, time_s, streams[name], held_s=held_s, steady=name in STEADY) for name in names}


def _at(at_s: Array, time_s: Array, values: Array, *, held_s: float, steady: bool) -> Array:
    known = np.isfinite(values)
    times, kept = time_s[known], values[known]
    if times.size == 0 or at_s.size == 0:
        return np.full(at_s.size, np.nan)
    before = np.searchsorted(times, at_s, side="right") - 1
    after = np.minimum(before + 1, times.size - 1)
    source = np.maximum(before, 0)
    exact = (before >= 0) & (times[source] == at_s)
    close = (before >= 0) & (before < times.size - 1) & (times[after] - times[source] <= held_s)
    last = (before == times.size - 1) & (at_s - times[-1] <= 1.0)
    values_at = np.interp(at_s, times, kept) if steady else kept[source]
    result: Array = np.where(exact | close | last, values_at, np.nan)
    return result
