"""Distance, speed and moving time from samples."""

from collections.abc import Mapping, Sequence

import numpy as np

from coach.formats.recording import Array, Pause
from coach.metrics.grid import paused

EARTH_RADIUS_M = 6_371_008.8
MOVING_MPS = 0.5
SLOW_MOVING_MPS = 0.3  # walking, swimming
LONGEST_GAP_SECONDS = 30.0


def steps_m(latitude_deg: Array, longitude_deg: Array) -> Array:
    """Return the great-circle distance (m) from each position to the next (haversine)."""
    latitude, longitude = np.radians(latitude_deg), np.radians(longitude_deg)
    north, east = np.diff(latitude), np.diff(longitude)
    chord = np.sin(north / 2) ** 2 + np.cos(latitude[:-1]) * np.cos(latitude[1:]) * np.sin(east / 2) ** 2
    result: Array = 2 * EARTH_RADIUS_M * np.arcsin(np.sqrt(np.clip(chord, 0.0, 1.0)))
    return result


def distance_from_positions(latitude_deg: Array, longitude_deg: Array) -> Array:
    """Return cumulative distance (m), one entry a sample; NaN where there is no position."""
    result = np.full(latitude_deg.size, np.nan)
    known = np.isfinite(latitude_deg) & np.isfinite(longitude_deg)
    if known.any():
        steps = steps_m(latitude_deg[known], longitude_deg[known])
        result[known] = np.concatenate(([0.0], np.cumsum(steps)))
    return result


def with_distance(streams: Mapping[str, Array]) -> dict[str, Array]:
    """Return the streams with a distance, made from positions where the recording has none of its own."""
    full = dict(streams)
    if "distance_m" not in full and {"latitude_deg", "longitude_deg"} <= full.keys():
        full["distance_m"] = distance_from_positions(full["latitude_deg"], full["longitude_deg"])
    return full


def speed_from_distance(distance_m: Array, *, fastest_mps: float, window: int = 5) -> Array:
    """Return speed (m/s) at 1 Hz from cumulative distance over a few seconds, NaN where it is impossible."""
    if distance_m.size < 2:
        return np.full(distance_m.size, np.nan)
    reach = min(window, distance_m.size - 1)
    index = np.arange(distance_m.size)
    first = np.clip(index - reach // 2 - 1, 0, distance_m.size - 1 - reach)
    speed = np.maximum(distance_m[first + reach] - distance_m[first], 0.0) / reach
    with np.errstate(invalid="ignore"):
        result: Array = np.where(speed > fastest_mps, np.nan, speed)
    return result


def moving_s(
    time_s: Array,
    *,
    distance_m: Array | None,
    speed_mps: Array | None = None,
    pauses: Sequence[Pause] = (),
    slowest_mps: float = MOVING_MPS,
    longest_gap_s: float = LONGEST_GAP_SECONDS,
) -> float | None:
    """Return the seconds with the timer on and faster than `slowest_mps`; None without speed and distance.

    From sample to sample: the device's speed decides, else what was covered between them, which also decides
    over gaps. Longer gaps do not count as moving.
    """
    if time_s.size < 2 or (distance_m is None and speed_mps is None):
        return None
    gaps = np.diff(time_s)
    speed = _speeds(gaps, distance_m=distance_m, speed_mps=speed_mps)
    with np.errstate(invalid="ignore"):
        moving = (speed > slowest_mps) & (gaps <= longest_gap_s) & ~paused(time_s[:-1], pauses)
    return float(gaps[moving].sum())


def _speeds(gaps: Array, *, distance_m: Array | None, speed_mps: Array | None) -> Array:
    """Return the speed over each gap between samples; displacement rules where the gap is over 2 s."""
    covered = np.full(gaps.size, np.nan) if distance_m is None else np.diff(distance_m) / gaps
    if speed_mps is None:
        return covered
    told = speed_mps[1:]
    use_told = np.isfinite(told) & ((gaps <= 2.0) | ~np.isfinite(covered))
    result: Array = np.where(use_told, told, covered)
    return result
