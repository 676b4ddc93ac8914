"""Large files arrive in pieces: what has come stays when the connection breaks, and is gone on with later."""

import fcntl
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.db.models import Count, F, QuerySet, Sum
from django.utils import timezone

from coach import arriving, imports, originals
from coach.arriving import Arrival
from coach.models import Athlete, ImportRun, Source, Upload
from jobs import api

KIND = "sweep-uploads"
KEPT = timedelta(days=2)  # after the last piece


class Refused(Exception):
    """The file cannot be taken in; the message says why and what to do."""


class TooLarge(Refused):
    """One file is larger than any may be."""


class Elsewhere(Exception):
    """The piece does not go on where the file ends, or another page is sending to it right now."""


class Gone(Exception):
    """The upload was discarded, or has become an import."""


# Beginning


def begin(athlete: Athlete, *, name: str, size: int) -> Upload:
    """Make room for a file. Raises TooLarge, Refused and NoRoom."""
    if size > settings.UPLOAD_ARCHIVE_BYTES:
        raise TooLarge(arriving.refusal(size, bytes))
    _check_number(athlete, size)
    if not originals.has_room(size + _promised_bytes()):
        raise originals.NoRoom
    return Upload.objects.create(athlete=athlete, name=imports.clean_name(name), size=size)


def _check_number(athlete: Athlete, size: int) -> None:
    held = unfinished(athlete).aggregate(number=Count("pk"), size=Sum("size", default=0))
    if held["number"] >= 2 * settings.UPLOAD_FILES or held["size"] + size > 2 * settings.UPLOAD_ARCHIVE_BYTES:
        raise Refused("You have too many unfinished uploads. Finish or discard them on the import page, then go on.")


def _promised_bytes() -> int:
    """Return what unfinished uploads of everybody will still need."""
    open_ones = Upload.objects.filter(run=None).aggregate(left=Sum(F("size") - F("received"), default=0))
    return int(open_ones["left"])


def unfinished(athlete: Athlete) -> QuerySet[Upload]:
    return Upload.objects.filter(athlete=athlete, run=None).order_by("created_at")


# Going on


def append(upload: Upload, pieces: Iterable[bytes], *, offset: int) -> Upload:
    """Add bytes at the end; what came before an error in `pieces` stays.

    The row says how much is safely on disk; what a killed process wrote beyond is written over.
    Raises Elsewhere, TooLarge (more than was announced), NoRoom and Gone.
    """
    with _alone(upload) as handle:
        upload.refresh_from_db(fields=["received"])
        if offset != upload.received:
            raise Elsewhere
        os.lseek(handle, offset, os.SEEK_SET)
        try:
            for piece in pieces:
                if upload.received + len(piece) > upload.size:
                    raise TooLarge("This is more than the file was said to hold. Send it anew.")
                _write(upload, handle, piece)
        finally:
            if upload.received > offset:
                _record(upload, handle)
    if offset == 0:
        _look_at_head(upload)
    return upload


def _look_at_head(upload: Upload) -> None:
    """Say at once when all that is still to come would be refused."""
    sentence = arriving.refusal(upload.size, arrived(upload).head)
    if sentence:
        discard(upload)
        raise TooLarge(sentence)


def _write(upload: Upload, handle: int, piece: bytes) -> None:
    rest = memoryview(piece)
    with originals.no_room():
        while rest:
            written = os.write(handle, rest)
            upload.received += written
            rest = rest[written:]


def _record(upload: Upload, handle: int) -> None:
    with originals.no_room():
        os.fsync(handle)
    now = timezone.now()
    if not Upload.objects.filter(pk=upload.pk, run=None).update(received=upload.received, touched_at=now):
        path_of(upload).unlink(missing_ok=True)
        raise Gone


def is_busy(upload: Upload) -> bool:
    """Whether somebody sends to it right now, or the server still waits for a connection that is lost."""
    try:
        with _alone(upload):
            return False
    except Elsewhere:
        return True


@contextmanager
def _alone(upload: Upload) -> Iterator[int]:
    """Open the file for one writer; a second one is told where it stands instead of waiting."""
    path = path_of(upload)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise Elsewhere from error
        yield handle
    finally:
        os.close(handle)


def path_of(upload: Upload) -> Path:
    return folder() / str(upload.pk)


def folder() -> Path:
    return Path(settings.DATA) / "uploads"


# Becoming an import


def named(athlete: Athlete, ids: Sequence[str]) -> list[Upload]:
    """Return the athlete's uploads in this order; raises Refused when one is not theirs, or gone."""
    try:
        found = {str(row.pk): row for row in Upload.objects.filter(athlete=athlete, pk__in=ids).select_related("run")}
    except ValidationError:
        found = {}
    if len(found) < len(set(ids)):
        raise imports.Refused("An upload is no longer here. Choose your files again.")
    return [found[key] for key in dict.fromkeys(ids)]


def hand_in(source: Source, uploads: list[Upload], posted: "Iterable[UploadedFile[Any]]", *, by: object) -> ImportRun:
    """Make one import of files that arrived in pieces and of files that came with the form.

    Sent twice, the second finds the import of the first. Raises what imports.receive does.
    """
    for upload in uploads:
        if upload.run:
            return upload.run
        if upload.received < upload.size:
            raise imports.Refused(f"{upload.name} has not arrived wholly. Choose it again, and it goes on from there.")
    arrivals = [*map(arrived, uploads), *map(arriving.posted, posted)]
    imports.check(arrivals)
    kept = imports.keep_all(arrivals)
    with transaction.atomic():
        mine = Upload.objects.select_for_update().filter(pk__in=[upload.pk for upload in uploads])
        earlier = next((row.run for row in mine.order_by("pk") if row.run), None)
        if earlier is None:
            run = imports.begin(source, kept, by=by, way=ImportRun.Way.PAGE)
            mine.update(run=run)
    if earlier:
        originals.settled(file.sha256 for file in kept)
        return earlier
    for upload in uploads:
        path_of(upload).unlink(missing_ok=True)
    return run


def arrived(upload: Upload) -> Arrival:
    path = path_of(upload)
    if not upload.size:  # no piece of it ever came
        return Arrival(name=upload.name, size=0, head=bytes, keep=lambda: originals.keep([]))

    def head() -> bytes:
        return next(arriving.pieces_of(path), b"")[: arriving.HEAD_BYTES]

    return Arrival(name=upload.name, size=upload.size, head=head, keep=lambda: originals.adopt(path))


# Ending without one


def discard(upload: Upload) -> None:
    path = path_of(upload)
    upload.delete()
    path.unlink(missing_ok=True)


def sweep(run: api.Run) -> int:
    """Delete uploads that nobody went on with, and what processes that were killed left on the disk."""
    before = timezone.now() - KEPT
    stale = list(Upload.objects.filter(touched_at__lt=before).values_list("pk", flat=True))
    with run.save():
        Upload.objects.filter(pk__in=stale, touched_at__lt=before).delete()
    known = set(Upload.objects.values_list("pk", flat=True))
    left = [*folder().glob("*"), *originals.folder().glob(f"{originals.ARRIVING}*"), *originals.claims().glob("*")]
    for path in left:
        with suppress(FileNotFoundError):
            if not _is_of(path, known) and path.stat().st_mtime < before.timestamp():
                path.unlink()
    for sha256 in originals.unnamed(run.check):
        originals.forget(sha256)
    return len(stale)


def _is_of(path: Path, known: set[UUID]) -> bool:
    try:
        return UUID(path.name) in known
    except ValueError:
        return False
