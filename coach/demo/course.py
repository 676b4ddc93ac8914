"""A session on its way: which loop, how hard each second, where the timer stops and where laps end."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from coach.demo.circumstances import Circumstances
from coach.demo.motion import Motion, Mover, go_on_foot, keep_pace, move, ride, spin
from coach.demo.recorder import Stop
from coach.demo.steps import Steps
from coach.demo.stops import stops_on_the_way
from coach.demo.terrain import Route, loop
from coach.demo.workouts import Workout
from coach.formats.recording import Array

_LOOPS_KM = {
    "cycling": (18, 26, 34, 44, 56, 70, 88),
    "running": (5, 7, 9, 12, 16, 21),
    "hiking": (5, 7, 9, 12),
}
_LOOP_NAMES = ("mill", "ridge", "quarry")
_AUTO_LAP_M = {"cycling": 10_000.0, "running": 1_000.0, "hiking": 1_000.0, "swimming": 500.0}
_UNSTEADY = {
    "cycling": (0.07, 6.0),
    "running": (0.015, 15.0),
    "hiking": (0.05, 25.0),
    "swimming": (0.02, 20.0),
}
_RIDING_MPS = 8.4  # at threshold, hills included


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    motion: Motion
    route: Route | None  # None indoors
    stops: tuple[Stop, ...]
    laps_end: tuple[int, ...]  # seconds of timer time


def follow(workout: Workout, *, steps: Steps, around: Circumstances, seed: int) -> Course:
    """Move through the steps, out of doors along the loop of about the right length."""
    levels = _levels(workout, steps=steps, rng=around.rng)
    route = None if workout.indoor else _route(workout, steps=steps, around=around, seed=seed)
    pressed = _pressed(steps)
    stops = stops_on_the_way(workout, levels=levels, laps_end=pressed, rng=around.rng)
    motion = move(
        (levels * around.threshold(workout)).tolist(),
        mover=_mover(workout),
        route=route,
        stops={stop.at_s for stop in stops},
    )
    if workout.distance_m is not None:
        motion = motion.until(workout.distance_m)
    laps_end = pressed or _auto(motion.distance_m, every_m=_AUTO_LAP_M[workout.sport])
    return Course(motion=motion, route=route, stops=stops, laps_end=tuple(laps_end))


def _levels(workout: Workout, *, steps: Steps, rng: np.random.Generator) -> Array:
    """Return the level of each second as it is really held."""
    planned = np.repeat([step.level for step in steps], [step.seconds for step in steps])
    planned = np.append(planned, planned[-1]) * (1 + rng.normal(scale=0.012))
    share, memory_s = _UNSTEADY[workout.sport]
    return _unsteady(planned, share=share / 2 if workout.indoor else share, memory_s=memory_s, rng=rng)


def _unsteady(levels: Array, *, share: float, memory_s: float, rng: np.random.Generator) -> Array:
    """Return the levels off by about that share, for about so many seconds at a time."""
    kernel = np.exp(-np.arange(int(4 * memory_s)) / memory_s)
    kernel /= np.sqrt(np.sum(kernel**2))
    noise = np.convolve(rng.normal(size=len(levels) + len(kernel) - 1), kernel, mode="valid")
    return np.maximum(levels * (1.0 + share * noise), 0.05)


def _route(workout: Workout, *, steps: Steps, around: Circumstances, seed: int) -> Route:
    speed = _RIDING_MPS if workout.sport == "cycling" else around.threshold(workout)
    guess_km = sum(step.seconds * min(step.level, 1.0) for step in steps) * speed / 1000
    if workout.distance_m is not None:
        return loop(around.place, name=workout.title, length_km=round(workout.distance_m / 1000), seed=seed)
    length_km = min(_LOOPS_KM[workout.sport], key=lambda km: abs(km - guess_km))
    name = workout.title if workout.race else _LOOP_NAMES[int(around.rng.integers(len(_LOOP_NAMES)))]
    return loop(around.place, name=f"{workout.sport} {name}", length_km=length_km, seed=seed)


def _mover(workout: Workout) -> Mover:
    if workout.sport == "cycling":
        return spin if workout.indoor else ride
    return keep_pace if workout.indoor else go_on_foot


def _pressed(steps: Steps) -> Sequence[int]:
    """Return the seconds at which the lap button is pressed."""
    begins = np.cumsum([0, *(step.seconds for step in steps)]).tolist()
    return [begin for begin, step in zip(begins, steps, strict=False) if step.lap]


def _auto(distance_m: Array, *, every_m: float) -> Sequence[int]:
    """Return the seconds at which the device begins a lap by itself."""
    marks = np.arange(every_m, distance_m[-1], every_m)
    return [int(second) for second in np.searchsorted(distance_m, marks)]
