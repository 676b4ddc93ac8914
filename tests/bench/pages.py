"""Measures every page with one and with ten years of data: `python -m tests.bench.pages` (about three minutes).

Each page is asked for in turn for the younger and the older athlete, on a database that is made and dropped.
The requirements, on a quiet machine of two cores: with ten years p95 under 100 ms, at most 15 queries and 60 KB, and
a median that grows by less than half from one year to ten. Milliseconds are on the clock; those of the processor
are what this process spent, which other work on the machine changes less. So growth counts only where both show it.
"""

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import django

TIMES = 50
YEARS = (1, 10)
MOST_MS, MOST_QUERIES, MOST_BYTES, MOST_GROWTH = 100, 15, 60_000, 1.5


def main() -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    django.setup()
    import logging

    from django.conf import settings
    from django.db import connection
    from django.test.utils import setup_databases, teardown_databases

    logging.getLogger("jobs").setLevel(logging.WARNING)
    logging.getLogger("django.request").setLevel(logging.ERROR)
    settings.ALLOWED_HOSTS = ["testserver"]
    made = setup_databases(0, interactive=False, aliases=["default"])
    try:
        with tempfile.TemporaryDirectory() as folder:
            settings.DATA = Path(folder)
            print(
                f"PostgreSQL {connection.pg_version // 10000}, Python {sys.version.split()[0]}, {os.cpu_count()} cores"
            )
            measure()
    finally:
        connection.close()
        teardown_databases(made, 0)


def measure() -> None:
    from tests import history, walk
    from tests.coach.views.rows import signed_in

    clients = [signed_in(history.grown(f"years{years}", years=years).user) for years in YEARS]
    found = [{page.kind: page for page in walk.pages(client)} for client in clients]
    head = "queries   bytes   p50 ms   p95 ms   processor p50   p95   growth   of processor"
    print(f"\n{f'with {YEARS[1]} years of data':<44}{head}")
    over = []
    for kind in found[1]:
        if kind in found[0]:
            over += show(kind, [(client, pages[kind]) for client, pages in zip(clients, found, strict=True)])
    print("\nevery page keeps to the requirements" if not over else "\nover the requirements:\n  " + "\n  ".join(over))


def show(kind: str, asked: list[tuple[Any, Any]]) -> list[str]:
    """Print one page; return what it breaks."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    client, page = asked[1]
    with CaptureQueriesContext(connection) as queries:
        size = len(page.get(client).content)
    asks = len(queries)
    clock, processor = timed(asked)
    p50, p95 = statistics.median(clock[1]), statistics.quantiles(clock[1], n=20)[-1]
    growth, own = (statistics.median(many) / statistics.median(few) for few, many in (clock, processor))
    spent, most = statistics.median(processor[1]), statistics.quantiles(processor[1], n=20)[-1]
    print(f"{kind:<44}{asks:>7}{size:>8}{p50:>9.1f}{p95:>9.1f}{spent:>16.1f}{most:>6.1f}{growth:>9.2f}{own:>15.2f}")
    limits = (
        ("p95", p95, MOST_MS), ("queries", asks, MOST_QUERIES), ("bytes", size, MOST_BYTES),
        ("growth", min(growth, own), MOST_GROWTH),
    )  # fmt: skip
    return [f"{kind}: {name} {value:.4g}, not {most}" for name, value, most in limits if value > most]


def timed(asked: list[tuple[Any, Any]]) -> tuple[list[list[float]], list[list[float]]]:
    """Ask in turn, so that whatever else the machine does meets all of them alike; milliseconds on clock and core."""
    clock: list[list[float]] = [[] for _ in asked]
    processor: list[list[float]] = [[] for _ in asked]
    for _ in range(TIMES):
        for place, (client, page) in enumerate(asked):
            begun = time.perf_counter(), time.process_time()
            page.get(client)
            clock[place].append((time.perf_counter() - begun[0]) * 1000)
            processor[place].append((time.process_time() - begun[1]) * 1000)
    return clock, processor


if __name__ == "__main__":
    main()
