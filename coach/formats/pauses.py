"""Finds when the timer stood still."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from coach.formats.recording import Array, Pause

SHORTEST_S = 5  # what the timer and the clock may differ by without a pause
BREAK_S = 10  # a shorter gap between two segments is the recorder at work
SILENCE_S = 900  # within a segment: smart recording leaves minutes out, never a quarter of an hour


def from_events(events: Iterable[tuple[float, bool]], *, elapsed_s: float) -> tuple[Pause, ...]:
    """Return the pauses between stops and starts; each event is when it was and whether the timer ran after it.

    A stop that no start follows ends the recording: it is no pause.
    """
    pauses: list[Pause] = []
    stopped_s: float | None = None
    for at_s, runs in sorted(events, key=lambda event: event[0]):
        if not runs:
            stopped_s = at_s if stopped_s is None else stopped_s
        elif stopped_s is not None:
            start_s, end_s = max(stopped_s, 0.0), min(at_s, elapsed_s)
            if end_s > start_s:
                pauses.append(Pause(start_s=start_s, duration_s=end_s - start_s))
            stopped_s = None
    return tuple(pauses)


def from_gaps(time_s: Array, *, missing_s: float) -> tuple[Pause, ...]:
    """Return the longest gaps between samples as pauses, until they make up the time that the timer lacks."""
    if len(time_s) < 2:
        return ()
    gaps = np.diff(time_s)
    usual = float(np.median(gaps))
    pauses: list[Pause] = []
    for index in np.argsort(-gaps, kind="stable"):
        if missing_s < SHORTEST_S or gaps[index] < max(SHORTEST_S, 2 * usual):
            break
        duration_s = float(min(gaps[index], missing_s))
        pauses.append(Pause(start_s=float(time_s[index]), duration_s=duration_s))
        missing_s -= duration_s
    return tuple(sorted(pauses, key=lambda pause: pause.start_s))


def from_breaks(time_s: Array, *, breaks: NDArray[np.bool_]) -> tuple[Pause, ...]:
    """Return the gaps in which nobody recorded: between segments, or a quarter of an hour within one."""
    gaps = np.diff(time_s)
    silent = (gaps >= SILENCE_S) | (breaks[1:] & (gaps >= BREAK_S))
    return tuple(Pause(start_s=float(time_s[index]), duration_s=float(gaps[index])) for index in np.flatnonzero(silent))
