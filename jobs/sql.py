"""Runs named statements and the short transactions of the queue."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import InterfaceError, InternalError, OperationalError, connection, transaction

# A client frozen inside a transaction must not keep its locks: PostgreSQL ends it after this long.
IDLE_IN_TRANSACTION = "15s"

# Raised when the database is away, is read-only after a failover, or has ended a session that froze in a transaction.
AWAY = (OperationalError, InterfaceError, InternalError)
AWAY_STATES = ("25006", "25P03", "25P04")  # of InternalError: read-only, idle in a transaction, too long a transaction

BOUNDS = """
SELECT set_config('idle_in_transaction_session_timeout', %(idle)s, true),
       set_config('lock_timeout', %(lock)s, true)
"""
# A condition that a statement evaluates once, before it locks anything.
BOUNDED = "(SELECT set_config('lock_timeout', %(lock)s, true)) <> ''"
BOUNDS_NOW = """
SELECT current_setting('idle_in_transaction_session_timeout') AS idle, current_setting('lock_timeout') AS lock
"""


def rows(statement: str, **values: Any) -> list[dict[str, Any]]:
    """Run the statement and return its rows by column name."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        if cursor.description is None:
            return []
        names = [column.name for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def row(statement: str, **values: Any) -> dict[str, Any] | None:
    return next(iter(rows(statement, **values)), None)


def run(statement: str, **values: Any) -> int:
    """Run the statement and return how many rows it touched."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return int(cursor.rowcount)


@contextmanager
def short_transaction(*, lock_ms: int = 0) -> Iterator[None]:
    """Open a transaction that cannot outlive a frozen client, nor wait for a lock above lock_ms (0: no bound).

    Inside the caller's own transaction it is a savepoint, after which the caller's bounds hold again.
    """
    callers = row(BOUNDS_NOW) if connection.in_atomic_block else None
    with transaction.atomic():
        rows(BOUNDS, idle=IDLE_IN_TRANSACTION, lock=f"{lock_ms}ms")
        yield
        if callers:  # a rollback restores them by itself
            rows(BOUNDS, **callers)


def alone(statement: str, *, lock_ms: int, **values: Any) -> dict[str, Any] | None:
    """Run a statement that is a transaction of its own and, by BOUNDED in it, waits for no lock above lock_ms.

    Nothing of it can be left open by a frozen client. Inside the caller's transaction it is a savepoint.
    """
    if not connection.in_atomic_block:
        return row(statement, lock=f"{lock_ms}ms", **values)
    with short_transaction(lock_ms=lock_ms):
        return row(statement, lock=f"{lock_ms}ms", **values)


def is_away(error: BaseException) -> bool:
    """Return whether nobody's work is to blame for this error of the database."""
    if isinstance(error, InternalError):
        return getattr(error.__cause__, "sqlstate", None) in AWAY_STATES
    return isinstance(error, OperationalError | InterfaceError)


def json_of(value: Any) -> Any:
    """Return a json column's value: Django reads them as text."""
    return json.loads(value) if isinstance(value, str) else value
