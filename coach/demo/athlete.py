"""The demo athlete: her profile, her thresholds, and the files of her training."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

import numpy as np

from coach.demo.body import Fitness, fitness_on
from coach.demo.files import DemoFile, written
from coach.demo.outing import recorded
from coach.demo.season import HOME, TESTS, place_on
from coach.demo.traps import copies, refused
from coach.demo.week import planned_on

MONTHS = 18


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoProfile:
    """The fields of an Athlete."""

    time_zone: str
    units: str
    language: str
    sex: str
    birth_year: int
    week_starts_on: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoThreshold:
    """The fields of a Threshold."""

    kind: str
    value: float
    valid_from: date


def profile() -> DemoProfile:
    return DemoProfile(
        time_zone=HOME.zone.key, units="metric", language="en", sex="f", birth_year=1988, week_starts_on=1
    )


def thresholds(*, until: date | None = None, months: int = MONTHS) -> tuple[DemoThreshold, ...]:
    """Return every threshold that holds in these months, oldest first; each test changes what it measured.

    `until` None means today.
    """
    last = until or datetime.now(UTC).date()
    known: dict[str, float] = {}
    found: list[DemoThreshold] = []
    for day in _tests(first_day(last, months=months), last):
        for kind, value in _measured(fitness_on(day)).items():
            if known.get(kind) != value:
                known[kind] = value
                found.append(DemoThreshold(kind=kind, value=value, valid_from=day))
    return tuple(found)


def recordings(*, until: date, months: int = MONTHS, seed: int = 1) -> Iterator[DemoFile]:
    """Yield the files of all sessions through this day, oldest first, then two without a recording.

    A session depends on its calendar date and the seed alone, so a later `until` adds files and changes none.
    The first day is the first of a month; it moves on with the month of `until`.
    """
    day = first_day(until, months=months)
    while day <= until:
        yield from files_of(day, seed=seed)
        day += timedelta(days=1)
    yield from refused()


def files_of(day: date, *, seed: int = 1) -> Iterator[DemoFile]:
    """Yield the day's files: one a session, and now and then a copy."""
    planned = planned_on(day, rng=_generator(day, seed=seed, stream=0))
    for number, plan in enumerate(planned, start=1):
        rng = _generator(day, seed=seed, stream=number)
        recording = recorded(plan, day=day, rng=rng, seed=seed)
        local = recording.started_at.astimezone(place_on(day).zone)
        file = written(recording, local=local)
        yield file
        yield from copies(file, day=day)


def first_day(until: date, *, months: int) -> date:
    """Return the first of the month that lies so many months before the day's."""
    year, month = divmod(until.year * 12 + until.month - 1 - months, 12)
    return date(year, month + 1, 1)


def _generator(day: date, *, seed: int, stream: int) -> np.random.Generator:
    return np.random.default_rng((seed, day.toordinal(), stream))


def _tests(first: date, last: date) -> list[date]:
    """Return the test days up to the last day, beginning with the one whose results hold on the first day."""
    days = [date(year, *test) for year in range(first.year - 1, last.year + 1) for test in TESTS]
    before = max(day for day in days if day <= first)
    return [day for day in days if before <= day <= last]


def _measured(fitness: Fitness) -> dict[str, float]:
    return {
        "ftp_w": float(round(fitness.ftp_w)),
        "lthr_bpm": float(round(fitness.lthr_bpm)),
        "hr_max_bpm": fitness.hr_max_bpm,
        "hr_rest_bpm": float(round(fitness.hr_rest_bpm)),
        "threshold_pace_s_per_km": float(round(1000 / fitness.threshold_speed_mps)),
    }
