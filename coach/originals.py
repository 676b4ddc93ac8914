"""The bytes athletes hand in, kept by their hash; a name somebody chose is never a path.

Bytes are kept before the rows that name them are there. Until then a claim says that somebody needs them: without it
an undoing, of the same bytes and at that moment, would delete what has just come in.
"""

import errno
import fcntl
import hashlib
import os
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator
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
    """Store the bytes and claim them; return their SHA-256 and their number. Raises NoRoom."""
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
        with no_room(), _alone():
            _claim(digest.hexdigest())
            temporary.replace(_target(digest.hexdigest()))
    finally:
        temporary.unlink(missing_ok=True)
    return digest.hexdigest(), size


def adopt(path: Path) -> tuple[str, int]:
    """Keep and claim a file that lies on the same disk without copying a byte; the file stays where it is, too."""
    with path.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        size = os.fstat(file.fileno()).st_size
    with no_room(), _alone():
        _claim(sha256)
        target = _target(sha256)
        if not target.exists():
            os.link(path, target)
    return sha256, size


def _target(sha256: str) -> Path:
    target = path_of(sha256)
    target.parent.mkdir(parents=True, exist_ok=True)
    return target


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


def settled(hashes: Iterable[str]) -> None:
    """Give up the claims of this thread: rows that name these bytes are there now."""
    for sha256 in hashes:
        _claim_of(sha256).unlink(missing_ok=True)


def forget(sha256: str) -> None:
    """Delete what was kept, unless some file that was handed in, or is on its way in elsewhere, still needs it."""
    settled([sha256])
    if not sha256:
        return
    with _alone():
        # In this order: a claim is given up when its rows are there.
        is_claimed = any(claims().glob(f"{sha256}-*"))
        if not is_claimed and not ImportFile.objects.filter(sha256=sha256).exists():
            path_of(sha256).unlink(missing_ok=True)


def unnamed(check: Callable[[], None]) -> Iterator[str]:
    """Yield what no row names: a process that was killed left it."""
    for part in sorted(folder().glob("??")):
        check()
        kept = {path.name for path in part.iterdir()}
        yield from sorted(kept.difference(ImportFile.objects.filter(sha256__in=kept).values_list("sha256", flat=True)))


def claims() -> Path:
    there = Path(settings.DATA) / "claims"
    there.mkdir(parents=True, exist_ok=True)
    return there


def _claim(sha256: str) -> None:
    _claim_of(sha256).touch()


def _claim_of(sha256: str) -> Path:
    return claims() / f"{sha256}-{os.getpid()}-{threading.get_ident()}"


@contextmanager
def _alone() -> Iterator[None]:
    """Let nobody claim or delete bytes meanwhile."""
    handle = os.open(claims(), os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
