"""The bytes athletes hand in, kept by their hash; a name somebody chose is never a path."""

import hashlib
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

from django.conf import settings

from coach.models import ImportFile


def keep(chunks: Iterable[bytes]) -> tuple[str, int]:
    """Store the bytes, unless they are there; return their SHA-256 and their number."""
    folder = Path(settings.DATA) / "originals"
    folder.mkdir(parents=True, exist_ok=True)
    digest, size = hashlib.sha256(), 0
    handle, name = tempfile.mkstemp(dir=folder, prefix="arriving-")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
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
