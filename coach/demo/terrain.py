"""Made-up hills and the loops that lead through them."""

import zlib
from dataclasses import dataclass
from functools import lru_cache
from math import cos, radians

import numpy as np

from coach.demo.season import Place
from coach.formats.recording import Array

STEP_M = 10.0
EARTH_RADIUS_M = 6_371_008.8
_WAVES = 12
_STEEPNESS = 0.0028  # a wave's height as a part of its length


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """A loop; the arrays hold one value each STEP_M along it, and the end joins the beginning."""

    length_m: float
    latitude_deg: Array
    longitude_deg: Array
    altitude_m: Array
    grade: Array

    def at(self, distance_m: Array, values: Array) -> Array:
        """Return the values at these distances; beyond the loop's length it goes round again."""
        return np.interp(distance_m % self.length_m, np.arange(len(values)) * STEP_M, values)


@lru_cache(maxsize=64)
def loop(place: Place, *, name: str, length_km: int, seed: int) -> Route:
    """Return the loop of that name, which starts and ends in the middle of the place."""
    rng = np.random.default_rng((seed, zlib.crc32(f"{place.name}/{name}/{length_km}".encode())))
    east, north = _curve(rng, length_m=1000.0 * length_km)
    altitude = _hills(place, east=east, north=north, seed=seed)
    rise = np.roll(altitude, -2) - np.roll(altitude, 2)
    per_degree = radians(1.0) * EARTH_RADIUS_M
    return Route(
        length_m=STEP_M * (len(east) - 1),
        latitude_deg=place.latitude_deg + north / per_degree,
        longitude_deg=place.longitude_deg + east / (per_degree * cos(radians(place.latitude_deg))),
        altitude_m=altitude,
        grade=rise / (4 * STEP_M),
    )


def _curve(rng: np.random.Generator, *, length_m: float) -> tuple[Array, Array]:
    """Return metres east and north of the start along a closed curve with a point each STEP_M."""
    angle = np.linspace(0.0, 2 * np.pi, 6000)
    bends = np.zeros_like(angle)
    for wave in (2, 3, 4, 5, 7, 11, 17, 26):
        bends += rng.uniform(0.1, 0.75) / wave * np.sin(wave * angle + rng.uniform(0, 2 * np.pi))
    turn = rng.uniform(0, 2 * np.pi)
    # The exponent keeps the radius positive, so that no bend crosses the middle.
    east, north = np.exp(bends) * np.cos(angle + turn), np.exp(bends) * np.sin(angle + turn)
    along = np.concatenate([[0.0], np.cumsum(np.hypot(np.diff(east), np.diff(north)))])
    scale = length_m / along[-1]
    marks = np.arange(0.0, length_m + STEP_M / 2, STEP_M)
    east = np.interp(marks, along * scale, (east - east[0]) * scale)
    north = np.interp(marks, along * scale, (north - north[0]) * scale)
    return east, north


def _hills(place: Place, *, east: Array, north: Array, seed: int) -> Array:
    rng = np.random.default_rng((seed, zlib.crc32(place.name.encode())))
    height = np.full_like(east, place.altitude_m)
    for wave_m in np.geomspace(1200.0, 14000.0, _WAVES):
        heading, shift = rng.uniform(0, 2 * np.pi, size=2)
        across = (east * np.cos(heading) + north * np.sin(heading)) / wave_m
        height += place.relief * _STEEPNESS * wave_m * np.sin(2 * np.pi * across + shift)
    return height
