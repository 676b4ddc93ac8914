"""Whether what Coach stands on is there: tables as new as the code, and a folder that can be written to."""

import os
import shutil
from functools import cache
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from coach import originals

OURS = ("coach", "jobs")
OLD_TABLES = "The tables are older than the code: run `manage.py migrate`."
CLOSED = "The folder of the data cannot be written to, so nothing can be handed in."
FULL = "The disk of the data is full, so nothing can be handed in."


def troubles() -> list[str]:
    """Return a sentence for each thing that lacks, for a monitor: it names no folder."""
    found = [] if migrations() <= applied() else [OLD_TABLES]
    if not is_writable():
        return [*found, CLOSED]
    return found if shutil.disk_usage(_there()).free > originals.SPARE_BYTES else [*found, FULL]


@cache
def migrations() -> frozenset[tuple[str, str]]:
    """Return those that the code brings."""
    return frozenset(key for key in MigrationLoader(None).disk_migrations if key[0] in OURS)


def applied() -> set[tuple[str, str]]:
    return {key for key in MigrationRecorder(connection).applied_migrations() if key[0] in OURS}


def is_writable() -> bool:
    return os.access(_there(), os.W_OK | os.X_OK)


def _there() -> Path:
    """Return the folder of the data, or the nearest above it that is there: the rest is made when it is needed."""
    wanted = Path(settings.DATA).absolute()
    return next(folder for folder in (wanted / "originals", wanted, *wanted.parents) if folder.exists())
