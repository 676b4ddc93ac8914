"""Finds the fastest stretch of a session over a distance, and says what makes it no record."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coach.formats.recording import Array
from coach.metrics.arrays import smoothed

ALTITUDE_WINDOW = 31  # samples: satellite altitude wanders by metres
Places = NDArray[np.int64]
Verdicts = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    seconds: float
    doubt: str = ""  # "jump", "downhill"


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """Where somebody was at each moment: distances that grow, when each was reached and when it was left."""

    covered_m: Array
    reached_s: Array
    left_s: Array
    jumps: Places  # how many steps before each place were faster than the sport allows
    altitude_m: Array  # NaN throughout where nothing is known of it

    def arrivals_s(self, at_m: Array) -> Array:
        """Return when each of these distances was reached; they lie above the first."""
        after = np.searchsorted(self.covered_m, at_m, side="left")
        return self._between(at_m, before=after - 1)

    def departures_s(self, at_m: Array) -> Array:
        """Return when each of these distances was left; they lie below the last."""
        return self._between(at_m, before=np.searchsorted(self.covered_m, at_m, side="right") - 1)

    def _between(self, at_m: Array, *, before: Places) -> Array:
        start, end = self.covered_m[before], self.covered_m[before + 1]
        share = (at_m - start) / (end - start)
        moments: Array = self.left_s[before] + share * (self.reached_s[before + 1] - self.left_s[before])
        return moments

    def jumped(self, start_m: Array, end_m: Array) -> Verdicts:
        """Say of each stretch whether a step in it was faster than the sport allows."""
        first = np.searchsorted(self.covered_m, start_m, side="right") - 1
        last = np.searchsorted(self.covered_m, end_m, side="left")
        found: Verdicts = self.jumps[last] > self.jumps[first]
        return found

    def fell(self, start_m: Array, end_m: Array, *, steepest: float) -> Verdicts:
        """Say of each stretch whether its net grade is steeper down than this; no where altitude is not known."""
        drop = np.interp(end_m, self.covered_m, self.altitude_m) - np.interp(start_m, self.covered_m, self.altitude_m)
        with np.errstate(invalid="ignore"):
            found: Verdicts = drop / (end_m - start_m) < steepest
        return found


def way_of(time_s: Array, distance_m: Array, altitude_m: Array | None, *, fastest_mps: float) -> Way | None:
    """Return the way of a recording; None where nothing was covered."""
    known = np.isfinite(distance_m) & np.isfinite(time_s)
    times, covered = time_s[known], np.maximum.accumulate(distance_m[known])
    if covered.size < 2 or covered[-1] <= covered[0]:
        return None
    first = np.flatnonzero(np.concatenate(([True], np.diff(covered) > 0)))
    last = np.append(first[1:], covered.size) - 1
    places, reached, left = covered[first], times[first], times[last]
    speeds = np.diff(places) / np.maximum(reached[1:] - left[:-1], 1e-3)
    jumps = np.concatenate(([0], np.cumsum(speeds > fastest_mps))).astype(np.int64)
    heights = np.full(first.size, np.nan) if altitude_m is None else _heights(altitude_m[known])[first]
    return Way(covered_m=places, reached_s=reached, left_s=left, jumps=jumps, altitude_m=heights)


def _heights(altitude_m: Array) -> Array:
    known = np.isfinite(altitude_m)
    if not known.any():
        return np.full(altitude_m.size, np.nan)
    index = np.arange(altitude_m.size)
    return smoothed(np.interp(index, index[known], altitude_m[known]), window=ALTITUDE_WINDOW)


def fastest(way: Way, *, distance_m: float, steepest: float) -> Stretch | None:
    """Return the shortest elapsed time over the distance, pauses included; None where it was not covered.

    A stretch without doubt is preferred to a faster one with a jump in it, or down a grade below `steepest`.
    """
    from_places = way.covered_m[way.covered_m + distance_m <= way.covered_m[-1]]
    to_places = way.covered_m[way.covered_m - distance_m >= way.covered_m[0]]
    if not from_places.size or not to_places.size:
        return None
    starts = np.concatenate((from_places, to_places - distance_m))
    seconds = np.concatenate(
        (
            way.arrivals_s(from_places + distance_m) - way.departures_s(from_places),
            way.arrivals_s(to_places) - way.departures_s(to_places - distance_m),
        )
    )
    jumped = way.jumped(starts, starts + distance_m)
    fell = way.fell(starts, starts + distance_m, steepest=steepest)
    for doubt, allowed in (("", ~jumped & ~fell), ("downhill", ~jumped), ("jump", jumped)):
        if allowed.any():
            return Stretch(seconds=float(seconds[allowed].min()), doubt=doubt)
    return None
