"""`manage.py restore FILE`: fills an empty database and an empty folder from a backup."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from coach import backups, dumps


class Command(BaseCommand):
    help = (
        "Fills an empty database and an empty folder from a backup. Its pools are paused until somebody resumes them."
    )
    requires_system_checks: Any = []  # they would ask for tables
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="what `manage.py backup` wrote")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            restored = backups.restore(options["file"])
        except (dumps.Refused, OSError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Restored as of {restored.made_at[:16]} UTC, with {restored.originals} originals.")
        if restored.missing:
            self.stdout.write(f"{restored.missing} originals are missing: they were undone while the backup was made.")
        if restored.damaged:
            self.stdout.write(f"{restored.damaged} originals are damaged in the file and were left out.")
        for pool in restored.paused:
            self.stdout.write(f"The pool {pool} is paused, so nothing is sent.")
            self.stdout.write(f"When the old site is off for good: manage.py jobs resume {pool}")
