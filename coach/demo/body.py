"""The demo athlete's body: what she can do on a day, and how her heart follows what she does."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from math import cos, exp, pi, sin

import numpy as np

from coach.demo.season import days_since_illness
from coach.formats.recording import Array

WEIGHT_KG = 62.0

_LEVEL_DAY = date(2025, 11, 1).toordinal()
_SLOW_DAYS = 2200
_RISING_S = 30.0
_FALLING_S = 55.0
_STANDING_S = 70.0
# Beats per minute: a threshold effort above none at all, and below the running LTHR.
_HEART = {"cycling": (95.0, 5.0), "running": (125.0, 0.0), "hiking": (95.0, 2.0), "swimming": (95.0, 14.0)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitness:
    ftp_w: float
    lthr_bpm: float
    hr_max_bpm: float
    hr_rest_bpm: float
    threshold_speed_mps: float


def fitness_on(day: date) -> Fitness:
    """Return what she can do that day: best in July, least in January, less for weeks after an illness.

    Over years she changes slowly, so that no two summers are alike.
    """
    season = -cos(2 * pi * (day.timetuple().tm_yday - 15) / 365.25)
    since = days_since_illness(day)
    dip = 0.0 if since is None else exp(-since / 16)
    form = season - 0.8 * dip + 0.5 * sin(2 * pi * (day.toordinal() - _LEVEL_DAY) / _SLOW_DAYS)
    return Fitness(
        ftp_w=226.0 + 13.0 * form,
        lthr_bpm=168.0 + season,
        hr_max_bpm=186.0,
        hr_rest_bpm=50.0 - 2.0 * season + 4.0 * dip,
        threshold_speed_mps=3.62 * (1 + 0.032 * form),
    )


def heart_rate(
    effort: Sequence[float], *, sport: str, fitness: Fitness, strain_bpm: float, standing: Mapping[int, float]
) -> Array:
    """Return the heart rate for each second's effort (1 = threshold): it lags, drifts, and falls at stops.

    `standing` says how many seconds the timer stood still after a second; `strain_bpm` is the day's offset.
    """
    slope, below = _HEART[sport]
    at_threshold = fitness.lthr_bpm - below + strain_bpm
    bottom, top = fitness.hr_rest_bpm + 28.0, fitness.hr_max_bpm - 1.0
    beat, warmth = bottom, 0.0
    beats = []
    for second, level in enumerate(effort):
        warmth += max(level - 0.4, 0.0) * 0.0022 * (1 - warmth / 14.0)
        target = min(max(at_threshold - slope * (1 - level), bottom) + warmth, top)
        beat += (target - beat) / (_RISING_S if target > beat else _FALLING_S)
        beats.append(beat)
        if second in standing:
            beat = bottom + (beat - bottom) * exp(-standing[second] / _STANDING_S)
    return np.array(beats)


def energy_kcal(sport: str, *, distance_m: float, power_w: Array | None) -> float:
    """Return what a session costs: a kilocalorie a kilojoule of pedalling, else by weight and distance."""
    if power_w is not None:
        return float(np.sum(power_w)) / 1000.0
    per_kg_km = {"running": 1.03, "hiking": 0.85, "swimming": 3.4}
    return per_kg_km[sport] * WEIGHT_KG * distance_m / 1000.0
