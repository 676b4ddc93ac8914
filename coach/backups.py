"""Backups: the database and the originals in one file, and from that file back into an empty place."""

import errno
import hashlib
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

from coach import dumps, originals, standing
from coach.models import ImportFile
from jobs import api

FORMAT = 1
ABOUT, DUMP, ORIGINALS = "coach-backup.json", "database.dump", "originals"
NOTHING = " Nothing was restored."
NO_BACKUP = f"{{path}} is no backup of Coach, or it breaks off.{NOTHING}"
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
    damaged: int  # files whose bytes are others than those that were handed in; they were left out
    paused: tuple[str, ...]  # pools


# Writing


def write(path: Path) -> Written:
    """Write a backup, whole or not at all. The database first: what comes in meanwhile adds files that no row names."""
    _check_target(path)
    held = sorted(standing.applied())
    if not held:
        raise dumps.Refused("This database holds nothing of Coach. Look at DATABASE_URL.")
    partial = path.with_name(f"{path.name}.partial")
    with _plainly(path.parent), tempfile.TemporaryDirectory(dir=path.parent, prefix="coach-backup-") as scratch:
        about, dump = Path(scratch, ABOUT), Path(scratch, DUMP)
        made_at = timezone.now().isoformat()
        about.write_text(json.dumps({"format": FORMAT, "made_at": made_at, "migrations": held}))
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


def _check_target(path: Path) -> None:
    if path.is_dir():
        raise dumps.Refused(f"{path} is a folder: name a file in it, such as {path / 'coach.tar'}.")
    if not path.parent.is_dir():
        raise dumps.Refused(f"There is no folder {path.parent}.")
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise dumps.Refused(f"This user may not write to {path.parent.absolute()}.")


@contextmanager
def _plainly(folder: Path, then: str = "") -> Iterator[None]:
    """Turn what the system says while files are written to the folder into a sentence."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise dumps.Refused(f"The disk of {folder.absolute()} is full.{then}") from error
        raise dumps.Refused(f"{error.filename or folder}: {error.strerror}.{then}") from error


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
    with _plainly(_data(), NOTHING):
        _check_empty()
    with (
        _opened(path) as tar,
        _plainly(_data(), NOTHING),
        tempfile.TemporaryDirectory(dir=_data(), prefix="restoring-") as scratch,
    ):
        about = _unpacked(tar, Path(scratch))
        _check_version(about)
        kept = Path(scratch, ORIGINALS)
        kept.mkdir(exist_ok=True)
        damaged = set(_without_damaged(kept))
        dumps.restore(Path(scratch, DUMP))
        target = originals.folder()
        target.rmdir()
        kept.rename(target)
    call_command("migrate", interactive=False, verbosity=0)
    names = list(ImportFile.objects.exclude(sha256="").order_by().values_list("sha256", flat=True).distinct())
    lacking = {name for name in names if not originals.path_of(name).exists()}
    return Restored(
        made_at=str(about.get("made_at", "")),
        originals=len(names) - len(lacking),
        missing=len(lacking - damaged),
        damaged=len(lacking & damaged),
        paused=tuple(api.settle()),
    )


def _check_empty() -> None:
    if connection.introspection.table_names():
        raise dumps.Refused("The database has tables already. Create an empty one, and set DATABASE_URL to it.")
    if any(originals.folder().iterdir()):
        raise dumps.Refused(f"{originals.folder()} has files already. Set COACH_DATA to an empty folder.")


def _check_version(about: dict[str, object]) -> None:
    """The code must know each table of the backup; one of before these were listed says nothing, and is believed."""
    held = about.get("migrations", [])
    newer = {tuple(map(str, key)) for key in held} if isinstance(held, list) else set()
    if unknown := sorted(newer - standing.migrations()):
        raise dumps.Refused(
            f"The backup comes from a newer version of Coach, which has {'.'.join(unknown[-1])}. "
            "Install that version, then restore. Nothing was restored."
        )


def _without_damaged(kept: Path) -> Iterator[str]:
    """Delete each original whose bytes are not those of its name; yield the name."""
    for file in kept.glob("*/*"):
        with file.open("rb") as opened:
            digest = hashlib.file_digest(opened, "sha256").hexdigest()
        if digest != file.name:
            file.unlink()
            yield file.name


def _data() -> Path:
    return Path(settings.DATA)


@contextmanager
def _opened(path: Path) -> Iterator[tarfile.TarFile]:
    try:
        with tarfile.open(path, mode="r:") as tar:
            yield tar
    except FileNotFoundError as error:
        raise dumps.Refused(f"{path} is not there.") from error
    except OSError as error:
        raise dumps.Refused(f"{path} cannot be read: {error.strerror}.") from error
    except (tarfile.TarError, dumps.Damaged) as error:
        raise dumps.Refused(NO_BACKUP.format(path=path)) from error


def _unpacked(tar: tarfile.TarFile, scratch: Path) -> dict[str, object]:
    """Unpack the files of a backup below the folder; anything else in it is left out."""
    for member in _members(tar):
        named = Path(member.name)
        ours = member.name in (ABOUT, DUMP) or (named.parts[:1] == (ORIGINALS,) and len(named.parts) == 3)
        if ours and member.isreg():
            tar.extract(member, scratch, filter="data")
    try:
        about = json.loads((scratch / ABOUT).read_text())
    except (OSError, ValueError) as error:
        raise tarfile.ReadError("no description") from error
    if not isinstance(about, dict) or about.get("format") != FORMAT or not (scratch / DUMP).exists():
        raise tarfile.ReadError("another format")
    return about


def _members(tar: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    """Yield all that is in it; a file that breaks off between two members lacks the empty block of the end."""
    yield from tar
    if tar.fileobj is None:
        return
    tar.fileobj.seek(tar.offset)
    if tar.fileobj.read(tarfile.BLOCKSIZE) != tarfile.NUL * tarfile.BLOCKSIZE:
        raise tarfile.ReadError("no end")
