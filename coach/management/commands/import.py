"""`manage.py import PATH… --athlete NAME`: hands in files, folders and zips that lie on this machine."""  # noqa: N999  (the command's name)

import time
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from itertools import batched
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from coach import imports, originals, walking
from coach.models import Athlete, ImportFile, ImportRun, Source
from coach.walking import Found, Unread

Outcome = ImportFile.Outcome
WELL = (Outcome.IMPORTED, Outcome.JOINED, Outcome.DUPLICATE, Outcome.IGNORED)
TELL_SECONDS = 4


class Command(BaseCommand):
    help = "Hands files, folders and zips in for an athlete. Links in folders are left alone. 1 when not all went well."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="a file, a zip or a folder")
        parser.add_argument("--athlete", required=True, metavar="NAME", help="the user name of the athlete")
        parser.add_argument(
            "--source", default=imports.FIRST_SOURCE, metavar="NAME", help=f"default: {imports.FIRST_SOURCE}"
        )
        parser.add_argument("--wait", action="store_true", help="wait, and say what became of every file")

    def handle(self, *args: Any, **options: Any) -> None:
        athlete = self.athlete(options["athlete"])
        self.unread = 0
        runs: list[ImportRun] = []
        for group in batched(self.readable(options["paths"]), settings.UPLOAD_FILES):
            name = imports.clean_name(options["source"])[:100]
            source, _ = Source.objects.get_or_create(athlete=athlete, name=name)
            runs += self.hand_in(source, group)
        if not runs:
            raise CommandError("Nothing was found that could be handed in.")
        ended = [self.outcome(run) for run in runs] if options["wait"] else []
        if self.unread or not all(ended):
            raise CommandError("Not everything went well; see above.")

    def athlete(self, name: str) -> Athlete:
        found = Athlete.objects.select_related("user").filter(user__username=name).first()
        if found is None:
            raise CommandError(f"No athlete is called {name}. A staff user adds athletes in the admin.")
        return found

    def readable(self, paths: Iterable[Path]) -> Iterator[Found]:
        for found in (one for path in paths for one in below(path)):
            if isinstance(found, Unread):
                self.leave_out(found.name, found.why)
            else:
                yield found

    def hand_in(self, source: Source, group: Iterable[Found]) -> list[ImportRun]:
        """Make one import of these files, which is at most as many as the import page takes at once."""
        kept: list[ImportFile] = []
        try:
            for found in group:
                try:
                    kept.append(imports.keep(found.arrival()))
                except OSError as error:
                    self.leave_out(found.name, walking.why(error))
        except originals.NoRoom as full:
            for file in kept:
                originals.forget(file.sha256)
            raise CommandError(str(full)) from full
        if not kept:
            return []
        run = imports.begin(source, kept, by=None, way=ImportRun.Way.COMMAND)
        self.stdout.write(
            f"Import {run.pk}: {len(kept)} file{'s' if len(kept) > 1 else ''} for {source.name}, in line."
        )
        return [run]

    def leave_out(self, name: str, why: str) -> None:
        self.unread += 1
        self.stderr.write(f"Left out: {name}: {why}")

    def outcome(self, run: ImportRun) -> bool:
        """Wait until an import has ended, say what became of every file, and return whether all went well."""
        said = time.monotonic()
        while (progress := imports.progress(run, most=0)).poll_ms is not None:
            if time.monotonic() - said > TELL_SECONDS:
                said = time.monotonic()
                self.stdout.write(f"  {progress.done} of {progress.total}. {progress.rate_sentence}")
            time.sleep(progress.poll_ms / 1000)
        well = progress.ticket is not None and progress.ticket.status in ("succeeded", "partial", "failed")
        if not well:
            self.stdout.write(f"  {progress.rate_sentence}")
        for file in ImportFile.objects.filter(run=run).order_by("pk").iterator(chunk_size=1000):
            label = Outcome(file.outcome).label
            self.stdout.write(f"  {file.name}: {label}{f'. {file.sentence}' if file.sentence else '.'}")
            well = well and file.outcome in WELL
        return well


def below(path: Path) -> Iterator[Found | Unread]:
    """Yield the file, or the files of the folder; a link that was named is followed, one in a folder is not."""
    try:
        there = path.resolve(strict=True)
        status = there.stat()
    except (OSError, ValueError) as error:
        yield Unread(
            name=walking.shown(str(path)), why=walking.why(error) if isinstance(error, OSError) else str(error)
        )
        return
    if there.is_dir():
        yield from walking.walk(there)
    else:
        yield Found(root=there.parent, place=there.name, size=status.st_size, changed_ns=status.st_mtime_ns)
