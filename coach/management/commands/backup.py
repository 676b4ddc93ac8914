"""`manage.py backup FILE`: writes the database and everything that was handed in to one file."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from coach import backups, dumps


class Command(BaseCommand):
    help = "Writes the database and everything that was handed in to one file, while the site runs."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="what to write, such as /backup/coach.tar")

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["file"]
        try:
            written = backups.write(path)
        except (dumps.Refused, OSError) as error:
            raise CommandError(f"No backup was written. {error}") from error
        size = f"{written.size_bytes / 1e6:.1f} MB"
        self.stdout.write(
            f"{path}: {size}, the database and {written.originals} originals. It holds no keys: keep those elsewhere."
        )
