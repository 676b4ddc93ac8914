"""One session of the demo athlete, from its plan to the recording her devices make of it."""

from collections.abc import Mapping
from datetime import UTC, date

import numpy as np

from coach.demo.body import energy_kcal
from coach.demo.choices import chosen_format, chosen_spacing
from coach.demo.circumstances import Circumstances, circumstances
from coach.demo.course import Course, follow
from coach.demo.recorder import keep, seconds_kept
from coach.demo.sensors import climbed, every_second, normalized_power, summarized
from coach.demo.week import Planned
from coach.demo.workouts import WORKOUTS, Workout
from coach.formats.recording import Array, Recording

HEAD_UNIT, WATCH = "Demo head unit", "Demo watch"
POOL_M = 25.0
_NOUNS = {"cycling": "ride", "running": "run", "hiking": "hike", "swimming": "swim"}


def recorded(planned: Planned, *, day: date, rng: np.random.Generator, seed: int) -> Recording:
    """Return the recording of a planned session; the same day, generator state and seed make the same one."""
    workout = WORKOUTS[planned.workout]
    around = circumstances(planned, day=day, rng=rng)
    steps = workout.plan(workout.minutes * planned.effort * rng.uniform(0.95, 1.05))
    course = follow(workout, steps=steps, around=around, seed=seed)
    return _written(workout, course=course, around=around)


def noun(sport: str) -> str:
    return _NOUNS[sport]


def _written(workout: Workout, *, course: Course, around: Circumstances) -> Recording:
    streams = every_second(workout, course=course, around=around)
    timer_s = len(streams["distance_m"]) - 1
    format_ = chosen_format(workout, rng=around.rng)
    spacing_s = chosen_spacing(workout, format_=format_, rng=around.rng)
    at = seconds_kept(timer_s, spacing_s=spacing_s, rng=around.rng).tolist()
    kept = keep(streams, at=at, laps_end=course.laps_end, stops=course.stops)
    up, down = climbed(streams["altitude_m"]) if "altitude_m" in streams else (None, None)
    offset = around.local.utcoffset()
    return Recording(
        format=format_,
        sport=workout.sport,
        sub_sport=workout.sub_sport,
        name=_name(workout, hour=around.local.hour),
        device=HEAD_UNIT if workout.sport == "cycling" else WATCH,
        started_at=around.local.astimezone(UTC),
        elapsed_s=kept.elapsed_s,
        timer_s=float(timer_s),
        distance_m=float(streams["distance_m"][-1]),
        ascent_m=up,
        descent_m=down,
        energy_kcal=energy_kcal(workout.sport, distance_m=streams["distance_m"][-1], power_w=streams.get("power_w")),
        utc_offset_min=int(offset.total_seconds() // 60) if offset is not None else None,
        indoor=workout.indoor,
        barometric=not workout.indoor,
        pool_length_m=POOL_M if workout.sport == "swimming" else None,
        streams=kept.streams,
        laps=kept.laps,
        pauses=kept.pauses,
        device_summary=_summary(streams),
    )


def _summary(streams: Mapping[str, Array]) -> dict[str, float]:
    summary = summarized(streams, names=("heart_rate_bpm", "cadence_rpm", "power_w"))
    if "power_w" in streams:
        summary["normalized_power_w"] = normalized_power(streams["power_w"])
    return summary


def _name(workout: Workout, *, hour: int) -> str:
    if workout.title:
        return workout.title
    part = "Morning" if hour < 12 else "Midday" if hour < 15 else "Evening"
    return f"{part} {noun(workout.sport)}"
