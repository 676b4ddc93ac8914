"""Distance over ground."""

import numpy as np
from numpy.typing import NDArray

from coach.formats.recording import Array

EARTH_RADIUS_M = 6_371_008.8  # mean radius, IUGG 1980


def distance_m(latitude_deg: Array, longitude_deg: Array, *, breaks: NDArray[np.bool_]) -> Array:
    """Return the cumulative great-circle distance; NaN where there is no position.

    `breaks` is true where a new segment begins: the way from the sample before does not count.
    Source: haversine formula, Sinnott 1984.
    """
    fixed = np.flatnonzero(~np.isnan(latitude_deg) & ~np.isnan(longitude_deg))
    result = np.full(len(latitude_deg), np.nan)
    if len(fixed) == 0:
        return result
    latitude, longitude = np.radians(latitude_deg[fixed]), np.radians(longitude_deg[fixed])
    half = np.sin(np.diff(latitude) / 2) ** 2
    half += np.cos(latitude[:-1]) * np.cos(latitude[1:]) * np.sin(np.diff(longitude) / 2) ** 2
    steps = 2 * EARTH_RADIUS_M * np.arcsin(np.sqrt(np.clip(half, 0, 1)))
    steps[np.diff(np.cumsum(breaks)[fixed]) > 0] = 0
    result[fixed] = np.round(np.concatenate(([0.0], np.cumsum(steps))), 2)
    return result
