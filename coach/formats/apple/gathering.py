"""Gathers what the records of one part of an export say: values, days, pieces of sleep, workouts."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta, timezone
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from coach.formats import words
from coach.formats.apple.dates import Moment, moment
from coach.formats.apple.elements import Element
from coach.formats.apple.quantities import AVERAGED, METRIC_OF, SLEEP, SLEEP_STAGES, SUMMED, value
from coach.formats.apple.sleeping import Held, Sleeping
from coach.formats.apple.workouts import Workout, workout
from coach.formats.nights import NIGHT_HOURS, Piece
from coach.formats.sift import Possible, within
from coach.formats.wellness import Contents, Curve, Measure

CURVED = "heart_rate_bpm"
MOST_RECORDS, MOST_VALUES, MOST_DAYS, MOST_WORKOUTS = 20_000, 3000, 60, 50  # then the part is full
NIGHTLY = frozenset({"hrv_sdnn_ms", "respiration_per_min"})  # an evening's readings belong to the night that follows
TO_MIDNIGHT = timedelta(hours=24 - NIGHT_HOURS[0])
NOON = time(12, tzinfo=UTC)  # of a local day: the same day in most zones

type Day = tuple[str, str, date]  # provider, metric


class Gathering:
    def __init__(self, held: Held | None = None) -> None:
        self.implausible = self.undated = 0  # left out since the last part was taken
        self._sleeping = Sleeping(held or ())
        self._possible = Possible.now()
        self._clear()

    def _clear(self) -> None:
        self._records = 0
        self._values: dict[tuple[str, str, int], Measure] = {}
        self._days: dict[Day, list[float]] = {}  # sum, readings
        self._minutes: dict[Day, dict[int, list[float]]] = {}
        self._workouts: list[Workout] = []

    @property
    def is_full(self) -> bool:
        return (
            self._records >= MOST_RECORDS
            or len(self._values) + len(self._days) >= MOST_VALUES
            or len(self._minutes) >= MOST_DAYS
            or len(self._workouts) >= MOST_WORKOUTS
        )

    def take(self, element: Element) -> None:
        self._records += 1
        if element.name == "Workout":
            found = workout(element)
            if found is None:
                self.undated += 1
            else:
                self._workouts.append(found)
            return
        kind = element.attributes.get("type", "")
        if kind == SLEEP:
            self._sleep(element)
        elif kind in METRIC_OF:
            self._quantity(METRIC_OF[kind], element)

    def part(self, *, is_last: bool) -> tuple[Contents, tuple[Workout, ...]]:
        """Return what was gathered, and begin anew; sleep that may go on stays."""
        contents = Contents(
            nights=self._sleeping.ready(everything=is_last),
            measures=(*self._values.values(), *self._daily()),
            curves=tuple(self._curves()),
        )
        workouts = tuple(self._workouts)
        self._clear()
        return contents, workouts

    def held(self) -> Held:
        return self._sleeping.held()

    # One record

    def _quantity(self, metric: str, element: Element) -> None:
        said = element.attributes
        at = moment(said.get("startDate", ""))
        if at is None or at.day not in self._possible:
            self.undated += 1
            return
        number = value(metric, said.get("value", ""), said.get("unit", ""))
        if number is None or not within(metric, number):
            self.implausible += 1
            return
        provider, day = provider_of(said), _local_day(at, element, nightly=metric in NIGHTLY)
        if metric in SUMMED or metric in AVERAGED:
            total = self._days.setdefault((provider, metric, day), [0.0, 0])
            total[0] += number
            total[1] += 1
        else:
            self._values[provider, metric, at.at_s] = Measure(
                provider=provider, metric=metric, at=at.at, local_date=day, value=number
            )
        if metric == CURVED:
            minute = self._minutes.setdefault((provider, metric, at.day), {}).setdefault(at.minute, [0.0, 0])
            minute[0] += number
            minute[1] += 1

    def _sleep(self, element: Element) -> None:
        said = element.attributes
        start, end = moment(said.get("startDate", "")), moment(said.get("endDate", ""))
        stage = SLEEP_STAGES.get(said.get("value", ""))
        if start is None or end is None or start.day not in self._possible:
            self.undated += 1
        elif stage is not None:
            zone = element.metadata().get("HKTimeZone", "")
            piece = Piece(
                start_s=float(start.at_s), end_s=float(end.at_s), stage=stage, zone=zone if _zone(zone) else end.zone
            )
            self._sleeping.add(provider_of(said), piece)

    # All of them

    def _daily(self) -> list[Measure]:
        return [
            Measure(
                provider=provider,
                metric=metric,
                at=datetime.combine(day, NOON),
                local_date=day,
                value=total if metric in SUMMED else total / readings,
                samples=int(readings),
            )
            for (provider, metric, day), (total, readings) in self._days.items()
        ]

    def _curves(self) -> list[Curve]:
        return [
            Curve(
                provider=provider,
                metric=metric,
                local_date=day,
                minutes={minute: (total / readings, int(readings)) for minute, (total, readings) in minutes.items()},
            )
            for (provider, metric, day), minutes in self._minutes.items()
        ]


def provider_of(said: Mapping[str, str]) -> str:
    return _provider(said.get("sourceName", ""))


@lru_cache(maxsize=256)
def _provider(name: str) -> str:
    return words.line(name, longest=100) or "Apple Health"


def _local_day(at: Moment, element: Element, *, nightly: bool) -> date:
    """Return the day where it was measured, when the record names the zone; of a night the day it ends on."""
    zone = _zone(element.metadata().get("HKTimeZone", "")) if element.inside else None
    if zone is None and not nightly:
        return at.day
    local = datetime.fromtimestamp(at.at_s, zone or timezone(timedelta(minutes=at.offset_min)))
    return (local + TO_MIDNIGHT if nightly else local).date()


@lru_cache(maxsize=256)
def _zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name) if name else None
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None
