"""The few array operations that every metric shares."""

import numpy as np

from coach.formats.recording import Array


def measured(values: Array) -> Array:
    """Return the values that were measured, in order: NaN and infinities left out."""
    return values[np.isfinite(values)]


def mean(values: Array) -> float | None:
    """Return the mean of what was measured, None where nothing was."""
    known = measured(values)
    return float(known.mean()) if known.size else None


def rolling_mean(values: Array, *, window: int) -> Array:
    """Return the means of all full windows: none when there are fewer values than the window is wide."""
    if window < 1 or values.size < window:
        return np.empty(0)
    sums = np.concatenate(([0.0], np.cumsum(values)))
    means: Array = (sums[window:] - sums[:-window]) / window
    return means


def smoothed(values: Array, *, window: int) -> Array:
    """Return the centred moving average, of the same length; windows are cut at both ends."""
    if values.size == 0 or window <= 1:
        return values.copy()
    reach = window // 2
    sums = np.concatenate(([0.0], np.cumsum(values)))
    index = np.arange(values.size)
    first = np.maximum(index - reach, 0)
    last = np.minimum(index + reach + 1, values.size)
    means: Array = (sums[last] - sums[first]) / (last - first)
    return means
