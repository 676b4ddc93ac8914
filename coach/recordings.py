"""Recordings become activities: prepared without the database's time, stored in one save."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from coach import places, streams
from coach.formats import Recording
from coach.metrics.session import SessionMetrics
from coach.models import Activity, Athlete, ImportFile, Provenance, Streams
from coach.scale import Scale

Outcome = ImportFile.Outcome
PRECEDENCE = {
    "fit": Provenance.Precedence.FIT,
    "tcx": Provenance.Precedence.TCX,
    "gpx": Provenance.Precedence.GPX,
    "row": Provenance.Precedence.ROW,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """One session, ready to be stored."""

    session: int
    recording: Recording
    metrics: SessionMetrics
    zone: str
    local_date: date
    packed: bytes
    measured_with: str


def prepare(file: ImportFile, found: Sequence[Recording]) -> list[Prepared]:
    """Compute what is derived from the recordings of a file."""
    athlete = file.run.source.athlete
    return [_prepared(number, recording, athlete) for number, recording in enumerate(found)]


def _prepared(number: int, recording: Recording, athlete: Athlete) -> Prepared:
    zone = places.zone_of(recording, home=athlete.time_zone)
    day = places.local(recording.started_at, zone).date()
    scale = Scale.of(athlete, day)
    return Prepared(
        session=number,
        recording=recording,
        metrics=scale.measure(recording),
        zone=zone,
        local_date=day,
        packed=streams.pack(recording.streams, series=recording.series),
        measured_with=scale.key,
    )


def store(file: ImportFile, found: Sequence[Prepared]) -> tuple[str, str]:
    """Write the activities of a file; return its outcome and a sentence. The same bytes make nothing new."""
    athlete = file.run.source.athlete
    known = Provenance.objects.filter(athlete=athlete, sha256=file.sha256).select_related("activity").first()
    if known:
        day = f", from {known.activity.local_date:%-d %B %Y}" if known.activity else ""
        return Outcome.DUPLICATE, f"The same recording is already there{day}."
    for prepared in found:
        _create(file, prepared)
    return Outcome.IMPORTED, _sentence(found)


def _create(file: ImportFile, prepared: Prepared) -> None:
    source, recording = file.run.source, prepared.recording
    activity = Activity.objects.create(
        athlete=source.athlete,
        source=source,
        started_at=recording.started_at,
        time_zone=prepared.zone,
        local_date=prepared.local_date,
        sport=recording.sport[:32],
        sub_sport=recording.sub_sport[:32],
        name=recording.name[:200],
        indoor=recording.indoor,
        virtual=recording.virtual,
        measured_with=prepared.measured_with,
        **derived(prepared.metrics),
    )
    origin = Provenance.objects.create(
        activity=activity,
        athlete=source.athlete,
        file=file,
        sha256=file.sha256,
        session=prepared.session,
        format=recording.format,
        device=recording.device[:100],
        precedence=PRECEDENCE[recording.format],
        started_at=recording.started_at,
        timer_s=recording.timer_s,
        distance_m=activity.distance_m,
    )
    samples = len(next(iter(recording.streams.values()), ()))
    Streams.objects.create(provenance=origin, samples=samples, packed=prepared.packed)


def derived(metrics: SessionMetrics) -> dict[str, Any]:
    """Return the fields of an activity that are computed from its recording."""
    values = {name: getattr(metrics, name) for name in metrics.__slots__}
    names = {field.name for field in Activity._meta.get_fields()}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items() if name in names}


def _sentence(found: Sequence[Prepared]) -> str:
    notes = list(dict.fromkeys(note for prepared in found for note in prepared.recording.notes))
    count = f"It holds {len(found)} activities. " if len(found) > 1 else ""
    return (count + " ".join(notes)).strip()
