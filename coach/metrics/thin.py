"""Thins streams to what a screen can show without losing a peak."""

from collections.abc import Sequence

import numpy as np

from coach.formats.recording import Array

MOST_POINTS = 220
LONGEST_STEP_S = 1.5  # the grid has a sample a second; what lies further apart is a pause


def thinned(
    time_s: Array, streams: Sequence[Array], *, most: int = MOST_POINTS
) -> tuple[list[float], list[list[float | None]]]:
    """Return at most so many times and, for each stream, its values at them; None where nothing was measured.

    Longer recordings are cut into equal spans of elapsed time. Each span keeps the lowest and the highest value of
    every stream, in the order in which they came.
    """
    if time_s.size <= most:
        return unbridged(time_s, streams)
    edges = np.linspace(time_s[0], time_s[-1], most // 2 + 1)
    width = edges[1] - edges[0]
    times = np.column_stack((edges[:-1], edges[:-1] + width / 2)).ravel()
    bounds = np.searchsorted(time_s, edges[:-1], side="left")
    return times.round(2).tolist(), [known(extremes(values, bounds=bounds)) for values in streams]


def unbridged(time_s: Array, streams: Sequence[Array]) -> tuple[list[float], list[list[float | None]]]:
    """Return every sample, with one of nothing in each pause, so that no line leads across it."""
    breaks = np.flatnonzero(np.diff(time_s) > LONGEST_STEP_S)
    times = np.insert(time_s, breaks + 1, time_s[breaks] + 1)
    return times.round(2).tolist(), [known(np.insert(values, breaks + 1, np.nan)) for values in streams]


def extremes(values: Array, *, bounds: Sequence[int] | np.ndarray) -> Array:
    """Return two values a span: its lowest and highest, the earlier of them first."""
    result = np.full((len(bounds), 2), np.nan)
    for row, span in enumerate(np.split(values, bounds[1:])):
        measured = np.flatnonzero(np.isfinite(span))
        if measured.size:
            places = sorted((measured[span[measured].argmin()], measured[span[measured].argmax()]))
            result[row] = span[places]
    flat: Array = result.ravel()
    return flat


def known(values: Array) -> list[float | None]:
    """Return six digits of each value, which is more than any screen shows; None for what was not measured."""
    return [float(f"{value:.6g}") if np.isfinite(value) else None for value in values.tolist()]
