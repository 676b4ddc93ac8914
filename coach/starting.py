"""What keeps a command or the web service from starting, said in a sentence instead of a traceback."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from django.core.exceptions import ImproperlyConfigured
from django.db import InterfaceError, NotSupportedError, OperationalError, ProgrammingError

TOLD = (
    ImproperlyConfigured,
    InterfaceError,
    NotSupportedError,  # a PostgreSQL that is too old
    OperationalError,
    PermissionError,
    ProgrammingError,
)
NO_TABLE, NO_COLUMN = "42P01", "42703"
AWAY = "The database does not answer. Look at DATABASE_URL and whether PostgreSQL runs. PostgreSQL says: {why}"
REFUSED = "The database could not do it, so try again or look at its log. PostgreSQL says: {why}"
TABLES = "The tables do not fit this code: run `manage.py migrate`."


@contextmanager
def in_a_sentence(*, code: int = 1) -> Iterator[None]:
    """End the process with the code and a sentence on standard error where the mistake is one of the set-up."""
    try:
        yield
    except TOLD as error:
        said = sentence(error)
        if not said or "--traceback" in sys.argv:
            raise
        sys.stderr.write(f"{said}\n")
        raise SystemExit(code) from None


def sentence(error: Exception) -> str:
    """Return what an operator can do about it; nothing where it is a mistake of the code."""
    if isinstance(error, (ImproperlyConfigured, NotSupportedError)):
        return str(error)
    if isinstance(error, PermissionError):
        return f"{error.filename} cannot be used by this user: {error.strerror}." if error.filename else ""
    if isinstance(error, ProgrammingError):
        misses = getattr(error.__cause__, "sqlstate", None) in (NO_TABLE, NO_COLUMN)
        return f"{TABLES} PostgreSQL says: {first_line(error)}" if misses else ""
    answered = getattr(error.__cause__, "sqlstate", None)
    return (REFUSED if answered else AWAY).format(why=first_line(error))


def first_line(error: Exception) -> str:
    """Return PostgreSQL's own words, which never hold the password."""
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
