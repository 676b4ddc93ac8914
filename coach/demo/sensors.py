"""What the demo athlete's sensors show each second of a session."""

from collections.abc import Mapping, Sequence
from math import cos, pi

import numpy as np

from coach.demo.body import heart_rate
from coach.demo.circumstances import Circumstances
from coach.demo.course import Course
from coach.demo.motion import Motion
from coach.demo.terrain import Route
from coach.demo.workouts import Workout
from coach.formats.recording import Array

_LAPSE_CHANCE = 0.05


def every_second(workout: Workout, *, course: Course, around: Circumstances) -> dict[str, Array]:
    """Return each stream with a value a second of timer time."""
    motion, rng = course.motion, around.rng
    beats = heart_rate(
        (motion.output / around.threshold(workout)).tolist(),
        sport=workout.sport,
        fitness=around.fitness,
        strain_bpm=float(rng.normal(scale=1.6)),
        standing={stop.at_s: stop.duration_s for stop in course.stops},
    )
    streams = {
        "distance_m": motion.distance_m,
        "speed_mps": motion.speed_mps,
        "heart_rate_bpm": _with_lapse(beats, rng=rng),
    }
    if workout.sport == "cycling":
        streams |= {"cadence_rpm": _riding_cadence(motion, rng=rng), "power_w": np.rint(motion.output)}
    elif workout.sport != "swimming":
        streams["cadence_rpm"] = _stride_cadence(motion, runs=workout.sport == "running", rng=rng)
    if course.route is not None:
        streams |= _positions(motion, route=course.route)
        streams["temperature_c"] = _temperature(streams["altitude_m"], around=around)
    return streams


def _with_lapse(beats: Array, *, rng: np.random.Generator) -> Array:
    """Return whole beats; now and then the strap loses contact and nothing is measured for a while."""
    shown = np.rint(beats + rng.normal(scale=0.4, size=len(beats)))
    if rng.random() < _LAPSE_CHANCE:
        begin = int(rng.integers(120, len(beats) - 120))
        shown[begin : begin + int(rng.integers(20, 60))] = np.nan
    return shown


def _riding_cadence(motion: Motion, *, rng: np.random.Generator) -> Array:
    turning = 79.0 + 0.045 * motion.output + rng.normal(scale=1.5, size=len(motion.output))
    return np.where(motion.output < 25.0, 0.0, np.rint(turning))


def _stride_cadence(motion: Motion, *, runs: bool, rng: np.random.Generator) -> Array:
    """Return single-leg strides a minute of a run or hike."""
    pace = 74.0 + 3.2 * motion.speed_mps if runs else 46.0 + 7.0 * motion.speed_mps
    return np.rint(pace + rng.normal(scale=0.7, size=len(pace)))


def _temperature(altitude_m: Array, *, around: Circumstances) -> Array:
    season = -cos(2 * pi * (around.day.timetuple().tm_yday - 20) / 365.25)
    warmer = 9.0 * season - 3.5 * cos(2 * pi * (around.local.hour - 4) / 24) + around.rng.normal(scale=2.5)
    return np.rint(9.5 + around.place.warmth_c + warmer - 0.0065 * (altitude_m - around.place.altitude_m))


def _positions(motion: Motion, *, route: Route) -> Mapping[str, Array]:
    places = {
        "latitude_deg": route.latitude_deg,
        "longitude_deg": route.longitude_deg,
        "altitude_m": route.altitude_m,
    }
    return {name: route.at(motion.distance_m, values) for name, values in places.items()}


def normalized_power(watts: Array) -> float:
    """Return the fourth-power mean of the 30 s rolling average of every second's power (Coggan 2003)."""
    rolling = np.convolve(watts, np.full(30, 1 / 30), mode="valid")
    return float(np.mean(rolling**4) ** 0.25)


def climbed(altitude_m: Array) -> tuple[float, float]:
    """Return metres up and metres down; the made-up altitude has no noise that would count as climbing."""
    steps = np.diff(altitude_m)
    return float(steps[steps > 0].sum()), float(-steps[steps < 0].sum())


def summarized(streams: Mapping[str, Array], *, names: Sequence[str]) -> dict[str, float]:
    """Return avg_… and max_… of every second, as a device computes them whatever it keeps."""
    shown = {name: streams[name] for name in names if name in streams}
    averages = {f"avg_{name}": float(np.nanmean(values)) for name, values in shown.items()}
    return averages | {f"max_{name}": float(np.nanmax(values)) for name, values in shown.items()}
