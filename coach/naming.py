"""Gives the recordings of a file what only its row in the table of the archive says."""

from coach.formats import Recording, Unreadable, row
from coach.formats.strava import naming
from coach.models import ImportFile


def named(found: tuple[Recording, ...], file: ImportFile) -> tuple[Recording, ...]:
    said = file.state.get("row")
    if not said:
        return found
    try:
        (told,) = row.read(str(said["document"]).encode())
    except Unreadable:
        return found
    return tuple(naming.named(recording, row=told) for recording in found)
