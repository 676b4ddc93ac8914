"""Moves the demo athlete along a route, second by second: speed follows effort and grade."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np

from coach.demo.body import WEIGHT_KG
from coach.demo.terrain import STEP_M, Route
from coach.formats.recording import Array

GRAVITY = 9.81
BIKE_KG = 10.0
ROLLING = 0.005
DRAG = 0.5 * 1.2 * 0.33  # half the air's density times the drag area
COASTING_MPS = 12.5
HARD_W = 190.0  # who has a task does not coast
TOP_MPS = 16.0
SLOWEST_MPS = 1.6

# From speed, wanted output and grade to the next second's speed and the output that was given.
Mover = Callable[[float, float, float], tuple[float, float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Motion:
    """One value a second, from 0 to the last second of the timer."""

    distance_m: Array
    speed_mps: Array
    output: Array  # watts of a rider, level-ground speed of who goes on foot

    def until(self, distance_m: float) -> "Motion":
        """Return the motion up to the first second at which this distance is done."""
        end = int(np.searchsorted(self.distance_m, distance_m)) + 1
        return Motion(distance_m=self.distance_m[:end], speed_mps=self.speed_mps[:end], output=self.output[:end])


def move(wanted: Sequence[float], *, mover: Mover, route: Route | None, stops: Collection[int]) -> Motion:
    """Follow the wanted output along the route, None being indoors; stand still at each stop."""
    grades = [0.0] if route is None else route.grade.tolist()
    length_m = STEP_M if route is None else route.length_m
    distance, speed = 0.0, 0.0
    distances, speeds, outputs = [], [], []
    for second, output in enumerate(wanted):
        speed, given = mover(speed, output, grades[int(distance % length_m / STEP_M)])
        if second in stops:
            speed = 0.0
        distances.append(distance)
        speeds.append(speed)
        outputs.append(given)
        distance += speed
    return Motion(distance_m=np.array(distances), speed_mps=np.array(speeds), output=np.array(outputs))


def ride(speed: float, watts: float, grade: float) -> tuple[float, float]:
    """Push harder uphill and less downhill, coast when fast; power goes into speed, height, tyres and air."""
    if speed > COASTING_MPS and grade < -0.015 and watts < HARD_W:
        watts = 0.0
    else:
        watts *= min(max(1.0 + 4.0 * grade, 0.6), 1.2)
    mass = WEIGHT_KG + BIKE_KG
    resisting = mass * GRAVITY * (ROLLING + grade) + DRAG * speed * speed
    faster = speed + (watts / max(speed, 2.0) - resisting) / mass
    return min(max(faster, SLOWEST_MPS), TOP_MPS), watts


def spin(speed: float, watts: float, grade: float) -> tuple[float, float]:
    """Ride a trainer: its flywheel knows neither hills nor coasting."""
    faster = speed + (watts / max(speed, 2.0) - ROLLING * 72 * GRAVITY - DRAG * speed * speed) / 72
    return max(faster, 0.5), watts


def go_on_foot(speed: float, level_speed: float, grade: float) -> tuple[float, float]:
    """Run or walk at an even effort: a metre's cost on this grade decides the speed (Minetti 2002)."""
    i = min(max(grade, -0.3), 0.3)
    cost = 3.6 + i * (19.5 + i * (46.3 + i * (-43.3 + i * (-30.4 + i * 155.4))))
    target = level_speed * min(3.6 / cost, 1.18)
    return speed + (target - speed) / 3.0, level_speed


def keep_pace(speed: float, level_speed: float, grade: float) -> tuple[float, float]:
    """Follow a treadmill's belt, or swim."""
    return speed + (level_speed - speed) / 2.0, level_speed
