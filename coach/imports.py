"""Imports: receives files, enqueues their reading, and shows how far it is."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, BinaryIO

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.db.models import Count

from coach import originals
from coach.models import ImportFile, ImportRun, Source
from jobs import api

KIND = "import"
Outcome = ImportFile.Outcome


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


# Watching, stopping, asking again


def progress(run: ImportRun) -> ImportProgress:
    """Return how far the import is, file by file, with what the page needs."""
    ticket = ticket_of(run)
    files = list(run.files.all())
    of_files = dict(counts(run.files.all()))
    total = len(files)
    items = ticket.items if ticket else {}
    done = max(0, sum(items.values()) - sum(items.get(unread, 0) for unread in ("pending", "running", "cancelled")))
    active = ticket is not None and ticket.is_active
    return ImportProgress(
        run=run,
        ticket=ticket,
        files=files,
        counts=of_files,
        done=done,
        total=total,
        rate_sentence=_sentence(ticket, done, total),
        poll_ms=(1000 if ticket and ticket.status == "running" else 2000) if active else None,
        can_stop=bool(ticket and ticket.can_stop),
        can_retry=bool(ticket and ticket.can_retry),
    )


def counts(files: Any) -> list[tuple[str, int]]:
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
