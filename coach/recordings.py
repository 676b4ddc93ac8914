"""Recordings become activities: prepared without the database's time, stored in one save."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from coach import dates, loading, measuring, places, settling, stored, telling
from coach.formats import Recording
from coach.loading import load
from coach.measuring import Measured, derived
from coach.models import ImportFile, Provenance, Streams
from jobs import api

__all__ = ["Prepared", "derived", "load", "prepare", "store"]

Outcome = ImportFile.Outcome
UNDONE = "What was there already has been undone in the meantime, so the file is read after all."
PRECEDENCE = {
    "fit": Provenance.Precedence.FIT,
    "tcx": Provenance.Precedence.TCX,
    "gpx": Provenance.Precedence.GPX,
    "row": Provenance.Precedence.ROW,
    "screenshot": Provenance.Precedence.SCREENSHOT,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """One session, ready to be stored."""

    session: int
    recording: Recording
    measured: Measured
    packed: bytes


def prepare(file: ImportFile, found: Sequence[Recording]) -> list[Prepared]:
    """Compute what is derived from the recordings of a file, in their order."""
    athlete = file.run.source.athlete
    return [
        Prepared(
            session=number,
            recording=recording,
            measured=measuring.measure(recording, athlete),
            packed=stored.packed(recording),
        )
        for number, recording in enumerate(found)
    ]


def store(file: ImportFile, found: Sequence[Prepared]) -> tuple[str, str]:
    """Store the recordings of a file and sort them into activities; return its outcome and a sentence.

    The same bytes make nothing new; then, and only then, `found` may be empty. Inside a save; others who change this
    athlete's activities wait for its end.
    """
    athlete = file.run.source.athlete
    settling.lock(athlete)
    known = Provenance.objects.filter(athlete=athlete, sha256=file.sha256).order_by("session").first()
    if known:
        return Outcome.DUPLICATE, _already(known)
    if not found:
        raise api.Retry(UNDONE)
    corrected = dates.corrections(athlete, file.sha256)
    rows = [_create(file, one, corrected.get(one.session)) for one in found]
    fresh = {
        row.pk: one.measured for row, one in zip(rows, found, strict=True) if row.started_at == one.recording.started_at
    }
    settling.settle(athlete, [row.pk for row in rows if row.started_at], fresh=fresh, arriving=file.pk)
    return telling.tell([file.pk])[file.pk]


def _already(known: Provenance) -> str:
    """Say so with the day that the recording itself claims, whatever became of it since."""
    claimed = loading.claimed(known)
    if claimed is None or dates.is_impossible(claimed):
        return "The same recording is already there."
    said = known.header
    fix, offset_min = said.get("seen", {}).get("fix"), said.get("utc_offset_min")
    zone = places.zone_at(fix, offset_min=offset_min, home=known.athlete.time_zone)
    return f"The same recording is already there, from {places.local(claimed, zone):%-d %B %Y}."


def _create(file: ImportFile, one: Prepared, corrected: datetime | None) -> Provenance:
    """Store one recording; one that cannot have begun when it says stands aside until somebody says when."""
    athlete, recording = file.run.source.athlete, one.recording
    began = corrected or (None if dates.is_impossible(recording.started_at) else recording.started_at)
    row = Provenance.objects.create(
        athlete=athlete,
        file=file,
        sha256=file.sha256,
        session=one.session,
        format=recording.format,
        device=recording.device[:100],
        precedence=PRECEDENCE[recording.format],
        started_at=began,
        timer_s=recording.timer_s,
        distance_m=recording.distance_m,
        header=stored.header_of(recording),
    )
    Streams.objects.create(provenance=row, samples=stored.samples(recording), packed=one.packed)
    if began is None:
        dates.ask(row, recording.started_at)
    return row
