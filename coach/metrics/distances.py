"""Decides the distance and the moving time of a session, and says what it doubts."""

from collections.abc import Mapping

import numpy as np

from coach.formats.recording import Array, Recording
from coach.metrics.arrays import measured
from coach.metrics.grid import hold_for
from coach.metrics.motion import LONGEST_GAP_SECONDS, moving_s
from coach.metrics.sports import Sport


def distance_of(
    recording: Recording, *, streams: Mapping[str, Array], sport: Sport, timer_s: float
) -> tuple[float | None, list[str]]:
    """Return metres and doubts; None where nothing was covered or no one is that fast in the sport."""
    found = recording.distance_m if recording.distance_m is not None else covered_m(streams)
    if not found or found < 0 or not np.isfinite(found):
        return None, []
    if timer_s > 0 and found / timer_s > sport.fastest_mps:
        return None, ["The distance is impossible for the time it took, so it is left out."]
    return found, []


def covered_m(streams: Mapping[str, Array]) -> float | None:
    known = measured(streams.get("distance_m", np.empty(0)))
    return float(known.max() - known[0]) if known.size else None


def moving_of(recording: Recording, *, streams: Mapping[str, Array], sport: Sport, timer_s: float) -> float:
    """Return moving seconds, never above the timer; in a pool and without speed the whole timer counts.

    Without samples what the recording was told counts.
    """
    time = streams.get("time_s", np.empty(0))
    if time.size < 2 and recording.moving_s is not None and recording.moving_s > 0:
        return min(recording.moving_s, timer_s)
    in_pool = recording.pool_length_m is not None or (sport.family == "swimming" and recording.indoor)
    if in_pool or time.size < 2:
        return timer_s
    moved = moving_s(
        time,
        distance_m=streams.get("distance_m"),
        speed_mps=streams.get("speed_mps"),
        pauses=recording.pauses,
        slowest_mps=sport.slowest_moving_mps,
        longest_gap_s=max(LONGEST_GAP_SECONDS, hold_for(time)),
    )
    return timer_s if moved is None else min(moved, timer_s)
