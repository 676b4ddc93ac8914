"""Everything an athlete put in or Coach computed, as one zip: originals, and each table as CSV and JSON."""

import csv
import io
import json
import shutil
import tempfile
import uuid
import zipfile
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, BinaryIO

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.utils import timezone

from coach import originals, tables
from coach.models import Athlete, Export, ImportFile
from jobs import api

KIND = "export"
SUBJECT = "everything"
KEPT = timedelta(days=7)
FORMULA = tuple("=+-@＝＋－＠")  # a table program runs what begins so, also behind blanks, also in full width
EVERY = 25  # files between two looks at whether to stop
README = """Everything that Coach has of {name}, as of {when}.

originals/   the files as they were handed in; the number before the name is the one in data/files.csv
data/        every table, once as CSV and once as JSON, in SI units and UTC
missing.txt  originals that are no longer on the server, if there are any
"""


def ask(athlete: Athlete) -> api.Ticket:
    """Have an export made, unless one is on its way."""
    running = ticket(athlete)
    if running and running.is_active:
        return running
    return api.enqueue(
        KIND,
        athlete.owner,
        SUBJECT,
        fingerprint=uuid.uuid4().hex,
        priority=api.INTERACTIVE,
        args={"athlete": athlete.pk},
    )


def ticket(athlete: Athlete) -> api.Ticket | None:
    return api.ticket(KIND, athlete.owner, SUBJECT)


def ready(athlete: Athlete) -> list[Export]:
    """Return the exports that can be downloaded, the newest first."""
    return list(Export.objects.filter(athlete=athlete, size__isnull=False).order_by("-created_at")[:3])


def opened(export: Export) -> BinaryIO:
    """Open the zip; raises FileNotFoundError."""
    return path_of(export.pk).open("rb")


def path_of(key: uuid.UUID) -> Path:
    return Path(settings.DATA) / "exports" / f"{key}.zip"


# Making, in the worker


def make(run: api.Run) -> dict[str, int]:
    """Write the zip beside its place, then put it there; raises Reject when the disk is too small."""
    athlete = Athlete.objects.select_related("user").filter(pk=run.args["athlete"]).first()
    if athlete is None:
        raise api.Reject("The athlete is no longer there.")
    prune()
    key = uuid.uuid4()
    target = path_of(key)
    target.parent.mkdir(parents=True, exist_ok=True)
    _refuse_without_room(athlete, target.parent)
    arriving = target.with_suffix(".arriving")
    try:
        with zipfile.ZipFile(arriving, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as archive:
            _fill(run, athlete, archive)
        with run.save():
            Export.objects.create(pk=key, athlete=athlete, size=arriving.stat().st_size)
            arriving.replace(target)
    finally:
        arriving.unlink(missing_ok=True)
    return {"bytes": target.stat().st_size}


def _refuse_without_room(athlete: Athlete, folder: Path) -> None:
    needed = sum(ImportFile.objects.filter(run__source__athlete=athlete).values_list("size", flat=True))
    if shutil.disk_usage(folder).free < needed + 64 * 1024 * 1024:
        raise api.Reject(
            "The server has too little room for this export. Ask the person who runs this site to make some."
        )


def _fill(run: api.Run, athlete: Athlete, archive: zipfile.ZipFile) -> None:
    readme = README.format(name=athlete.user.get_username(), when=f"{timezone.now():%Y-%m-%d %H:%M} UTC")
    archive.writestr("README.txt", readme)
    for name, rows in tables.of(athlete):
        run.check()
        _table(archive, name, rows)
    missing = _originals(run, athlete, archive)
    if missing:
        archive.writestr("missing.txt", "\n".join(missing) + "\n")


def _table(archive: zipfile.ZipFile, name: str, rows: Iterator[dict[str, Any]]) -> None:
    """Write one table twice from one reading; rows are written as they come."""
    encoder = DjangoJSONEncoder(ensure_ascii=False)
    with tempfile.TemporaryFile() as lines:
        text = io.TextIOWrapper(lines, encoding="utf-8", newline="")
        writer: csv.DictWriter[str] | None = None
        with archive.open(f"data/{name}.json", "w", force_zip64=True) as document:
            document.write(b"[")
            for number, row in enumerate(rows):
                writer = writer or _with_heads(text, row)
                writer.writerow({key: cell(value) for key, value in row.items()})
                document.write((",\n" if number else "\n").encode() + encoder.encode(row).encode())
            document.write(b"\n]\n")
        text.flush()
        lines.seek(0)
        with archive.open(f"data/{name}.csv", "w", force_zip64=True) as document:
            shutil.copyfileobj(lines, document)
        text.detach()


def _with_heads(text: io.TextIOWrapper, row: dict[str, Any]) -> "csv.DictWriter[str]":
    writer = csv.DictWriter(text, fieldnames=list(row))
    writer.writeheader()
    return writer


def cell(value: Any) -> Any:
    """Return the value as a table program takes it; text that it would run as a formula gets a quote before it."""
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False, cls=DjangoJSONEncoder)
    if isinstance(value, str) and value.lstrip().startswith(FORMULA):
        return f"'{value}"
    return value


def _originals(run: api.Run, athlete: Athlete, archive: zipfile.ZipFile) -> list[str]:
    """Add each file once, however often it came in; return the names of those that are gone."""
    rows = ImportFile.objects.filter(run__source__athlete=athlete).exclude(sha256="").order_by("sha256", "pk")
    files = rows.distinct("sha256").values_list("pk", "name", "sha256")
    total, missing = len(files), []
    for number, (pk, name, sha256) in enumerate(files, start=1):
        if number % EVERY == 0:
            run.check()
        try:
            _original(archive, f"originals/{pk} {_plain(name)}", sha256)
        except FileNotFoundError:
            missing.append(f"{pk} {name}")
        run.progress(number, total, "files packed")
    return missing


def _original(archive: zipfile.ZipFile, name: str, sha256: str) -> None:
    with originals.reader(sha256) as data, archive.open(zipfile.ZipInfo(name), "w", force_zip64=True) as member:
        shutil.copyfileobj(data, member, 1024 * 1024)


def _plain(name: str) -> str:
    """Return a file name that every system can unpack: no folders, nothing but letters, digits and a few marks."""
    kept = "".join(letter if letter.isalnum() or letter in " ._-()" else "_" for letter in name)
    return kept.strip(" .")[-120:] or "file"


def prune() -> int:
    """Delete the exports that are older than a week; return how many."""
    old = Export.objects.filter(created_at__lt=timezone.now() - KEPT)
    keys = list(old.values_list("pk", flat=True))
    for key in keys:
        path_of(key).unlink(missing_ok=True)
    old.filter(pk__in=keys).delete()
    return len(keys)
