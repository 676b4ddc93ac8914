"""What the demo athlete does on a day, and when: a week's pattern a phase, bent by what the season brings."""

from dataclasses import dataclass
from datetime import date, time, timedelta

import numpy as np

from coach.demo.season import (
    Phase,
    days_since_illness,
    holiday_day,
    is_ill,
    is_recovery_week,
    is_test,
    phase_of,
    race_on,
    week_effort,
    week_number,
)
from coach.demo.workouts import EASIER

LATE, NOON, EARLY = time(18, 10), time(12, 20), time(6, 40)
MORNING = time(9, 30)
_STILL_WEAK_DAYS = 18
_SKIPPED = 0.05

Slot = tuple[time, tuple[str, ...]]  # the workouts take turns, a week each

PATTERNS: dict[Phase, dict[int, tuple[Slot, ...]]] = {
    Phase.BASE: {
        0: ((NOON, ("swim", "")),),
        1: ((LATE, ("trainer_short", "trainer_sweet_spot", "trainer_short", "trainer_easy")),),
        2: ((LATE, ("run_easy", "treadmill")),),
        3: ((LATE, ("trainer_sweet_spot", "trainer_easy")),),
        5: ((MORNING, ("ride_endurance", "ride_long", "hike")),),
        6: ((MORNING, ("run_long", "run_long", "run_easy", "run_hills")),),
    },
    Phase.BUILD: {
        1: ((LATE, ("ride_threshold", "ride_vo2", "ride_tempo")),),
        2: ((EARLY, ("run_easy",)),),
        3: ((LATE, ("run_intervals", "run_hills", "run_tempo")),),
        4: ((NOON, ("swim", "", "trainer_easy")),),
        5: ((MORNING, ("ride_long",)),),
        6: ((MORNING, ("run_long", "ride_endurance", "run_long", "hike")),),
    },
    Phase.RACE: {
        1: ((LATE, ("ride_vo2", "ride_threshold")),),
        2: ((EARLY, ("run_easy",)),),
        3: ((LATE, ("run_tempo", "ride_tempo", "run_intervals")),),
        5: ((MORNING, ("ride_long", "ride_endurance")), (LATE, ("", "", "run_easy"))),
        6: ((MORNING, ("run_long", "ride_endurance", "run_hills")),),
    },
    Phase.EASY: {
        2: ((LATE, ("run_easy", "ride_easy")),),
        3: ((NOON, ("swim",)),),
        5: ((MORNING, ("ride_endurance", "hike")),),
        6: ((MORNING, ("run_easy", "run_long")),),
    },
}

HOLIDAY: dict[int, tuple[Slot, ...]] = {
    1: ((LATE, ("run_easy",)),),
    2: ((MORNING, ("hike",)),),
    4: ((EARLY, ("run_hills",)),),
    5: ((MORNING, ("hike",)),),
    7: ((LATE, ("run_long",)),),
    8: ((MORNING, ("hike",)),),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    workout: str
    at: time  # local
    effort: float  # of the workout's usual minutes


def planned_on(day: date, *, rng: np.random.Generator) -> tuple[Planned, ...]:
    """Return the day's sessions; `rng` is the day's own."""
    if is_ill(day):
        return ()
    skipped = rng.random() < _SKIPPED
    fixed = _fixed(day)
    if fixed is not None:
        return fixed
    if skipped or not _leaves_legs_for_race(day):
        return ()
    away = holiday_day(day)
    pattern = PATTERNS[phase_of(day)].get(day.weekday(), ()) if away is None else HOLIDAY.get(away, ())
    week = week_number(day)
    turns = ((at, names[week % len(names)]) for at, names in pattern)
    return tuple(
        Planned(workout=_bearable(name, day=day), at=at, effort=week_effort(day)) for at, name in turns if name
    )


def _fixed(day: date) -> tuple[Planned, ...] | None:
    """Return the race or test that pushes everything else aside."""
    race = race_on(day)
    if race is not None:
        return (Planned(workout=race, at=time(10, 0), effort=1.0),)
    if is_test(day):
        return (Planned(workout="ride_test", at=MORNING if day.weekday() > 4 else LATE, effort=1.0),)
    if race_on(day + timedelta(days=1)) is not None:
        return (Planned(workout="ride_easy", at=MORNING, effort=0.65),)
    return None


def _leaves_legs_for_race(day: date) -> bool:
    return not any(race_on(day + timedelta(days=ahead)) for ahead in (2, 3))


def _bearable(name: str, *, day: date) -> str:
    """Return an easier workout in recovery weeks and for a while after an illness."""
    since = days_since_illness(day)
    weak = since is not None and since < _STILL_WEAK_DAYS
    return EASIER.get(name, name) if weak or is_recovery_week(day) else name
