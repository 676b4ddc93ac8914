"""Where the demo athlete stops the timer on the way: lights, a gate, a café."""

from collections.abc import Collection

import numpy as np

from coach.demo.recorder import Stop
from coach.demo.workouts import Workout
from coach.formats.recording import Array

_CAFE_AFTER_S = 6600
_EASY = 0.9  # nobody stops in the middle of an interval
_APART_S = 90


def stops_on_the_way(
    workout: Workout, *, levels: Array, laps_end: Collection[int], rng: np.random.Generator
) -> tuple[Stop, ...]:
    """Return the stops in order; indoors and in races there are none."""
    if workout.indoor or workout.race:
        return ()
    seconds = len(levels) - 1
    durations = [int(rng.integers(20, 130)) for _ in range(int(rng.integers(0, 3)))]
    if seconds > _CAFE_AFTER_S:
        durations.append(int(rng.integers(420, 900)))
    places = rng.integers(300, seconds - 300, size=len(durations)).tolist()
    stops: list[Stop] = []
    for at_s, duration_s in sorted(zip(places, durations, strict=True)):
        taken = [*laps_end, *(stop.at_s for stop in stops)]
        if levels[at_s] < _EASY and all(abs(at_s - other) > _APART_S for other in taken):
            stops.append(Stop(at_s=at_s, duration_s=duration_s))
    return tuple(stops)
