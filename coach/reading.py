"""Reads what was handed in, file by file, in the line of its source, and says what became of each."""

import logging
import traceback
from collections.abc import Iterable

from django.conf import settings
from django.db import DatabaseError, InterfaceError

from coach import originals, recordings
from coach.formats import Unreadable, archive, foreign
from coach.imports import clean_name, counts
from coach.models import ImportFile
from jobs import api

GONE = "The file is no longer on this server, so it cannot be read. Hand it in again."
FAULT = "Coach could not read this file because of a fault of its own. The file is kept; ask again after an update."
Outcome = ImportFile.Outcome
logger = logging.getLogger("coach.imports")


def read(run: api.Run) -> dict[str, int]:
    """Read every file that is still open; a file that cannot be read is an item that failed."""
    for item in run.items():
        file = ImportFile.objects.select_related("run__source__athlete__user").filter(pk=int(item.key)).first()
        if file is None:
            with run.save():
                item.skip("It was deleted before it was read.")
            continue
        _read_one(run, item, file)
        counted = ImportFile.objects.filter(run=file.run)
        run.progress(counted.exclude(outcome=Outcome.WAITING).count(), counted.count(), file.name)
    return dict(counts(ImportFile.objects.filter(run=int(run.subject))))


def _read_one(run: api.Run, item: api.Item, file: ImportFile) -> None:
    if file.outcome == Outcome.REFUSED and not file.sha256:
        with run.save():
            item.fail(file.sentence)
        return
    try:
        if is_archive(file):
            members = _members(run, file)
            with run.save():
                _add_members(run, file, members)
                item.ok()
            return
        found = _prepared(file)
    except (Unreadable, archive.Refused, FileNotFoundError) as error:
        refusal = GONE if isinstance(error, FileNotFoundError) else str(error)
        with run.save():
            _end(file, Outcome.REFUSED, refusal)
            item.fail(refusal)
        return
    with run.save():
        outcome, sentence = recordings.store(file, found)
        _end(file, outcome, sentence)
        item.ok()


def is_archive(file: ImportFile) -> bool:
    with originals.reader(file.sha256) as data:
        return archive.is_zip(data.read(8))


def _prepared(file: ImportFile) -> list[recordings.Prepared]:
    """Read one file; a fault of ours in one must not keep the others from being read."""
    try:
        return recordings.prepare(file)
    except (Unreadable, OSError, DatabaseError, InterfaceError, api.JobsError):
        raise
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        logger.error("import.fault file=%s error=%s at=%s:%s", file.pk, type(error).__name__, place.name, place.lineno)
        raise Unreadable(FAULT) from error


def _members(run: api.Run, file: ImportFile) -> list[ImportFile]:
    """Keep each member of an archive as a file of its own; of a refused archive nothing stays."""
    kept: list[ImportFile] = []
    try:
        for member in _unpacked(file):
            run.check()
            kept.append(member)
    except archive.Refused:
        for member in kept:
            originals.forget(member.sha256)
        raise
    return kept


def _unpacked(file: ImportFile) -> Iterable[ImportFile]:
    limits = archive.Limits(member_bytes=settings.UPLOAD_FILE_BYTES)
    with originals.reader(file.sha256) as data:
        for member in archive.members(data, limits=limits):
            name = clean_name(f"{file.name}/{member.name}")
            try:
                content = member.read()
                if archive.is_zip(content):
                    raise Unreadable(foreign.sentence(content, name=name))
            except Unreadable as refusal:
                yield ImportFile(
                    run=file.run, name=name, size=0, sha256="", outcome=Outcome.REFUSED, sentence=str(refusal)
                )
                continue
            sha256, size = originals.keep([content])
            yield ImportFile(run=file.run, name=name, size=size, sha256=sha256)


def _add_members(run: api.Run, file: ImportFile, members: list[ImportFile]) -> None:
    if not members:
        _end(file, Outcome.REFUSED, "The archive holds no files. Pack the recordings again and upload that.")
        return
    created = ImportFile.objects.bulk_create(members)
    run.add_items([str(member.pk) for member in created])
    count = f"{len(created)} file{'s' if len(created) > 1 else ''}"
    _end(file, Outcome.IMPORTED, f"An archive of {count}, each listed here.")


def _end(file: ImportFile, outcome: str, sentence: str) -> None:
    ImportFile.objects.filter(pk=file.pk).update(outcome=outcome, sentence=sentence[:1000])
