"""Makes recordings of tracks of points."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from coach.formats import clock, ground, moments, notes, pauses, samples, sports
from coach.formats.recording import Array, Pause, Recording, Unreadable
from coach.formats.samples import Samples, select

APART_S = 6 * 3600  # a track that begins this long after the last one is another outing
MOST_OUTINGS = 1000
TOO_MANY = f"The file holds more than {MOST_OUTINGS} outings. Split it and upload the parts."
TOO_SHORT = "The track has a single point with a time, so nothing can be computed from it."


@dataclass(slots=True, kw_only=True)
class Track:
    first_row: int
    name: str = ""
    sport_word: str = ""


@dataclass(slots=True, kw_only=True)
class Document:
    """Everything read from a file; samples count seconds from `base`, each belongs to a segment."""

    base: datetime | None = None
    samples: Samples = field(default_factory=Samples)
    segments: list[int] = field(default_factory=list)
    tracks: list[Track] = field(default_factory=list)
    device: str = ""
    offset_min: int | None = None
    undated: int = 0
    broken: bool = False


@dataclass(slots=True, kw_only=True)
class Outing:
    """Tracks that follow each other within hours."""

    tracks: list[Track] = field(default_factory=list)
    rows: list[NDArray[np.intp]] = field(default_factory=list)  # of each track
    last_s: float = -np.inf
    repeats: bool = False  # a track of the same hours was left out


def recordings(document: Document, *, base: datetime) -> tuple[Recording, ...]:
    """Return one recording an outing; raises Unreadable when no track has two points."""
    at_s, columns = document.samples.at_s(), document.samples.columns()
    segments = np.array(document.segments, dtype=np.intp)
    outings = _outings(document.tracks, at_s)
    if len(outings) > MOST_OUTINGS:
        raise Unreadable(TOO_MANY)
    rows = [np.concatenate(outing.rows) for outing in outings]
    found = tuple(
        _recording(document, outing, at_s[mine], select(columns, mine), segments[mine], base=base)
        for outing, mine in zip(outings, rows, strict=True)
        if np.ptp(at_s[mine]) > 0
    )
    if not found:
        raise Unreadable(TOO_SHORT)
    return found


def follow(
    at_s: Array, columns: dict[str, Array], segments: NDArray[np.intp], *, start_s: float, excused: bool
) -> tuple[dict[str, Array], NDArray[np.bool_], float]:
    """Return the streams, where among their samples a segment begins, and by how much the clock was set.

    `excused`: a gap of hours within a segment is a pause; otherwise the clock was set.
    """
    changes = np.diff(segments) != 0
    time_s, ticks = clock.straighten(
        at_s, start_s=start_s, expected_s=None, excused=changes | np.full(len(changes), excused)
    )
    streams = samples.streams(time_s, columns)
    begins_s = np.round(time_s[1:][changes], 6)
    return streams, np.isin(streams["time_s"], begins_s), ticks.jumped_s


def _recording(
    document: Document,
    outing: Outing,
    at_s: Array,
    columns: dict[str, Array],
    segments: NDArray[np.intp],
    *,
    base: datetime,
) -> Recording:
    start_s = float(at_s[0])
    streams, breaks, jumped_s = follow(at_s, columns, segments, start_s=start_s, excused=True)
    if "latitude_deg" in streams:
        latitude, longitude = streams["latitude_deg"], streams["longitude_deg"]
        streams["distance_m"] = ground.distance_m(latitude, longitude, breaks=breaks)
    time_s, distance_m = streams["time_s"], streams.get("distance_m")
    stood = pauses.from_breaks(time_s, breaks=breaks)
    word = next((track.sport_word for track in outing.tracks if track.sport_word), "")
    sport, sub_sport = sports.named(word)
    return Recording(
        format="gpx",
        sport=sport,
        sub_sport=sub_sport,
        name=next((track.name for track in outing.tracks if track.name), ""),
        device=document.device,
        started_at=moments.checked(base + timedelta(seconds=start_s)),
        elapsed_s=float(time_s[-1]),
        timer_s=float(time_s[-1]) - sum(pause.duration_s for pause in stood),
        distance_m=None if distance_m is None else float(np.nanmax(distance_m)),
        utc_offset_min=document.offset_min,
        indoor=sub_sport in sports.INDOOR,
        virtual=sub_sport == "virtual_activity" or sports.VIRTUAL_MAKERS.search(document.device) is not None,
        streams=streams,
        pauses=stood,
        notes=_notes(document, outing, jumped_s=jumped_s, stood=stood),
    )


def _notes(document: Document, outing: Outing, *, jumped_s: float, stood: tuple[Pause, ...]) -> tuple[str, ...]:
    longest_s = max((pause.duration_s for pause in stood), default=0.0)
    said = {
        notes.broken(len(document.samples)): document.broken,
        notes.undated(document.undated): document.undated > 0,
        notes.clock_set(jumped_s): jumped_s != 0,
        notes.REPEATED_TRACK: outing.repeats,
        notes.long_pause(longest_s): longest_s >= notes.LONG_PAUSE_S,
    }
    return tuple(sentence for sentence, holds in said.items() if holds)


def _outings(tracks: Sequence[Track], at_s: Array) -> list[Outing]:
    """Return the tracks grouped: hours apart they are outings of their own, within each other's hours one is a copy."""
    ends = [*(track.first_row for track in tracks[1:]), len(at_s)]
    spans = [(track, np.arange(track.first_row, end)) for track, end in zip(tracks, ends, strict=True)]
    spans = [(track, rows) for track, rows in spans if len(rows)]
    spans.sort(key=lambda span: float(at_s[span[1]].min()))
    outings: list[Outing] = []
    for track, rows in spans:
        first_s, last_s = float(at_s[rows].min()), float(at_s[rows].max())
        if outings and last_s <= outings[-1].last_s:
            outings[-1].repeats = True
            continue
        if not outings or not 0 <= first_s - outings[-1].last_s < APART_S:
            outings.append(Outing())
        outings[-1].tracks.append(track)
        outings[-1].rows.append(rows)
        outings[-1].last_s = last_s
    return outings
