"""Imports: receives files, enqueues their reading, and shows how far it is."""

import hashlib
import json
import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.db.models import Case, Count, F, Q, QuerySet, Value, When, Window
from django.db.models.functions import RowNumber
from django.utils.translation import gettext

from coach import arriving, originals, queue_words
from coach.arriving import Arrival
from coach.models import ImportFile, ImportRun, Source
from jobs import api

KIND = "import"
RECEIVED = "import.received"
FIRST_SOURCE = "My files"
EVERY = 100_000  # files of one outcome
FAULT = "Coach could not read this file because of a fault of its own. The file is kept; ask again after an update."
UNPACKED = "unpacked"  # what an archive or a table became whose files or rows are counted one by one
BECAME = Case(
    When(outcome=ImportFile.Outcome.IMPORTED, sentence__contains=", each listed here.", then=Value(UNPACKED)),
    default=F("outcome"),
)
# Files that may be read another time; what is wrong with the others stays wrong.
UNREAD = Q(outcome=ImportFile.Outcome.WAITING) | Q(sentence__startswith=FAULT) | Q(sentence=originals.NoRoom.__doc__)
Outcome = ImportFile.Outcome
Way = ImportRun.Way
logger = logging.getLogger("coach.imports")


class Refused(Exception):
    """Nothing was taken in; the message says why and what to do."""


REFUSALS = (Refused, originals.NoRoom)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """How far the one large file is that is being read now."""

    name: str
    done_bytes: int
    total_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportProgress:
    run: ImportRun
    ticket: api.Ticket | None
    files: list[ImportFile]
    counts: dict[str, int]
    done: int
    total: int
    part: Part | None
    rate_sentence: str
    poll_ms: int | None
    can_stop: bool
    can_retry: bool


# Receiving, whichever way the files come


def receive(
    source: Source, files: "Iterable[UploadedFile[Any] | Arrival]", *, by: object, way: str = Way.PAGE
) -> ImportRun:
    """Keep the files and enqueue their reading; the rows and the job commit together.

    Raises Refused when there are no files or too many, NoRoom when the disk is full. A file that is too large becomes
    a refused row.
    """
    arrivals = [file if isinstance(file, Arrival) else arriving.posted(file) for file in files]
    check(arrivals)
    return begin(source, keep_all(arrivals), by=by, way=way)


def check(arrivals: Sequence[Arrival]) -> None:
    """Raise Refused, or NoRoom, when these files cannot be one import."""
    if not arrivals:
        raise Refused("Choose at least one file.")
    if len(arrivals) > settings.UPLOAD_FILES:
        raise Refused(
            f"These are {len(arrivals)} files; one import takes {settings.UPLOAD_FILES}."
            " Put them in a zip, or in parts."
        )


def keep_all(arrivals: Sequence[Arrival]) -> list[ImportFile]:
    """Keep the bytes of all these files, or of none."""
    kept: list[ImportFile] = []
    try:
        for arrival in arrivals:
            kept.append(keep(arrival))
    except BaseException:
        for file in kept:
            originals.forget(file.sha256)
        raise
    return kept


def keep(arrival: Arrival) -> ImportFile:
    """Keep the bytes of one file, and return its row as it will be. Raises NoRoom, and OSError of its reading."""
    name = clean_name(arrival.name)
    sentence = arriving.refusal(arrival.size, arrival.head)
    if sentence:
        return ImportFile(name=name, size=arrival.size, sha256="", outcome=Outcome.REFUSED, sentence=sentence)
    if not originals.has_room(arrival.size):
        raise originals.NoRoom
    sha256, size = arrival.keep()
    return ImportFile(name=name, size=size, sha256=sha256)


def begin(source: Source, files: list[ImportFile], *, by: object, way: str) -> ImportRun:
    """Make an import of files that are kept; its rows and its job commit together."""
    with transaction.atomic():
        run = ImportRun.objects.create(source=_there(source), way=way)
        for file in files:
            file.run = run
        ImportFile.objects.bulk_create(files)
        settle(files)
        _enqueue(run, files, watch=by)
    logger.info("%s run=%s way=%s files=%s", RECEIVED, run.pk, way, len(files))
    return run


def _there(source: Source) -> Source:
    """Return the source, and keep it there; when it was taken back in the meantime, one of its name."""
    kept = Source.objects.select_for_update(of=("self",)).filter(pk=source.pk).first()
    return kept or Source.objects.get_or_create(athlete=source.athlete, name=source.name)[0]


def settle(files: Iterable[ImportFile]) -> None:
    """Give up the claims on the bytes of files once their rows are written for good."""
    hashes = [file.sha256 for file in files if file.sha256]
    transaction.on_commit(lambda: originals.settled(hashes))


def clean_name(name: str) -> str:
    """Return a name fit to be shown: printable, at most 300 characters, never empty."""
    shown = "".join(letter if letter.isprintable() else " " for letter in name).strip()
    return shown[-300:] or "(no name)"


def _enqueue(run: ImportRun, files: list[ImportFile], *, watch: object) -> None:
    source = run.source
    said = "".join(f"{file.sha256}{json.dumps(file.mapping) if file.mapping else ''}" for file in files)
    content = hashlib.sha256(said.encode()).hexdigest()
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


def progress(run: ImportRun, *, most: int = EVERY) -> ImportProgress:
    """Return how far the import is, with what the page needs; of each outcome the first `most` files."""
    return progress_of([run], most=most)[0]


