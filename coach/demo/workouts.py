"""The demo athlete's sessions: what is done, how hard and for how long, without a day or a place."""

from dataclasses import dataclass

from coach.demo.steps import Plan, intervals, race, rising, steady


@dataclass(frozen=True, slots=True, kw_only=True)
class Workout:
    sport: str
    title: str  # "" is named after the time of day
    minutes: float
    plan: Plan
    sub_sport: str = ""
    race: bool = False
    distance_m: float | None = None  # of a race that ends there, whatever its minutes; as a watch measures it

    @property
    def indoor(self) -> bool:
        return self.sub_sport in {"indoor_cycling", "treadmill", "lap_swimming"}


def _ride(title: str, minutes: float, plan: Plan, *, sub_sport: str = "road", race: bool = False) -> Workout:
    return Workout(sport="cycling", title=title, minutes=minutes, plan=plan, sub_sport=sub_sport, race=race)


def _run(title: str, minutes: float, plan: Plan, *, sub_sport: str = "") -> Workout:
    return Workout(sport="running", title=title, minutes=minutes, plan=plan, sub_sport=sub_sport)


def _foot_race(title: str, minutes: float, plan: Plan, *, distance_m: float) -> Workout:
    return Workout(sport="running", title=title, minutes=minutes, plan=plan, race=True, distance_m=distance_m)


_TRAINER = "indoor_cycling"

WORKOUTS = {
    "ride_easy": _ride("", 62, steady(0.62)),
    "ride_endurance": _ride("", 88, steady(0.68)),
    "ride_long": _ride("Long ride", 138, steady(0.69)),
    "ride_tempo": _ride("2 × 20 min tempo", 84, intervals(2, 1200, 0.88, rest_s=360, rest=0.55, ease=0.63)),
    "ride_threshold": _ride("3 × 12 min at threshold", 76, intervals(3, 720, 0.98, rest_s=300, rest=0.5, ease=0.62)),
    "ride_vo2": _ride("5 × 4 min hard", 68, intervals(5, 240, 1.13, rest_s=210, rest=0.48, ease=0.62)),
    "ride_test": _ride("20 min test", 62, intervals(1, 1200, 1.05, rest_s=300, rest=0.45, ease=0.62)),
    "ride_race": _ride("Spring gran fondo", 150, race(0.84), race=True),
    "ride_time_trial": _ride("Village time trial", 42, race(0.98), race=True),
    "trainer_easy": _ride("Easy spin on the trainer", 50, steady(0.62), sub_sport=_TRAINER),
    "trainer_sweet_spot": _ride(
        "3 × 12 min sweet spot",
        64,
        intervals(3, 720, 0.91, rest_s=240, rest=0.5, ease=0.6),
        sub_sport=_TRAINER,
    ),
    "trainer_short": _ride(
        "10 × 1 min hard", 54, intervals(10, 60, 1.22, rest_s=90, rest=0.45, ease=0.6), sub_sport=_TRAINER
    ),
    "run_easy": _run("", 46, steady(0.79)),
    "run_long": _run("Long run", 82, steady(0.80)),
    "run_hills": _run("8 × 1 min uphill effort", 54, intervals(8, 60, 1.1, rest_s=120, rest=0.68, ease=0.78)),
    "run_intervals": _run("5 × 4 min fast", 56, intervals(5, 240, 1.05, rest_s=120, rest=0.68, ease=0.77)),
    "run_tempo": _run("25 min tempo run", 52, intervals(1, 1500, 0.96, rest_s=180, rest=0.66, ease=0.77)),
    "run_race_10k": _foot_race("Town ten kilometres", 56, race(1.01), distance_m=10_040.0),
    "run_race_half": _foot_race("Autumn half marathon", 120, race(0.95), distance_m=21_190.0),
    "treadmill": _run("Treadmill progression", 45, rising(0.74, 0.79, 0.84, 0.89, 0.78), sub_sport="treadmill"),
    "hike": Workout(sport="hiking", title="", minutes=118, plan=steady(0.41)),
    "swim": Workout(
        sport="swimming",
        title="Pool swim",
        minutes=42,
        plan=intervals(8, 110, 0.95, rest_s=25, rest=0.3, ease=0.8),
        sub_sport="lap_swimming",
    ),
}

# What is done instead when the body is not ready.
EASIER = {
    "ride_long": "ride_endurance",
    "ride_tempo": "ride_easy",
    "ride_threshold": "ride_easy",
    "ride_vo2": "ride_easy",
    "trainer_sweet_spot": "trainer_easy",
    "trainer_short": "trainer_easy",
    "run_long": "run_easy",
    "run_hills": "run_easy",
    "run_intervals": "run_easy",
    "run_tempo": "run_easy",
}
