"""The bytes athletes hand in, kept by their hash; a name somebody chose is never a path."""

import errno
import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from django.conf import settings

from coach.models import ImportFile

SPARE_BYTES = 200 * 1024 * 1024  # a disk that is full to the last byte stops more than an import
ARRIVING = "arriving-"


class NoRoom(Exception):
    """The disk of this server is full, so nothing was taken in. Tell the person who runs it, and try again later."""

    def __init__(self) -> None:
        super().__init__(self.__doc__)


def keep(chunks: Iterable[bytes]) -> tuple[str, int]:
    """Store the bytes, unless they are there; return their SHA-256 and their number. Raises NoRoom."""
    digest, size = hashlib.sha256(), 0
    handle, name = tempfile.mkstemp(dir=folder(), prefix=ARRIVING)
    temporary = Path(name)
    try:
        with no_room(), os.fdopen(handle, "wb") as file:
            for chunk in chunks:
                digest.update(chunk)
                size += len(chunk)
                file.write(chunk)
            file.flush()
            os.fsync(file.fileno())
        target = path_of(digest.hexdigest())
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
    return digest.hexdigest(), size


def adopt(path: Path) -> tuple[str, int]:
    """Keep a file that lies on the same disk already without copying a byte; the file stays where it is, too."""
    with path.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        size = os.fstat(file.fileno()).st_size
    target = path_of(sha256)
    target.parent.mkdir(parents=True, exist_ok=True)
    if not target.exists():
        with no_room():
            os.link(path, target)
    return sha256, size


@contextmanager
def no_room() -> Iterator[None]:
    """Turn what the system says of a full disk into NoRoom."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise NoRoom from error
        raise


def has_room(size: int) -> bool:
    """Return whether that many bytes more leave the disk usable."""
    return shutil.disk_usage(folder()).free >= size + SPARE_BYTES


def folder() -> Path:
    kept = Path(settings.DATA) / "originals"
    kept.mkdir(parents=True, exist_ok=True)
    return kept


def path_of(sha256: str) -> Path:
    if len(sha256) != 64 or not sha256.isalnum():
        raise FileNotFoundError("No original is kept under this name.")
    return Path(settings.DATA) / "originals" / sha256[:2] / sha256


def reader(sha256: str) -> BinaryIO:
    """Open what was kept; raises FileNotFoundError."""
    return path_of(sha256).open("rb")


def forget(sha256: str) -> None:
    """Delete what was kept, unless some file that was handed in still needs it."""
    if sha256 and not ImportFile.objects.filter(sha256=sha256).exists():
        path_of(sha256).unlink(missing_ok=True)
