"""Several database sessions in one test: started together at a barrier, or one beside an open transaction."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.db import connection

PATIENCE_S = 4.0


def together(*acts: Callable[[], Any]) -> list[Any]:
    """Run each act in a session of its own, all let go at the same instant; return what they returned."""
    barrier = threading.Barrier(len(acts))

    def session(act: Callable[[], Any]) -> Any:
        try:
            connection.ensure_connection()
            barrier.wait(10)
            return act()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as threads:
        running = [threads.submit(session, act) for act in acts]
        return [future.result(30) for future in running]


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
