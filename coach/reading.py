"""Reads what was handed in, file by file, in the line of its source, and says what became of each."""

import logging
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from django.conf import settings
from django.db import DatabaseError, InterfaceError

from coach import (
    columns,
    deadline,
    formats,
    health_exports,
    naming,
    originals,
    recordings,
    settling,
    special,
    unpacking,
    wellness,
)
from coach.ahead import Files
from coach.formats import Contents, NoTraining, Unreadable, apple, archive, table
from coach.formats.garmin import export as garmin
from coach.formats.strava import export as strava
from coach.imports import FAULT, counts, settle
from coach.models import ImportFile
from coach.shelf import Shelf
from jobs import api

GONE = "The file is no longer on this server, so it cannot be read. Hand it in again."
AGAIN = "The same file is already there."
STANDS_IN = "Its row in activities.csv is read in its place."
HEAD_BYTES = 8192
Outcome = ImportFile.Outcome
logger = logging.getLogger("coach.imports")


def read(run: api.Run) -> dict[str, int]:
    """Read every file that is still open; a file that cannot be read is an item that failed."""
    files = ImportFile.objects.filter(run=int(run.subject))
    done, total = files.exclude(outcome=Outcome.WAITING).count(), files.count()
    ahead = Files(run.subject)
    for item in run.items():
        file = ahead.get(item.key)
        if file is None:
            with run.save():
                item.skip("It was deleted before it was read.")
            continue
        done += file.outcome == Outcome.WAITING
        if _read_one(run, item, file, is_known=ahead.is_known(file)):
            done, total = files.exclude(outcome=Outcome.WAITING).count(), files.count()
        run.progress(done, total, file.name)
    return dict(counts(files))


def _read_one(run: api.Run, item: api.Item, file: ImportFile, *, is_known: bool) -> bool:
    """Read one file by what it is, its first bytes say; return whether it became more files."""
    if _is_over(run, item, file):
        return False
    try:
        head = _head(file)
        if archive.is_zip(head):
            known = special.of(unpacking.names(file))
            (known.read if known else read_archive)(run, item, file)
        elif apple.is_document(head):
            read_apple(run, item, file)
        elif unpacking.is_table(head):
            _unpack(run, item, file, head=head)
        elif table.is_table(head):
            with blaming_ourselves(file):
                columns.read(run, item, file)
            return False
        else:
            return _read_file(run, item, file, is_known=is_known)
    except (Unreadable, archive.Refused, FileNotFoundError, originals.NoRoom) as error:
        return _refuse(run, item, file, error)
    return True


def _is_over(run: api.Run, item: api.Item, file: ImportFile) -> bool:
    """End the item of a file of which nothing was kept to read: why is known already."""
    if file.sha256:
        return False
    with run.save():
        match file.outcome:
            case Outcome.IGNORED:
                item.skip(file.sentence)
            case Outcome.REFUSED:
                item.fail(file.sentence)
            case _:
                item.ok()
    return True


def _head(file: ImportFile) -> bytes:
    with originals.reader(file.sha256) as data:
        return data.read(HEAD_BYTES)


# Archives and tables. An archive that is somebody's export is read in a way of its own; `special` says which.


def read_archive(run: api.Run, item: api.Item, file: ImportFile) -> None:
    """Make every file of an archive a file of the import."""
    _unpack(run, item, file, sorter=unpacking.Plain())


@special.register("strava", holds=strava.holds)
def read_strava(run: api.Run, item: api.Item, file: ImportFile) -> None:
    _unpack(run, item, file, sorter=unpacking.Strava())


@special.register("garmin", holds=garmin.holds)
def read_garmin(run: api.Run, item: api.Item, file: ImportFile) -> None:
    _unpack(run, item, file, sorter=unpacking.Garmin())


@special.register("apple", holds=apple.holds)
def read_apple(run: api.Run, item: api.Item, file: ImportFile) -> None:
    with blaming_ourselves(file):
        if not health_exports.read(run, item, file):
            read_archive(run, item, file)


