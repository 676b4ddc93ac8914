"""Brings the samples of a recording onto one value a second of timer time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coach.formats.recording import Array, Pause

HOLD_SECONDS = 10.0
LONGEST_HOLD_SECONDS = 60.0
# These change steadily between two samples; what the body does is held instead.
STEADY = frozenset({"latitude_deg", "longitude_deg", "altitude_m", "distance_m"})
ROUNDING = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """Timer time, one entry a second; `time_s` is the elapsed second since the start of each entry."""

    time_s: Array
    streams: Mapping[str, Array]

    def __getitem__(self, name: str) -> Array:
        """Return the stream; all NaN where the recording has none of that name."""
        found = self.streams.get(name)
        return np.full(self.time_s.size, np.nan) if found is None else found

    def has(self, name: str) -> bool:
        return name in self.streams and bool(np.isfinite(self.streams[name]).any())


def resample(streams: Mapping[str, Array], *, pauses: Sequence[Pause] = (), hold_s: float = HOLD_SECONDS) -> Grid:
    """Put every stream on a grid of 1 Hz inside the timer-on intervals.

    Gaps of up to `hold_s` between two samples are filled: what the body does is held, positions are
    interpolated. Pauses and longer gaps are left out and the rest is joined, as the devices' averages do.
    """
    time = streams.get("time_s", np.empty(0))
    axis = running_seconds(time, hold_s=hold_s)
    axis = axis[~paused(axis, pauses)]
    filled = {
        name: fill(axis, time, values, hold_s=hold_s, steady=name in STEADY)
        for name, values in streams.items()
        if name != "time_s"
    }
    return Grid(time_s=axis, streams=filled)


def running_seconds(time_s: Array, *, hold_s: float) -> Array:
    """Return the elapsed seconds that samples cover; a clock that jumps costs no memory."""
    if time_s.size == 0:
        return np.empty(0)
    breaks = np.flatnonzero(np.diff(time_s) > hold_s)
    first = np.concatenate(([0], breaks + 1))
    last = np.concatenate((breaks, [time_s.size - 1]))
    counts = np.floor(time_s[last] - time_s[first] + ROUNDING).astype(np.int64) + 1
    within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    axis: Array = np.repeat(time_s[first], counts) + within
    return axis


def paused(axis: Array, pauses: Sequence[Pause]) -> NDArray[np.bool_]:
    """Say for each second whether the timer was off."""
    spans = sorted((pause.start_s, pause.start_s + pause.duration_s) for pause in pauses if pause.duration_s > 0)
    if not spans:
        return np.zeros(axis.size, dtype=np.bool_)
    starts = np.array([start for start, _ in spans])
    ends = np.maximum.accumulate(np.array([end for _, end in spans]))
    index = np.searchsorted(starts, axis, side="right") - 1
    off: NDArray[np.bool_] = (index >= 0) & (axis < ends[np.maximum(index, 0)])
    return off


def fill(axis: Array, time_s: Array, values: Array, *, hold_s: float, steady: bool) -> Array:
    """Return the stream's value at each second of the axis, NaN where the last measured one is too old."""
    known = np.isfinite(values)
    times, kept = time_s[known], values[known]
    if times.size == 0 or axis.size == 0:
        return np.full(axis.size, np.nan)
    gaps = np.append(np.diff(times), 1.0)
    reach = np.where(gaps <= hold_s, gaps, 1.0)
    index = np.searchsorted(times, axis + ROUNDING, side="right") - 1
    source = np.maximum(index, 0)
    fresh = (index >= 0) & (axis - times[source] < np.maximum(reach[source], 1.0) - ROUNDING)
    filled = np.interp(axis, times, kept) if steady else kept[source]
    result: Array = np.where(fresh, filled, np.nan)
    return result


def hold_for(time_s: Array) -> float:
    """Return how long values are held: 10 s, and longer where samples usually lie further apart than 5 s."""
    usual = float(np.median(np.diff(time_s))) if time_s.size > 1 else 0.0
    return min(2.5 * usual, LONGEST_HOLD_SECONDS) if usual > HOLD_SECONDS / 2 else HOLD_SECONDS
