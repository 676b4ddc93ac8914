"""Finds the plain files below a folder: no link is followed, what is hidden or unfinished is left alone."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from coach import arriving, originals
from coach.arriving import Arrival

UNFINISHED = (".part", ".partial", ".crdownload", ".download", ".tmp", ".temp", "~")
CHANGED = "It changed while it was being read."


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    root: Path
    place: str  # below the root, as the system calls it
    size: int
    changed_ns: int

    @property
    def name(self) -> str:
        return shown(self.place)

    def arrival(self) -> Arrival:
        return Arrival(name=self.name, size=self.size, head=self.head, keep=lambda: originals.keep(pieces(self)))

    def head(self) -> bytes:
        return next(pieces(self), b"")[: arriving.HEAD_BYTES]


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    name: str
    why: str


def walk(root: Path) -> Iterator[Found | Unread]:
    """Yield what is below, folder by folder, in order of names."""
    todo = [""]
    while todo:
        place = todo.pop()
        try:
            with os.scandir(root / place) as entries:
                inside = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            yield Unread(name=f"{shown(place)}/", why=why(error))
            continue
        for entry in inside:
            below = f"{place}/{entry.name}" if place else entry.name
            if entry.name.startswith(".") or entry.name.lower().endswith(UNFINISHED):
                continue
            if entry.is_dir(follow_symlinks=False):
                todo.append(below)
            elif entry.is_file(follow_symlinks=False):
                yield from _found(root, below, entry)


def _found(root: Path, place: str, entry: "os.DirEntry[str]") -> Iterator[Found | Unread]:
    try:
        status = entry.stat(follow_symlinks=False)
    except FileNotFoundError:
        return
    except OSError as error:
        yield Unread(name=shown(place), why=why(error))
        return
    yield Found(root=root, place=place, size=status.st_size, changed_ns=status.st_mtime_ns)


def pieces(found: Found) -> Iterator[bytes]:
    """Read a file; a link or pipe that took the place of it or of a folder above is not followed.

    Raises OSError, also at the end when the file is no longer what was found.
    """
    above = os.open(found.root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        *folders, last = found.place.split("/")
        for folder in folders:
            below = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=above)
            os.close(above)
            above = below
        handle = os.open(last, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW, dir_fd=above)
    finally:
        os.close(above)
    try:
        yield from arriving.plain_pieces(handle)
        status = os.fstat(handle)
        if (status.st_size, status.st_mtime_ns) != (found.size, found.changed_ns):
            raise OSError(CHANGED)
    finally:
        os.close(handle)


def shown(place: str) -> str:
    """Return a name of the system as text that can be stored, whatever bytes it has."""
    return os.fsencode(place).decode(errors="backslashreplace")


def why(error: OSError) -> str:
    """Say what the system said, as a sentence."""
    return f"{error.strerror}." if error.strerror else str(error)
