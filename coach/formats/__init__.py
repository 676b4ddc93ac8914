"""Reads a file into recordings; what a file is, its bytes decide, never its name."""

from coach.formats import foreign, unpack
from coach.formats.recording import Recording, Unreadable
from coach.formats.registry import FORMATS

# Importing a module registers its reader.
from coach.formats import fit, gpx, tcx  # isort: skip

__all__ = ["FORMATS", "Recording", "Unreadable", "fit", "gpx", "read", "tcx"]


def read(data: bytes, *, name: str) -> tuple[Recording, ...]:
    """Return the recordings of one file, one a session, oldest first.

    A gzip file is unpacked first. Raises Unreadable with a sentence for the athlete when there is none.
    """
    data = unpack.gunzip(data)
    if not data.strip(b"\x00\t\n\r "):
        raise Unreadable("The file is empty. Export the recording again and upload the new file.")
    for known in FORMATS.values():
        if known.claims(data):
            return tuple(sorted(known.read(data), key=lambda recording: recording.started_at))
    raise Unreadable(foreign.sentence(data, name=name))
