"""Backups: the database and the originals in one file, and from that file back into an empty place."""

import json
import os
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from coach import dumps, originals
from coach.models import ImportFile
from jobs import api

FORMAT = 1
ABOUT, DUMP, ORIGINALS = "coach-backup.json", "database.dump", "originals"
PRIVATE = 0o600  # it holds everything that everybody handed in


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    originals: int
    size_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    made_at: str
    originals: int
    missing: int  # files whose rows are there and whose bytes are not
    paused: tuple[str, ...]  # pools


# Writing


def write(path: Path) -> Written:
    """Write a backup, whole or not at all. The database first: what comes in meanwhile adds files that no row names."""
    partial = path.with_name(f"{path.name}.partial")
    with tempfile.TemporaryDirectory(dir=path.parent, prefix="coach-backup-") as scratch:
        about, dump = Path(scratch, ABOUT), Path(scratch, DUMP)
        about.write_text(json.dumps({"format": FORMAT, "made_at": timezone.now().isoformat()}))
        dumps.write(dump)
        try:
            with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, PRIVATE), "wb") as file:
                with tarfile.open(fileobj=file, mode="w") as tar:
                    tar.add(about, ABOUT)
                    tar.add(dump, DUMP)
                    number = sum(_add(tar, original) for original in _kept())
                file.flush()
                os.fsync(file.fileno())
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)
    return Written(originals=number, size_bytes=path.stat().st_size)


def _kept() -> Iterator[Path]:
    for folder in sorted(originals.folder().iterdir()):
        if folder.is_dir():
            yield from sorted(folder.iterdir())


def _add(tar: tarfile.TarFile, original: Path) -> bool:
    """Add an original; one that was undone at this moment is left out."""
    try:
        tar.add(original, f"{ORIGINALS}/{original.parent.name}/{original.name}")
    except FileNotFoundError:
        return False
    return True


# Restoring


def restore(path: Path) -> Restored:
    """Bring everything back into an empty database and an empty folder, or nothing; pools stay paused until resumed."""
    _check_empty()
    with _opened(path) as tar, tempfile.TemporaryDirectory(dir=_data(), prefix="restoring-") as scratch:
        about = _unpacked(tar, Path(scratch))
        kept = Path(scratch, ORIGINALS)
        kept.mkdir(exist_ok=True)
        dumps.restore(Path(scratch, DUMP))
        target = originals.folder()
        target.rmdir()
        kept.rename(target)
    call_command("migrate", interactive=False, verbosity=0)
    names = list(ImportFile.objects.exclude(sha256="").order_by().values_list("sha256", flat=True).distinct())
    there = [name for name in names if originals.path_of(name).exists()]
    return Restored(
        made_at=str(about.get("made_at", "")),
        originals=len(there),
        missing=len(names) - len(there),
        paused=tuple(api.settle()),
    )


def _check_empty() -> None:
    if connection.introspection.table_names():
        raise dumps.Refused("The database has tables already. Create an empty one, and set DATABASE_URL to it.")
    if any(originals.folder().iterdir()):
        raise dumps.Refused(f"{originals.folder()} has files already. Set COACH_DATA to an empty folder.")


def _data() -> Path:
    return Path(settings.DATA)


@contextmanager
def _opened(path: Path) -> Iterator[tarfile.TarFile]:
    try:
        with tarfile.open(path, mode="r:") as tar:
            yield tar
    except FileNotFoundError as error:
        raise dumps.Refused(f"{path} is not there.") from error
    except tarfile.TarError as error:
        raise dumps.Refused(f"{path} is no backup of Coach, or it breaks off. Nothing was restored.") from error


def _unpacked(tar: tarfile.TarFile, scratch: Path) -> dict[str, object]:
    """Unpack the files of a backup below the folder; anything else in it is left out."""
    for member in tar:
        named = Path(member.name)
        ours = member.name in (ABOUT, DUMP) or (named.parts[:1] == (ORIGINALS,) and len(named.parts) == 3)
        if ours and member.isreg():
            tar.extract(member, scratch, filter="data")
    try:
        about = json.loads((scratch / ABOUT).read_text())
    except (OSError, ValueError) as error:
        raise tarfile.ReadError("no description") from error
    if about.get("format") != FORMAT or not (scratch / DUMP).exists():
        raise tarfile.ReadError("another format")
    return dict(about)
