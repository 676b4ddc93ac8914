"""What surrounds a session: the day, the place, the hour, and the athlete's form."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta

import numpy as np

from coach.demo.body import Fitness, fitness_on
from coach.demo.season import Place, place_on
from coach.demo.week import Planned
from coach.demo.workouts import Workout

SWIM_MPS = 1.02  # at threshold


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    day: date
    place: Place
    local: datetime  # aware, in the place's zone
    fitness: Fitness
    rng: np.random.Generator  # the session's own

    def threshold(self, workout: Workout) -> float:
        """Return the output of level 1: watts of a rider, m/s on level ground of everybody else."""
        thresholds = {"cycling": self.fitness.ftp_w, "swimming": SWIM_MPS}
        return thresholds.get(workout.sport, self.fitness.threshold_speed_mps)


def circumstances(planned: Planned, *, day: date, rng: np.random.Generator) -> Circumstances:
    place = place_on(day)
    late = timedelta(minutes=int(rng.integers(-15, 25)), seconds=int(rng.integers(60)))
    return Circumstances(
        day=day,
        place=place,
        local=datetime.combine(day, planned.at, tzinfo=place.zone) + late,
        fitness=fitness_on(day),
        rng=rng,
    )
