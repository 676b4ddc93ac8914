"""Straightens the clock of a device that was set while it recorded."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from coach.formats.recording import Array

OUT_OF_ORDER_S = 10  # a smaller step back is a row out of place, not a clock that was set
UNLIKELY_GAP_S = 6 * 3600  # nobody leaves a running timer without a sample that long
MOST_STRETCHES = 100  # no clock is set more often
EXCESS_S = 60  # how much longer than the device's own elapsed time the samples may last


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """Turns the device's seconds into seconds since the start, over the moments at which it was set."""

    froms: tuple[float, ...]  # where each stretch of straight time begins and ends, in the device's seconds
    tos: tuple[float, ...]
    shifts: tuple[float, ...]
    jumped_s: float = 0.0  # the time taken out (or, negative, put back in)

    def elapsed(self, raw_s: float) -> float:
        for begin, end, shift in zip(self.froms, self.tos, self.shifts, strict=True):
            if begin <= raw_s <= end:
                return raw_s + shift
        before = [shift for begin, shift in zip(self.froms, self.shifts, strict=True) if begin <= raw_s]
        return raw_s + (before[-1] if before else self.shifts[0])

    def all_elapsed(self, raw_s: Array) -> Array:
        """Return the same for many moments at once."""
        if len(self.shifts) == 1:
            return raw_s + self.shifts[0]
        moments, index = np.unique(raw_s, return_inverse=True)
        found: Array = np.array([self.elapsed(float(moment)) for moment in moments])[index]
        return found


def steady(start_s: float) -> Clock:
    return Clock(froms=(start_s,), tos=(float("inf"),), shifts=(-start_s,))


def straighten(
    raw_s: Array, *, start_s: float, expected_s: float | None, excused: NDArray[np.bool_]
) -> tuple[Array, Clock]:
    """Return seconds since the start for each row of the file, and the clock for its other messages.

    `expected_s` is the elapsed time that the device itself claims, None when it claims none. `excused` is true
    for each gap between rows that a stop of the timer explains.
    """
    if len(raw_s) == 0:
        return raw_s, steady(start_s)
    gaps = np.diff(raw_s)
    usual = float(np.median(gaps[gaps > 0])) if (gaps > 0).any() else 1.0
    straight = np.where(gaps < -OUT_OF_ORDER_S, usual, gaps)
    straight = _without_leaps(straight, first_s=raw_s[0] - start_s, expected_s=expected_s, excused=excused)
    changes = np.flatnonzero(straight != gaps)
    # The shift is summed only over changed gaps, so that untouched times stay exact.
    shift = np.zeros(len(raw_s))
    shift[1:] = np.cumsum(straight - gaps)
    shift -= start_s
    edges = [0, *(changes + 1), len(raw_s)]
    stretches = list(pairwise(edges))[:MOST_STRETCHES]
    clock = Clock(
        froms=tuple(float(raw_s[a]) for a, _ in stretches),
        tos=tuple(float(raw_s[b - 1]) for _, b in stretches),
        shifts=tuple(float(shift[a]) for a, _ in stretches),
        jumped_s=float((gaps - straight).sum()),
    )
    return raw_s + shift, clock


def _without_leaps(gaps: Array, *, first_s: float, expected_s: float | None, excused: NDArray[np.bool_]) -> Array:
    """Shorten the gap by which the clock was set forward."""
    if len(gaps) == 0:
        return gaps
    usual = float(np.median(gaps[gaps > 0])) if (gaps > 0).any() else 1.0
    if expected_s is None:
        return np.where((gaps > UNLIKELY_GAP_S) & ~excused, usual, gaps)
    excess = first_s + float(gaps.sum()) - expected_s
    largest = int(np.argmax(gaps))
    if excess <= EXCESS_S or gaps[largest] < 0.9 * excess:
        return gaps
    result = gaps.copy()
    result[largest] = max(round(gaps[largest] - excess), usual)
    return result
