"""The shape of a way, coarse enough to be kept beside a session and compared with others."""

from collections.abc import Mapping, Sequence

import numpy as np

from coach.formats.recording import Array, Recording
from coach.metrics.motion import EARTH_RADIUS_M, distance_from_positions

PLACES = 16
DIGITS = 4  # of a degree: eleven metres
SHORTEST_M = 500.0
APART_M = 150.0  # on average over the places, and of any of them four times as much
WORST_TIMES = 4


def route_of(recording: Recording, streams: Mapping[str, Array]) -> list[list[float]]:
    """Return sixteen places evenly along the way, [latitude, longitude]; none indoors and in made-up worlds."""
    if recording.indoor or recording.virtual or not {"latitude_deg", "longitude_deg"} <= streams.keys():
        return []
    latitude, longitude = streams["latitude_deg"], streams["longitude_deg"]
    known = np.isfinite(latitude) & np.isfinite(longitude)
    if known.sum() < PLACES:
        return []
    covered = distance_from_positions(latitude[known], longitude[known])
    if covered[-1] < SHORTEST_M:
        return []
    at = np.linspace(0.0, covered[-1], PLACES)
    places = (np.interp(at, covered, latitude[known]), np.interp(at, covered, longitude[known]))
    return [[round(float(north), DIGITS), round(float(east), DIGITS)] for north, east in zip(*places, strict=True)]


def is_same_route(one: Sequence[Sequence[float]], other: Sequence[Sequence[float]]) -> bool:
    """Say whether two ways keep close to each other from end to end, in the same direction."""
    if len(one) != PLACES or len(other) != PLACES:
        return False
    apart = _apart_m(np.array(one), np.array(other))
    return bool(apart.mean() <= APART_M and apart.max() <= WORST_TIMES * APART_M)


def _apart_m(one: Array, other: Array) -> Array:
    """Return how far each place is from its counterpart; over so little the earth is flat."""
    north, east = (other - one).T * EARTH_RADIUS_M * np.pi / 180
    apart: Array = np.hypot(north, east * np.cos(np.radians(one[:, 0])))
    return apart
