"""Reads a file into recordings; what a file is, its bytes decide, never its name."""

import re
from dataclasses import replace

from coach.formats import foreign, unpack
from coach.formats.recording import NoTraining, Recording, Unreadable
from coach.formats.registry import FORMATS, Format
from coach.formats.wellness import Contents

# Importing a module registers its reader.
from coach.formats import fit, garmin, gpx, row, tcx  # isort: skip

SOMETHING = re.compile(rb"[^\x00\t\n\r ]")

__all__ = [
    "FORMATS",
    "Contents",
    "NoTraining",
    "Recording",
    "Unreadable",
    "contents",
    "fit",
    "garmin",
    "gpx",
    "read",
    "row",
    "tcx",
]


def contents(data: bytes, *, name: str) -> Contents:
    """Return everything that one file says; its recordings are one a session, oldest first.

    A gzip file is unpacked first. Raises Unreadable with a sentence for the athlete when there is nothing to take.
    """
    data = unpack.gunzip(data)
    if not SOMETHING.search(data):
        raise Unreadable("The file is empty. Export the recording again and upload the new file.")
    for known in FORMATS.values():
        if known.claims(data):
            return _contents(known, data)
    raise Unreadable(foreign.sentence(data, name=name))


def _contents(known: Format, data: bytes) -> Contents:
    days = known.days(data) if known.days else Contents()
    try:
        found = known.read(data)
    except Unreadable:
        if not days.nights and not days.measures:
            raise
        return days
    return replace(days, recordings=tuple(sorted(found, key=lambda recording: recording.started_at)))


def read(data: bytes, *, name: str) -> tuple[Recording, ...]:
    """Return the recordings of one file, one a session, oldest first; raises Unreadable when there is none."""
    return contents(data, name=name).recordings
