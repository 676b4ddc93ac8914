"""Imports: receives files, reads them in the line of their source, and says what became of each."""

import hashlib
import logging
import traceback
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, BinaryIO

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.db import DatabaseError, InterfaceError, transaction
from django.db.models import Count

from coach import originals, recordings
from coach.formats import Unreadable, archive, foreign
from coach.models import ImportFile, ImportRun, Source
from jobs import api

KIND = "import"
GONE = "The file is no longer on this server, so it cannot be read. Hand it in again."
FAULT = "Coach could not read this file because of a fault of its own. The file is kept; ask again after an update."
Outcome = ImportFile.Outcome
logger = logging.getLogger("coach.imports")


class Refused(Exception):
    """Nothing was taken in; the message says why and what to do."""


REFUSALS = (Refused,)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportProgress:
    run: ImportRun
    ticket: api.Ticket | None
    files: list[ImportFile]
    counts: dict[str, int]
    done: int
    total: int
    rate_sentence: str
    poll_ms: int | None
    can_stop: bool
    can_retry: bool


# Receiving, in the request


def receive(source: Source, uploads: "Iterable[UploadedFile[Any]]", *, by: object) -> ImportRun:
    """Keep the files and enqueue their reading; the rows and the job commit together.

    Raises Refused when there are no files or too many. A file that is too large becomes a refused row.
    """
    files = list(uploads)
    if not files:
        raise Refused("Choose at least one file.")
    if len(files) > settings.UPLOAD_FILES:
        raise Refused(
            f"These are {len(files)} files; one import takes {settings.UPLOAD_FILES}. Put them in a zip, or in parts."
        )
    kept = [_kept(upload) for upload in files]
    with transaction.atomic():
        run = ImportRun.objects.create(source=source)
        for file in kept:
            file.run = run
            file.save()
        _enqueue(run, kept, watch=by)
    return run


def _kept(upload: "UploadedFile[Any]") -> ImportFile:
    name = clean_name(upload.name or "")
    size = upload.size or 0
    if size > settings.UPLOAD_FILE_BYTES:
        most = settings.UPLOAD_FILE_BYTES // 1024 // 1024
        sentence = f"It is larger than {most} MB, the most that one file may be here, so it was not taken in."
        return ImportFile(name=name, size=size, sha256="", outcome=Outcome.REFUSED, sentence=sentence)
    sha256, size = originals.keep(upload.chunks())
    return ImportFile(name=name, size=size, sha256=sha256)


def clean_name(name: str) -> str:
    """Return a name fit to be shown: printable, at most 300 characters, never empty."""
    shown = "".join(letter if letter.isprintable() else " " for letter in name).strip()
    return shown[-300:] or "(no name)"


def _enqueue(run: ImportRun, files: list[ImportFile], *, watch: object) -> None:
    source = run.source
    content = hashlib.sha256("".join(file.sha256 for file in files).encode()).hexdigest()
    api.enqueue(
        KIND,
        source.athlete.owner,
        str(run.pk),
        fingerprint=content,
        priority=api.INTERACTIVE,
        args={"source": source.pk},
        items=[str(file.pk) for file in files],
        watch=str(getattr(watch, "pk", "") or ""),
    )


# Reading, in the worker


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
    return dict(_counts(ImportFile.objects.filter(run=int(run.subject))))


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


# Watching, stopping, asking again


def progress(run: ImportRun) -> ImportProgress:
    """Return how far the import is, file by file, with what the page needs."""
    ticket = ticket_of(run)
    files = list(run.files.all())
    counts = dict(_counts(run.files.all()))
    total = len(files)
    items = ticket.items if ticket else {}
    done = max(0, sum(items.values()) - sum(items.get(unread, 0) for unread in ("pending", "running", "cancelled")))
    active = ticket is not None and ticket.is_active
    return ImportProgress(
        run=run,
        ticket=ticket,
        files=files,
        counts=counts,
        done=done,
        total=total,
        rate_sentence=_sentence(ticket, done, total),
        poll_ms=(1000 if ticket and ticket.status == "running" else 2000) if active else None,
        can_stop=bool(ticket and ticket.can_stop),
        can_retry=bool(ticket and ticket.can_retry),
    )


def _counts(files: Any) -> list[tuple[str, int]]:
    return list(files.order_by().values_list("outcome").annotate(Count("pk")))


def _sentence(ticket: api.Ticket | None, done: int, total: int) -> str:
    if ticket is None:
        return "It was not put in line. Hand the files in again."
    match ticket.status:
        case "running":
            return _rate(ticket, done, total)
        case "succeeded" | "partial":
            return ""
        case "failed":
            return "" if ticket.error_kind == "items" else f"The import failed: {ticket.error}"
        case "cancelled":
            return f"It was stopped; {done} of {total} files were read, and the rest are kept."
        case "interrupted":
            return "It was cut short. Nothing is lost; ask for it again."
        case _:
            return f"Waiting: {ticket.sentence[:1].lower()}{ticket.sentence[1:]}"


def _rate(ticket: api.Ticket, done: int, total: int) -> str:
    if ticket.stopping:
        return "Stopping after this file."
    left = total - done
    if not done or not ticket.elapsed_s or ticket.elapsed_s < 2:
        return "Reading."
    seconds = left * ticket.elapsed_s / done
    rest = f"{round(seconds)} s" if seconds < 90 else f"{round(seconds / 60)} min"
    return f"Reading, {done / ticket.elapsed_s:.1f} files a second; about {rest} left. You may close this page."


def ticket_of(run: ImportRun) -> api.Ticket | None:
    return api.ticket(KIND, run.source.athlete.owner, str(run.pk))


def stop(run: ImportRun, by: object) -> str:
    ticket = ticket_of(run)
    return api.stop(ticket.id, by=str(by)) if ticket else "over"


def retry(run: ImportRun, by: object) -> bool:
    """Read again what was not imported; the ones that are in stay."""
    ticket = ticket_of(run)
    return bool(ticket and api.retry(ticket.id, by=str(by)))


def original(file: ImportFile) -> BinaryIO:
    """Open the bytes as they came; raises FileNotFoundError when they were never taken in."""
    return originals.reader(file.sha256)
