"""Recordings as they are stored: a header, and their arrays packed; nothing is lost on the way and back."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from coach import streams
from coach.formats import header
from coach.formats.recording import Array, Recording, first_fix
from coach.models import Provenance, Streams

SHORTEST_TRAIT = 60  # samples of a heart rate before its mean says whose heart it was


def keep(origin: Provenance, recording: Recording) -> None:
    """Store the recording with its row, in place of what was stored before."""
    origin.header = header_of(recording)
    origin.save(update_fields=["header"])
    values = {"samples": samples(recording), "packed": packed(recording)}
    Streams.objects.update_or_create(provenance=origin, defaults=values)


def header_of(recording: Recording) -> header.Plain:
    return {**header.written(recording), "seen": seen(recording)}


def samples(recording: Recording) -> int:
    return len(next(iter(recording.streams.values()), ()))


def as_stored(origin: Provenance) -> Recording:
    """Return the recording; what its header does not say has its default. Raises KeyError without a header."""
    return header.restored(origin.header, unpacked(bytes(origin.streams.packed)))


def has_samples(origin: Provenance) -> bool:
    found: Streams | None = getattr(origin, "streams", None)
    return bool(found and found.samples)


def dated(recording: Recording, origin: Provenance) -> Recording:
    """Return the recording as of when it began: the row knows when the athlete put that right."""
    if origin.started_at is None or origin.started_at == recording.started_at:
        return recording
    return replace(recording, started_at=origin.started_at)


def packed(recording: Recording) -> bytes:
    return streams.pack(recording.streams, series=recording.series)


def unpacked(data: bytes) -> dict[str, dict[str, Array]]:
    """Return the arrays of a recording by the names of its fields."""
    return {"streams": streams.unpack(data), "series": streams.unpack_series(data)}


def seen(recording: Recording) -> Mapping[str, object]:
    """Return what tells two sessions at one time apart: where it began, and the mean heart rate."""
    beats = recording.streams.get("heart_rate_bpm", np.empty(0))
    beats = beats[beats > 0]
    return {
        "fix": None if recording.virtual else first_fix(recording),
        "heart_rate_bpm": round(float(beats.mean()), 1) if len(beats) >= SHORTEST_TRAIT else None,
    }