def progress_of(runs: Sequence[ImportRun], *, most: int = EVERY, few: int = EVERY) -> list[ImportProgress]:
    """Return how far each of an athlete's imports is, in as many queries as for one; what files became is counted.

    Of each the first `most` files of the first import, and the first `few` of the others.
    """
    if not runs:
        return []
    tickets = tickets_of(runs)
    every = ImportFile.objects.filter(run__in=runs).annotate(became=BECAME)
    counted: dict[int, dict[str, int]] = {run.pk: {} for run in runs}
    unread: set[int] = set()
    rows = every.order_by().values_list("run", "became").annotate(number=Count("pk"), again=Count("pk", filter=UNREAD))
    for run_id, became, number, again in rows:
        counted[run_id][became] = number
        unread |= {run_id} if again else set()
    files: dict[int, list[ImportFile]] = {run.pk: [] for run in runs}
    limit = Case(When(run=runs[0], then=most), default=few)
    for file in first_of_each_outcome(every, limit):
        files[file.run_id].append(file)
    return [
        _progress(run, tickets.get(str(run.pk)), files[run.pk], counted[run.pk], is_unread=run.pk in unread)
        for run in runs
    ]


def _progress(
    run: ImportRun, ticket: api.Ticket | None, files: list[ImportFile], of_files: dict[str, int], *, is_unread: bool
) -> ImportProgress:
    total = sum(of_files.values())
    items = ticket.items if ticket else {}
    done = max(0, sum(items.values()) - sum(items.get(unread, 0) for unread in ("pending", "running", "cancelled")))
    active = ticket is not None and ticket.is_active
    part = part_of(ticket, total)
    return ImportProgress(
        run=run,
        ticket=ticket,
        files=files,
        counts=of_files,
        done=done,
        total=total,
        part=part,
        rate_sentence=_sentence(ticket, done, total, part),
        poll_ms=(1000 if ticket and ticket.status == "running" else 2000) if active else None,
        can_stop=bool(ticket and ticket.can_stop),
        can_retry=bool(ticket and ticket.can_retry and is_unread),
    )


def first_of_each_outcome(files: QuerySet[ImportFile], most: Case) -> QuerySet[ImportFile]:
    """Return the first so many files of what they became, of each import."""
    place = Window(RowNumber(), partition_by=[F("run"), F("became")], order_by="pk")
    return files.annotate(place=place).filter(place__lte=most).order_by("pk").defer("state")


def part_of(ticket: api.Ticket | None, files: int) -> Part | None:
    """Return how much of a large file is read: progress beyond any number of files counts its bytes."""
    if ticket is None or ticket.status != "running" or not ticket.progress:
        return None
    done, total, name = ticket.progress
    if total <= max(files, EVERY) or not 0 <= done < total:
        return None
    return Part(name=name, done_bytes=done, total_bytes=total)


def counts(files: Any) -> list[tuple[str, int]]:
    return list(files.order_by().values_list("outcome").annotate(Count("pk")))


def _sentence(ticket: api.Ticket | None, done: int, total: int, part: Part | None) -> str:
    if ticket is None:
        return gettext("It was not put in line. Hand the files in again.")
    match ticket.status:
        case "running":
            return _rate(ticket, done, total, part)
        case "succeeded" | "partial":
            return ""
        case "failed":
            failed = gettext("The import failed: %(why)s") % {"why": queue_words.error(ticket)}
            return "" if ticket.error_kind == "items" else failed
        case "cancelled":
            stopped = gettext("It was stopped; %(done)s of %(all)s files were read, and the rest are kept.")
            return stopped % {"done": done, "all": total}
        case "interrupted":
            return gettext("It was cut short. Nothing is lost; ask for it again.")
        case _:
            why = queue_words.sentence(ticket)
            return gettext("Waiting: %(why)s") % {"why": f"{why[:1].lower()}{why[1:]}"}


def _rate(ticket: api.Ticket, done: int, total: int, part: Part | None) -> str:
    if ticket.stopping:
        return gettext("Stopping after this file.")
    read, of = (part.done_bytes, part.total_bytes) if part else (done, total)
    if not read or not ticket.elapsed_s or ticket.elapsed_s < 2:
        return gettext("Reading.")
    seconds = (of - read) * ticket.elapsed_s / read
    short, long = gettext("%(n)s s"), gettext("%(n)s min")
    rest = short % {"n": round(seconds)} if seconds < 90 else long % {"n": round(seconds / 60)}
    speed = read / ticket.elapsed_s
    rate = gettext("%(n)s files a second") % {"n": f"{speed:.1f}"}
    if part:
        rate = gettext("%(n)s MB a second") % {"n": f"{speed / 1e6:.1f}"}
    return gettext("Reading, %(rate)s; about %(rest)s left.") % {"rate": rate, "rest": rest}


def tickets_of(runs: Sequence[ImportRun]) -> dict[str, api.Ticket]:
    """Return the newest job of each of an athlete's imports, by the import's key in the queue."""
    return api.tickets_about(KIND, runs[0].source.athlete.owner, [str(run.pk) for run in runs])


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


def read_again(file: ImportFile, *, by: object) -> None:
    """Have one file read again, whatever became of it, with what else of its import is not in yet."""
    if file.outcome != Outcome.IMPORTED and retry(file.run, by):
        return
    unread = file.run.files.filter(outcome__in=(Outcome.WAITING, Outcome.REFUSED, Outcome.ASKED)).exclude(sha256="")
    _enqueue(file.run, [file, *unread.exclude(pk=file.pk)], watch=by)
