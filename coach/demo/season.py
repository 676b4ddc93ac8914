"""The demo athlete's years by the calendar: phases, recovery weeks, races, tests, illness, holidays."""

from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

ILLNESS_DAYS = 9
HOLIDAY_DAYS = 10
TESTS = ((1, 10), (3, 21), (5, 9), (8, 29), (11, 7))  # month, day; thresholds change on these days


class Phase(StrEnum):
    BASE = "base"
    BUILD = "build"
    RACE = "race"
    EASY = "easy"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where loops start and end; the coordinates are made up, the time zone is the real one there."""

    name: str
    latitude_deg: float
    longitude_deg: float
    altitude_m: float
    zone: ZoneInfo
    warmth_c: float = 0.0  # against home
    relief: float = 1.0  # its hills against home's


HOME = Place(
    name="Birkenfurt",
    latitude_deg=50.862,
    longitude_deg=9.836,
    altitude_m=330.0,
    zone=ZoneInfo("Europe/Berlin"),
)
AWAY = Place(
    name="Juniper Bend",
    latitude_deg=44.081,
    longitude_deg=-121.342,
    altitude_m=1120.0,
    zone=ZoneInfo("America/Los_Angeles"),
    warmth_c=5.0,
    relief=2.2,
)

_PHASES = {
    Phase.BASE: (11, 12, 1),
    Phase.BUILD: (2, 3, 4, 8),
    Phase.RACE: (5, 6, 7, 9),
    Phase.EASY: (10,),
}
_PHASE_OF_MONTH = {month: phase for phase, months in _PHASES.items() for month in months}

SUNDAY = 6


def week_number(day: date) -> int:
    """Return a number that grows by one each Monday and never starts again."""
    return (day.toordinal() - 1) // 7


def phase_of(day: date) -> Phase:
    """Return the phase of the day's week; the week's Thursday decides its month."""
    return _PHASE_OF_MONTH[(day - timedelta(days=day.weekday() - 3)).month]


def week_effort(day: date) -> float:
    """Return how much of the usual duration is done this week: three that build, then one that recovers."""
    return (0.92, 1.0, 1.1, 0.68)[week_number(day) % 4]


def is_recovery_week(day: date) -> bool:
    return week_number(day) % 4 == 3


def days_since_illness(day: date) -> int | None:
    """Return how many days ago the last illness began, or None when that is longer than two months."""
    since = (day - _illness_start(day.year)).days
    return since if 0 <= since < 60 else None


def is_ill(day: date) -> bool:
    since = days_since_illness(day)
    return since is not None and since < ILLNESS_DAYS


def holiday_day(day: date) -> int | None:
    """Return the number of this holiday day, from 0, or None at home; the first and the last are travel."""
    number = (day - _nth_weekday(day.year, month=6, weekday=5, nth=2)).days
    return number if 0 <= number < HOLIDAY_DAYS else None


def place_on(day: date) -> Place:
    return HOME if holiday_day(day) is None else AWAY


def race_on(day: date) -> str | None:
    """Return the race of this day by its workout's name."""
    races = {
        _nth_weekday(day.year, month=4, weekday=SUNDAY, nth=4): "run_race_10k",
        _nth_weekday(day.year, month=5, weekday=SUNDAY, nth=4): "ride_race",
        _nth_weekday(day.year, month=7, weekday=SUNDAY, nth=2): "ride_time_trial",
        _nth_weekday(day.year, month=9, weekday=SUNDAY, nth=3): "run_race_half",
    }
    return races.get(day)


def is_test(day: date) -> bool:
    return (day.month, day.day) in TESTS


def _illness_start(year: int) -> date:
    return date(year, 2, 3) + timedelta(days=year * 5 % 7)


def _nth_weekday(year: int, *, month: int, weekday: int, nth: int) -> date:
    first = date(year, month, 1)
    return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (nth - 1))
