"""A workout of Apple Health as a row: totals and averages, and which files hold its route."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from coach.formats import words
from coach.formats.apple.dates import Moment, moment
from coach.formats.apple.elements import Element
from coach.formats.row import Row

TYPE = "HKWorkoutActivityType"
QUANTITY = "HKQuantityTypeIdentifier"
SPORTS: Mapping[str, tuple[str, str]] = {
    "Running": ("running", ""),
    "Cycling": ("cycling", ""),
    "HandCycling": ("cycling", "hand_cycling"),
    "Walking": ("walking", ""),
    "Hiking": ("hiking", ""),
    "Swimming": ("swimming", ""),
    "Rowing": ("rowing", ""),
    "PaddleSports": ("paddling", ""),
    "CrossCountrySkiing": ("cross_country_skiing", ""),
    "DownhillSkiing": ("alpine_skiing", ""),
    "Snowboarding": ("snowboarding", ""),
    "SkatingSports": ("inline_skating", ""),
    "Climbing": ("rock_climbing", ""),
    "Golf": ("golf", ""),
    "Tennis": ("tennis", ""),
    "Soccer": ("soccer", ""),
    "Basketball": ("basketball", ""),
    "Yoga": ("training", "yoga"),
    "Pilates": ("training", "pilates"),
    "FunctionalStrengthTraining": ("training", "strength_training"),
    "TraditionalStrengthTraining": ("training", "strength_training"),
    "CoreTraining": ("training", "strength_training"),
    "HighIntensityIntervalTraining": ("training", "hiit"),
    "Elliptical": ("fitness_equipment", "elliptical"),
    "StairClimbing": ("fitness_equipment", "stair_climbing"),
    "Stairs": ("fitness_equipment", "stair_climbing"),
    "SwimBikeRun": ("multisport", ""),
    "Transition": ("transition", ""),
}
INDOORS = {"running": "treadmill", "cycling": "indoor_cycling", "rowing": "indoor_rowing", "walking": "indoor_walking"}
POOL = "1"  # of HKSwimmingLocationType
METRES = {"km": 1000.0, "m": 1.0, "mi": 1609.344, "yd": 0.9144, "ft": 0.3048, "cm": 0.01}
SECONDS = {"s": 1.0, "min": 60.0, "hr": 3600.0, "h": 3600.0}
KILOCALORIES = {"kcal": 1.0, "Cal": 1.0, "kJ": 1 / 4.184, "cal": 0.001, "J": 1 / 4184}
BEATS = {"count/min": 1.0, "count/s": 60.0}
AMOUNT = re.compile(r"\s*([-+0-9.eE]+)\s*(\S*)\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Workout:
    row: Row
    routes: tuple[str, ...]  # as the export names them: /workout-routes/route_2026-09-03_6.00pm.gpx


def workout(element: Element) -> Workout | None:
    """Return the workout, None when it does not say when it began."""
    said = element.attributes
    began, ended = moment(said.get("startDate", "")), moment(said.get("endDate", ""))
    if began is None:
        return None
    metadata = element.metadata()
    sport, sub_sport, indoor = _sport(said.get("workoutActivityType", ""), metadata)
    elapsed_s = float(ended.at_s - began.at_s) if ended and ended.at_s > began.at_s else None
    sums = _statistics(element)
    row = Row(
        provider="apple",
        sport=sport,
        sub_sport=sub_sport,
        device=words.line(said.get("sourceName", ""), longest=100),
        indoor=indoor,
        started_at=began.at,
        utc_offset_min=_offset_min(began, metadata.get("HKTimeZone", "")),
        elapsed_s=elapsed_s,
        timer_s=_amount(said, "duration", "durationUnit", SECONDS),
        distance_m=_distance_m(sport, sums) or _amount(said, "totalDistance", "totalDistanceUnit", METRES),
        ascent_m=_measured(metadata.get("HKElevationAscended", ""), METRES),
        energy_kcal=_statistic(sums, "ActiveEnergyBurned", "sum", KILOCALORIES)
        or _amount(said, "totalEnergyBurned", "totalEnergyBurnedUnit", KILOCALORIES),
        pool_length_m=_measured(metadata.get("HKLapLength", ""), METRES) if sub_sport == "lap_swimming" else None,
        avg_heart_rate_bpm=_statistic(sums, "HeartRate", "average", BEATS),
        max_heart_rate_bpm=_statistic(sums, "HeartRate", "maximum", BEATS),
        avg_power_w=_power_w(sums, "average"),
        max_power_w=_power_w(sums, "maximum"),
    )
    paths = (attributes.get("path", "") for _, name, attributes in element.inside if name == "FileReference")
    return Workout(row=row, routes=tuple(dict.fromkeys(path for path in paths if path)))


def _sport(word: str, metadata: Mapping[str, str]) -> tuple[str, str, bool]:
    sport, sub_sport = SPORTS.get(word.removeprefix(TYPE), ("generic", ""))
    indoor = metadata.get("HKIndoorWorkout", "") in ("1", "YES", "true")
    if sport == "swimming":
        place = metadata.get("HKSwimmingLocationType", "")
        lap = place == POOL or (not place and "HKLapLength" in metadata)
        return sport, "lap_swimming" if lap else "open_water" if place else "", lap
    return sport, sub_sport or (INDOORS.get(sport, "") if indoor else ""), indoor


def _offset_min(began: Moment, zone: str) -> int:
    """Return the offset where it happened: the dates of an export are in the zone of the phone that made it."""
    try:
        there = datetime.fromtimestamp(began.at_s, ZoneInfo(zone)).utcoffset() if zone else None
    except (ZoneInfoNotFoundError, ValueError, OSError):
        there = None
    return began.offset_min if there is None else round(there / timedelta(minutes=1))


def _statistics(element: Element) -> dict[str, dict[str, str]]:
    """Return the statistics of the whole workout by kind, without those of its parts."""
    return {
        attributes.get("type", "").removeprefix(QUANTITY): attributes
        for depth, name, attributes in element.inside
        if depth == 1 and name == "WorkoutStatistics"
    }


def _distance_m(sport: str, sums: Mapping[str, Mapping[str, str]]) -> float | None:
    mine = {"cycling": "DistanceCycling", "swimming": "DistanceSwimming"}.get(sport, "DistanceWalkingRunning")
    kinds = [mine, *(kind for kind in sums if kind.startswith("Distance") and kind != mine)]
    found = (_statistic(sums, kind, "sum", METRES) for kind in kinds)
    return next((metres for metres in found if metres), None)


def _power_w(sums: Mapping[str, Mapping[str, str]], which: str) -> float | None:
    watts = {"W": 1.0}
    return _statistic(sums, "CyclingPower", which, watts) or _statistic(sums, "RunningPower", which, watts)


def _statistic(
    sums: Mapping[str, Mapping[str, str]], kind: str, which: str, units: Mapping[str, float]
) -> float | None:
    return _amount(sums.get(kind, {}), which, "unit", units)


def _measured(text: str, units: Mapping[str, float]) -> float | None:
    """Read "11937 cm"."""
    found = AMOUNT.fullmatch(text)
    return _amount({"value": found[1], "unit": found[2]}, "value", "unit", units) if found else None


def _amount(said: Mapping[str, str], name: str, unit: str, units: Mapping[str, float]) -> float | None:
    factor = units.get(said.get(unit, ""))
    try:
        number = float(said.get(name, ""))
    except ValueError:
        return None
    return number * factor if factor is not None and abs(number) < 1e9 else None
