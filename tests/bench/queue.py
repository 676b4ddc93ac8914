"""Measures the queue on an empty database of its own: `python -m tests.bench.queue` (about a minute).

Prints rates and, because machines differ, each as a ratio to a bare round trip of the same run.
"""

import os
import sys
import threading
import time
import uuid
from collections.abc import Callable

import django


def main() -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    django.setup()
    import logging

    from django.db import connection
    from django.test.utils import setup_databases, teardown_databases

    logging.getLogger("jobs").setLevel(logging.WARNING)
    made = setup_databases(0, interactive=False, aliases=["default"])
    try:
        print(f"PostgreSQL {connection.pg_version // 10000}, Python {sys.version.split()[0]}, {os.cpu_count()} cores")
        measure()
    finally:
        connection.close()
        teardown_databases(made, 0)


def measure() -> None:
    from jobs import api, sql
    from jobs.transitions import claim, finish, pools
    from jobs.transitions.outcomes import Attempted

    bare = rate(lambda n: sql.rows("SELECT 1"), 3000)
    show("bare round trip", bare, bare)
    show("enqueue one and explain it", rate(lambda n: api.enqueue("plain", f"o{n % 50}", f"one{n}"), 500), bare)
    show("poll what is enqueued", rate(lambda n: poll(n % 500), 1000), bare)
    begun = time.perf_counter()
    api.enqueue_many("plain", [api.New(owner=f"o{n % 50}", subject=f"many{n}") for n in range(10_000)])
    show("enqueue of 10,000 at once", 10_000 / (time.perf_counter() - begun), bare)
    served = claim.Served(kinds={"plain": 60.0, "pooled": 60.0}, pools=["gateway", "wide"])

    def cycle(n: int) -> None:
        job = claim.claim(uuid.uuid4(), 1, served)
        assert isinstance(job, claim.Claimed)
        finish.end(job.id, job.token, Attempted(outcome="succeeded"))

    alone = rate(cycle, 1000)
    show("claim and finish, one process", alone, bare)
    backlog()
    beside = rate(cycle, 1000)
    show("the same beside 200,000 jobs that cannot run", beside, bare)
    print(f"slowed by the backlog: {alone / beside:.2f} times")
    pools.change("wide", by="bench", capacity=4)
    api.enqueue_many("pooled", [api.New(owner="p", subject=str(n), args={"pool": "wide"}) for n in range(2000)])
    print(f"most running at once, 8 claimers over 4 seats: {race(served)}")


def poll(n: int) -> None:
    from jobs.registry import kind_of
    from jobs.transitions.enqueue import Wish, enqueue

    enqueue(Wish(kind=kind_of("plain"), owner=f"o{n % 50}", subject=f"one{n}", args={}))


def backlog() -> None:
    """Ready jobs of a kind nobody serves, and jobs that wait in lanes behind a running one."""
    from jobs import sql

    sql.run(
        """INSERT INTO jobs_job (kind, owner, subject, fingerprint, wanted_fingerprint, lane, pool, status, priority,
               band, promoted, turn, vturn, attempts, crashes, downs, stop_by, error_kind, error)
           SELECT CASE WHEN mod(n, 2) = 0 THEN 'unserved' ELSE 'lined' END, 'b', n::text, '', '',
                  CASE WHEN mod(n, 2) = 0 THEN '' ELSE 'lane' || mod(n, 1000) END, '',
                  CASE WHEN mod(n, 2) = 0 THEN 'ready' ELSE 'waiting' END, 10, 1, '',
                  '2000-01-01'::timestamptz, '2000-01-01'::timestamptz, 0, 0, 0, '', '', ''
           FROM generate_series(1, 200000) n"""
    )
    sql.run("ANALYZE jobs_job")


def race(served: object) -> int:
    """Return the greatest number of pooled jobs that ran at once, counted in this process."""
    from django.db import connection

    from jobs.transitions import claim, finish
    from jobs.transitions.outcomes import Attempted

    guard, running, most, barrier = threading.Lock(), 0, 0, threading.Barrier(8)
    only = claim.Served(kinds={"pooled": 60.0}, pools=["wide"], poolless=False)

    def work() -> None:
        nonlocal running, most
        barrier.wait()
        while True:
            job = claim.claim(uuid.uuid4(), 1, only)
            if job is None:
                break
            if isinstance(job, claim.Contended):
                continue
            with guard:
                running += 1
                most = max(most, running)
            time.sleep(0.001)
            with guard:
                running -= 1
            finish.end(job.id, job.token, Attempted(outcome="succeeded"))
        connection.close()

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return most


def rate(act: Callable[[int], object], times: int) -> float:
    begun = time.perf_counter()
    for n in range(times):
        act(n)
    return times / (time.perf_counter() - begun)


def show(what: str, per_second: float, bare: float) -> None:
    print(f"{what:<46} {per_second:>9,.0f}/s   {per_second / bare:.3f} of a round trip")


if __name__ == "__main__":
    main()
