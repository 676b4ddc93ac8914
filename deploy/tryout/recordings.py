"""Which files to hand in: those that were given, or those of the demo athlete."""

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from coach.demo import athlete as demo
from coach.demo.files import DemoFile
from coach.models import Activity, Athlete, ImportFile, Source
from deploy.tryout import say

ENDINGS = (".fit", ".gpx", ".tcx", ".gz", ".zip")


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    name: str
    path: Path | None = None
    made: bytes | None = None

    def sha256(self) -> str:
        if self.path is None:
            return hashlib.sha256(self.made or b"").hexdigest()
        with self.path.open("rb") as handle:
            return hashlib.file_digest(handle, "sha256").hexdigest()


def given(paths: list[Path]) -> list[Candidate]:
    """Return the files, and of the folders all that ends as recordings do."""
    found: list[Candidate] = []
    others = 0
    for path in paths:
        if path.is_dir():
            inside = sorted(walk(path))
            recordings = [file for file in inside if file.name.lower().endswith(ENDINGS)]
            others += len(inside) - len(recordings)
            found += [Candidate(name=file.name, path=file) for file in recordings]
        else:
            found.append(Candidate(name=path.name, path=path))
    if others:
        say(f"Left alone: {others} files in the folders that end in none of {', '.join(ENDINGS)}.")
    return found


def walk(folder: Path) -> Iterator[Path]:
    for parent, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (Path(parent, name) for name in files if not name.startswith("."))


def season(athlete: Athlete, source: Source) -> Iterator[Candidate]:
    """Yield the demo athlete's files that may be new: all at first, later those since the newest activity."""
    newest = Activity.objects.filter(source=source).order_by("-local_date").first()
    today = athlete.today()
    if newest is None:
        files: Iterator[DemoFile] = demo.recordings(until=today)
    else:
        days = (today - newest.local_date).days
        files = (file for ago in range(days, -1, -1) for file in demo.files_of(today - timedelta(days=ago)))
    for file in files:
        yield Candidate(name=file.name, made=file.data)


def earlier(athlete: Athlete, sha256: str) -> list[int]:
    """Return the keys of what was handed in before with these bytes: the file, and of an archive its members."""
    same = ImportFile.objects.filter(run__source__athlete=athlete, sha256=sha256)
    first = same.order_by("pk").first()
    if first is None:
        return []
    members = ImportFile.objects.filter(run=first.run_id, name__startswith=f"{first.name}/")
    return [first.pk, *members.values_list("pk", flat=True)]
