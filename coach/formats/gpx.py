"""GPX: tracks of points, from phones, hand-held receivers and the exports of most sites."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo

from coach.formats import markup, moments, tracks, words
from coach.formats.recording import Recording, Unreadable
from coach.formats.registry import reader

FIELDS: Mapping[str, str] = {
    "ele": "altitude_m",
    "hr": "heart_rate_bpm",
    "heartrate": "heart_rate_bpm",
    "cad": "cadence_rpm",
    "cadence": "cadence_rpm",
    "RunCadence": "cadence_rpm",
    "power": "power_w",
    "PowerInWatts": "power_w",
    "watts": "power_w",
    "atemp": "temperature_c",
    "temp": "temperature_c",
    "speed": "speed_mps",
}
# What a file without dated points may hold instead, and what to say then.
INSTEAD: Mapping[str, str] = {
    "trkpt": "The track has no times, so nothing can be computed from it. Export it with times and upload it again.",
    "rte": "The file holds a planned route, not a recorded track. Export the activity itself and upload that.",
    "wpt": "The file holds places on the map, not a recorded track. Export the activity itself and upload that.",
}
OF_NOBODY = re.compile(r"Route \d{4}-\d{2}-\d{2} \d{1,2}[:.]\d{2}\s?[ap]m", re.I)  # how Apple Health names every route
NO_TRACK = "The file holds no track. Export the recorded activity, not its description, and upload that."


@dataclass(slots=True)
class _Reading:
    """Where in the document the reader is."""

    document: tracks.Document = field(default_factory=tracks.Document)
    path: list[str] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    segment: int = 0
    zone: tzinfo = UTC  # of the last time that named one: a time without takes it over
    unset_at: datetime | None = None  # a time before there were recorders: no point has it
    believes: bool = False  # unless all have
    point: dict[str, float] = field(default_factory=dict)
    at: datetime | None = None


@reader("gpx", claims=lambda data: markup.is_rooted(data, root="gpx"))
def read(data: bytes) -> tuple[Recording, ...]:
    """Return one recording for all tracks of one outing; tracks hours apart are outings of their own."""
    reading = _walk(data)
    if reading.document.base is None and reading.unset_at is not None:
        reading = _walk(data, believes=True)  # the clock was never set: the times are wrong, but not what lies between
    document = reading.document
    if document.base is None:
        raise Unreadable(next((say for name, say in INSTEAD.items() if name in reading.seen), NO_TRACK))
    document.broken = bool(reading.path)
    return tracks.recordings(document, base=document.base)


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
    document = reading.document
    if event.name == "trkpt":
        reading.point, reading.at = {}, None
        for attribute, stream in (("lat", "latitude_deg"), ("lon", "longitude_deg")):
            value = markup.number(event.attributes.get(attribute))
            if value is not None:
                reading.point[stream] = value
    elif event.name == "trkseg":
        reading.segment += 1
    elif event.name == "trk":
        reading.segment += 1
        if document.tracks and document.tracks[-1].first_row == len(document.samples):
            document.tracks.pop()  # it had no points
        document.tracks.append(tracks.Track(first_row=len(document.samples)))
    elif event.name == "gpx":
        document.device = words.line(event.attributes.get("creator", ""), longest=100)
    if event.name in INSTEAD:
        reading.seen.add(event.name)


def _close(reading: _Reading, event: markup.Event) -> None:
    parent = reading.path[-1] if reading.path else ""
    if event.name == "trkpt":
        _add(reading)
    elif "trkpt" in reading.path:
        if event.name == "time":
            reading.at = _dated(reading, event.text)
        elif event.name in FIELDS:
            value = markup.number(event.text)
            if value is not None:
                reading.point.setdefault(FIELDS[event.name], value)
    elif parent == "trk" and reading.document.tracks:
        track = reading.document.tracks[-1]
        if event.name == "name":
            name = words.line(event.text, longest=200)
            track.name = "" if OF_NOBODY.fullmatch(name) else name
        elif event.name == "type":
            track.sport_word = event.text


def _dated(reading: _Reading, text: str) -> datetime | None:
    at = moments.parse(text)
    if at is None:
        return None
    if at.tzinfo is None:
        at = at.replace(tzinfo=reading.zone)
    elif at.tzinfo != reading.zone:
        reading.zone = at.tzinfo
        if reading.document.offset_min is None:
            reading.document.offset_min = moments.plausible_offset_min((at.utcoffset() or timedelta()).total_seconds())
    if moments.is_unset(at) and not reading.believes:
        reading.unset_at = at
        return None
    return at


def _add(reading: _Reading) -> None:
    document = reading.document
    if reading.at is None:
        document.undated += 1
        return
    if document.base is None:
        document.base = reading.at
    if not document.tracks:
        document.tracks.append(tracks.Track(first_row=0))
    document.samples.add((reading.at - document.base) / timedelta(seconds=1), reading.point)
    document.segments.append(reading.segment)
