"""The directory of Strava's export: which files are recordings, which belong to rows, which hold no training."""

from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from coach.formats.strava.table import Entry

TABLE = "activities.csv"
RECORDINGS = (".fit", ".gpx", ".tcx", ".zip")
NO_TRAINING = (
    "It holds settings, pictures or social matters of your Strava account, no training; it stays in the archive."
)
PLANNED = "It is a planned route, not a recording; it stays in the archive."


def holds(names: Iterable[str]) -> bool:
    """Say whether these are the names of Strava's export."""
    return table_of(names) is not None


def table_of(names: Iterable[str]) -> str | None:
    """Return the name of the table, the one that lies highest."""
    found = [name for name in names if PurePosixPath(name).name.lower() == TABLE]
    return min(found, key=lambda name: len(PurePosixPath(name).parts), default=None)


def ignored(name: str) -> str:
    """Return why a file is not read; "" when it may be a recording."""
    path = PurePosixPath(name.lower())
    if path.parent.name == "routes":
        return PLANNED
    bare = path.name.removesuffix(".gz")
    return "" if bare.endswith(RECORDINGS) or path.parent.name == "activities" else NO_TRAINING


def files(entries: Iterable[Entry]) -> Mapping[str, Entry]:
    """Return the row of each file, by the file's plain name."""
    found: dict[str, Entry] = {}
    for entry in entries:
        if entry.file:
            found.setdefault(plain(entry.file), entry)
    return found


def plain(name: str) -> str:
    """Return what a file is called wherever it lies and whether or not it was unpacked."""
    return PurePosixPath(name.replace("\\", "/").lower()).name.removesuffix(".gz")
