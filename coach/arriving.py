"""A file on its way in, whichever way it takes, and what is too large to be taken."""

import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile

from coach import originals
from coach.formats import archive

MEBIBYTE = 1024 * 1024
HEAD_BYTES = 4096
HEALTH = b"HealthData"  # Apple's export, unpacked: it stands in the first lines


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """What is known of a file before it is kept. `head` and `keep` raise OSError when it cannot be read."""

    name: str
    size: int
    head: Callable[[], bytes]
    keep: Callable[[], tuple[str, int]]  # its SHA-256 and size


def posted(file: "UploadedFile[Any]") -> Arrival:
    """Return a file that came with a form."""

    def head() -> bytes:
        file.seek(0)
        return bytes(file.read(HEAD_BYTES))

    return Arrival(
        name=file.name or "", size=file.size or 0, head=head, keep=lambda: originals.keep(file.chunks(MEBIBYTE))
    )


def pieces_of(path: Path) -> Iterator[bytes]:
    """Read a plain file; a pipe that took its place is not waited for."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    with os.fdopen(handle, "rb") as file:
        yield from plain_pieces(file.fileno())


def plain_pieces(handle: int) -> Iterator[bytes]:
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        raise OSError("It is no plain file.")
    while piece := os.read(handle, MEBIBYTE):
        yield piece


def refusal(size: int, head: Callable[[], bytes]) -> str:
    """Say why a file of this size is not taken in; nothing when it is.

    One recording is read in memory, so it may weigh less than an archive or a health export, which are read in parts.
    """
    if size > settings.UPLOAD_ARCHIVE_BYTES:
        return _too_large(settings.UPLOAD_ARCHIVE_BYTES, "one file")
    if size > settings.UPLOAD_FILE_BYTES and not is_read_in_parts(head()):
        return _too_large(settings.UPLOAD_FILE_BYTES, "one recording")
    return ""


def is_read_in_parts(head: bytes) -> bool:
    return archive.is_zip(head) or HEALTH in head


def _too_large(most_bytes: int, what: str) -> str:
    return f"It is larger than {most_bytes // MEBIBYTE} MB, the most that {what} may be here, so it was not taken in."