def _unpack(
    run: api.Run, item: api.Item, file: ImportFile, *, head: bytes = b"", sorter: unpacking.Plain | None = None
) -> None:
    shelf, notes = Shelf(file, check=run.check), tuple[str, ...]()
    try:
        if sorter is None:
            notes = unpacking.unpack_table(file, head, shelf)
        else:
            unpacking.unpack(file, shelf, sorter=sorter)
        if not shelf.files:
            raise Unreadable(unpacking.EMPTY)
        with run.save():
            made = shelf.settle(run)
            what = sorter.words if sorter else "A table"
            unit = "row" if sorter is None else "file"
            said = f"{what} of {made} {unit}{'s' if made > 1 else ''}, each listed here."
            _end(file, Outcome.IMPORTED, " ".join((said, *notes)))
            item.ok()
    except BaseException:
        shelf.clear()
        raise


# Files


def _read_file(run: api.Run, item: api.Item, file: ImportFile, *, is_known: bool) -> bool:
    # Bytes that are there already need not be decoded to say so.
    contents, prepared = (Contents(), []) if is_known else _prepared(file)
    with run.save():
        outcome, sentence = _store(file, contents, prepared)
        note = str(file.state.get("note", ""))
        _end(file, outcome, " ".join(part for part in (sentence, *contents.notes, note) if part))
        item.ok()
    return False


def _prepared(file: ImportFile) -> tuple[Contents, list[recordings.Prepared]]:
    with blaming_ourselves(file):
        contents = _contents(file)
        return contents, recordings.prepare(file, contents.recordings)


@contextmanager
def blaming_ourselves(file: ImportFile) -> Iterator[None]:
    """Let a fault of ours end this file; it must not keep the others from being read."""
    try:
        yield
    except (Unreadable, archive.Refused, OSError, DatabaseError, InterfaceError, api.JobsError):
        raise
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        logger.error("import.fault file=%s error=%s at=%s:%s", file.pk, type(error).__name__, place.name, place.lineno)
        raise Unreadable(FAULT) from error


def _contents(file: ImportFile) -> Contents:
    if file.size > settings.UPLOAD_FILE_BYTES:
        raise Unreadable(f"The file is larger than {settings.UPLOAD_FILE_BYTES // 2**20} MB, too much for one file.")
    with originals.reader(file.sha256) as data:
        content = data.read()
    with deadline.reading(file.size):
        found = formats.contents(content, name=file.name)
    return replace(found, recordings=naming.named(found.recordings, file))


def _store(file: ImportFile, contents: Contents, prepared: Sequence[recordings.Prepared]) -> tuple[str, str]:
    """Write what the file holds; return its outcome and a sentence."""
    if not contents.nights and not contents.measures:
        return recordings.store(file, prepared)
    settling.lock(file.run.source.athlete)  # or what is there already may be undone at this moment
    if wellness.known(file):
        return Outcome.DUPLICATE, AGAIN
    days = wellness.store(file, contents)
    if not contents.recordings:
        return Outcome.IMPORTED, days
    outcome, sentence = recordings.store(file, prepared)
    return outcome, f"{sentence} {days}".strip()


def _refuse(run: api.Run, item: api.Item, file: ImportFile, error: Exception) -> bool:
    """End a file that was not read; what is no training is no failure in an archive of everything."""
    sentence = GONE if isinstance(error, FileNotFoundError) else str(error)
    stand_in = _stand_in(file)
    with run.save():
        if stand_in:
            stand_in.save()
            settle([stand_in])
            run.add_items([str(stand_in.pk)])
            sentence = f"{sentence} {STANDS_IN}"
        if isinstance(error, NoTraining) and file.parent_id:
            _end(file, Outcome.IGNORED, sentence)
            item.skip(sentence)
        else:
            _end(file, Outcome.REFUSED, sentence)
            item.fail(sentence)
    return stand_in is not None


def _stand_in(file: ImportFile) -> ImportFile | None:
    """Return the row of a broken file as a file of its own; None when there is none, or it came in before."""
    said = file.state.get("row")
    if not said:
        return None
    name = str(said["name"])
    if ImportFile.objects.filter(run=file.run, parent=file.parent, name=name).exists():
        return None
    sha256, size = originals.keep([str(said["document"]).encode()])
    return ImportFile(run=file.run, parent=file.parent, name=name, size=size, sha256=sha256)


def _end(file: ImportFile, outcome: str, sentence: str) -> None:
    ImportFile.objects.filter(pk=file.pk).update(outcome=outcome, sentence=sentence[:1000])
