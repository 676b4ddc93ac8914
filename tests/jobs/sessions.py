"""Several database sessions in one test: started together at a barrier, or one beside an open transaction."""

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.db import connection

from jobs import sql

PATIENCE_S = 4.0
WAITING = """
SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
"""


def together(*acts: Callable[[], Any]) -> list[Any]:
    """Run each act in a session of its own, all let go at the same instant; return what they returned."""
    return list(in_step(*[[act] for act in acts])[0])


def in_step(*sessions: Sequence[Callable[[], Any]]) -> list[tuple[Any, ...]]:
    """Run the first acts of all sessions at the same instant, then their second ones, and so on; one row a round."""
    barrier = threading.Barrier(len(sessions))

    def session(acts: Sequence[Callable[[], Any]]) -> list[Any]:
        try:
            connection.ensure_connection()
            return [(barrier.wait(10), act())[1] for act in acts]
        except BaseException:
            barrier.abort()
            raise
        finally:
            connection.close()

    with ThreadPoolExecutor(len(sessions)) as threads:
        running = [threads.submit(session, acts) for acts in sessions]
        failed = [error for future in running if (error := future.exception(60))]
        for error in sorted(failed, key=lambda error: isinstance(error, threading.BrokenBarrierError)):
            raise error
        return list(zip(*[future.result() for future in running], strict=True))


def aside(act: Callable[[], Any]) -> Any:
    """Run the act in another session and return its result; fail when it waits for somebody's open transaction."""

    def session() -> Any:
        try:
            with connection.cursor() as cursor:
                cursor.execute(f"SET statement_timeout = '{PATIENCE_S:g}s'")
            begun = time.monotonic()
            result = act()
            assert time.monotonic() - begun < PATIENCE_S, "It was held up by another session."
            return result
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(session).result(30)


def somebody_waits() -> bool:
    """Say whether a session waits for a lock that another holds; asked by a session of its own."""
    return bool(aside(lambda: sql.row(WAITING))["n"])
