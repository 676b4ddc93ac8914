"""TCX: activities of laps of points, from Garmin's older software, Strava, Polar and trainers."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from coach.formats import laps, markup, moments, words
from coach.formats.recording import Recording, Unreadable
from coach.formats.registry import reader

# What a point holds, by element and the element around it ("" where that does not matter).
FIELDS: Mapping[tuple[str, str], str] = {
    ("LatitudeDegrees", ""): "latitude_deg",
    ("LongitudeDegrees", ""): "longitude_deg",
    ("AltitudeMeters", ""): "altitude_m",
    ("DistanceMeters", ""): "distance_m",
    ("Value", "HeartRateBpm"): "heart_rate_bpm",
    ("Cadence", ""): "cadence_rpm",
    ("RunCadence", ""): "cadence_rpm",
    ("Speed", ""): "speed_mps",
    ("Watts", ""): "power_w",
    ("Temperature", ""): "temperature_c",
}
# What a lap holds, and the largest value that can be.
LAP_FIELDS: Mapping[tuple[str, str], tuple[str, float]] = {
    ("TotalTimeSeconds", "Lap"): ("timer_s", 30 * 86_400),
    ("DistanceMeters", "Lap"): ("distance_m", 10_000_000),
    ("Calories", "Lap"): ("energy_kcal", 30_000),  # some trainers write calories where kilocalories belong
    ("Value", "AverageHeartRateBpm"): ("heart_rate_avg_bpm", 250),
    ("Value", "MaximumHeartRateBpm"): ("heart_rate_max_bpm", 250),
    ("MaximumSpeed", "Lap"): ("speed_max_mps", 150),
    ("AvgWatts", "LX"): ("power_avg_w", 2500),
    ("MaxWatts", "LX"): ("power_max_w", 65_534),
}
# What ended a lap, in FIT's words.
TRIGGERS: Mapping[str, str] = {
    "Manual": "manual",
    "Distance": "distance",
    "Location": "position_marked",
    "Time": "time",
    "HeartRate": "heart_rate",
}
MOST_ACTIVITIES, MOST_LAPS = 1000, 10_000
TOO_MANY = f"The file holds more than {MOST_ACTIVITIES} activities. Split it and upload the parts."
SERIAL = re.compile(r"\s*\([^()]*\d{6}[^()]*\)")  # Garmin's old software adds the number of the unit
COURSE = "The file holds a course to follow, not a recording. Export the activity itself and upload that."
WORKOUT = "The file holds a planned workout, not a recording. Export the activity itself and upload that."
NOTHING = "The file holds no activity with points or laps. Export the recorded activity again and upload that."


@dataclass(slots=True)
class _Reading:
    """Where in the document the reader is."""

    activities: list[laps.Activity] = field(default_factory=list)
    path: list[str] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    segment: int = 0
    point: dict[str, float] = field(default_factory=dict)
    at: datetime | None = None
    is_unset: bool = False  # there was a time before there were recorders: it counts as none
    believes: bool = False  # unless all are such


@reader("tcx", claims=lambda data: markup.is_rooted(data, root="TrainingCenterDatabase"))
def read(data: bytes) -> tuple[Recording, ...]:
    """Return one recording an activity, also for each sport of a multisport session."""
    reading = _walk(data)
    if reading.is_unset and not any(activity.is_dated for activity in reading.activities):
        reading = _walk(data, believes=True)  # the clock was never set: the times are wrong, but not what lies between
    if reading.path and reading.activities:
        reading.activities[-1].broken = True
    found = [laps.recording(activity) for activity in reading.activities if activity.says_something]
    if not found:
        raise Unreadable(COURSE if "Course" in reading.seen else WORKOUT if "Workout" in reading.seen else NOTHING)
    return tuple(found)


def _walk(data: bytes, *, believes: bool = False) -> _Reading:
    reading = _Reading(believes=believes)
    for event in markup.walk(data):
        if event.opens:
            _open(reading, event)
            reading.path.append(event.name)
        elif reading.path:
            reading.path.pop()
            _close(reading, event)
    return reading


def _open(reading: _Reading, event: markup.Event) -> None:
    if event.name == "Activity":
        if len(reading.activities) >= MOST_ACTIVITIES:
            raise Unreadable(TOO_MANY)
        reading.activities.append(laps.Activity(sport_word=event.attributes.get("Sport", "")))
    elif event.name in ("Course", "Workout"):
        reading.seen.add(event.name)
    elif event.name == "Track":
        reading.segment += 1
    elif event.name == "Trackpoint":
        reading.point, reading.at = {}, None
    elif event.name == "Lap" and "Activity" in reading.path and len(reading.activities[-1].laps) < MOST_LAPS:
        started_at = _time(reading, event.attributes.get("StartTime", ""))
        reading.activities[-1].laps.append(laps.Totals(started_at=started_at))


def _close(reading: _Reading, event: markup.Event) -> None:
    if "Activity" not in reading.path:
        return
    activity, parent = reading.activities[-1], reading.path[-1]
    if event.name == "Trackpoint":
        _add(reading, activity)
    elif "Trackpoint" in reading.path:
        if event.name == "Time":
            reading.at = _time(reading, event.text)
        stream = FIELDS.get((event.name, "")) or FIELDS.get((event.name, parent))
        value = markup.number(event.text) if stream else None
        if stream and value is not None:
            reading.point.setdefault(stream, value)
    elif activity.laps and (event.name, parent) in LAP_FIELDS:
        value = markup.number(event.text)
        field_name, largest = LAP_FIELDS[event.name, parent]
        if value is not None and 0 <= value <= largest:
            setattr(activity.laps[-1], field_name, value)
    elif activity.laps and (event.name, parent) == ("TriggerMethod", "Lap"):
        activity.laps[-1].trigger = TRIGGERS.get(event.text, "")
    elif event.name == "Id" and parent == "Activity":
        activity.named_at = _time(reading, event.text)
    elif event.name == "Name" and parent == "Creator":
        activity.device = words.line(SERIAL.sub("", words.line(event.text, longest=200)), longest=100)


def _add(reading: _Reading, activity: laps.Activity) -> None:
    if reading.at is None:
        activity.undated += 1
        return
    if activity.base is None:
        activity.base = reading.at
    activity.samples.add((reading.at - activity.base) / timedelta(seconds=1), reading.point)
    activity.segments.append(reading.segment)


def _time(reading: _Reading, text: str) -> datetime | None:
    at = moments.parse(text)
    if at is not None and moments.is_unset(at) and not reading.believes:
        reading.is_unset, at = True, None
    if at is None:
        return None
    return at if at.tzinfo is not None else at.replace(tzinfo=UTC)
