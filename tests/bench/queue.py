"""Measures the queue on an empty database of its own: `python -m tests.bench.queue` (about two minutes).

Prints rates and, because machines differ, each as a ratio to a bare round trip of the same run.
"""

import os
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable
from typing import Any

import django

CONSOLE = ("jobs_job_due", "jobs_job_short", "jobs_job_errors", "jobs_job_subject", "jobs_job_behind")


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
    from jobs.transitions import claim, pools

    bare = rate(lambda n: sql.rows("SELECT 1"), 3000)
    show("bare round trip", bare, bare)
    show("enqueue one and explain it", rate(lambda n: api.enqueue("plain", f"o{n % 50}", f"one{n}"), 500), bare)
    show("poll what is enqueued", rate(lambda n: poll(n % 500), 1000), bare)
    for kind, number in (("plain", 500), ("quick", 5000)):
        api.enqueue_many(kind, [api.New(owner=f"o{n % 50}", subject=f"worked{n}") for n in range(number)])
        show(f"a worker of one slot: {kind} jobs", worked(kind), bare)
    begun = time.perf_counter()
    api.enqueue_many("plain", [api.New(owner=f"o{n % 50}", subject=f"many{n}") for n in range(10_000)])
    show("enqueue of 10,000 at once", 10_000 / (time.perf_counter() - begun), bare)
    served = claim.Served(kinds={"plain": 60.0, "pooled": 60.0}, pools=["gateway", "wide"])
    api.enqueue_many("quick", [api.New(owner=f"o{n % 50}", subject=f"quick{n}") for n in range(10_000)])
    alone = cycles(served, bare, beside="")
    backlog()
    beside = cycles(served, bare, beside=", beside 200,000")
    print("slowed by the backlog:", ", ".join(f"{one / two:.2f} times" for one, two in zip(alone, beside, strict=True)))
    for index in CONSOLE:
        sql.run(f"DROP INDEX {index}")
    bare_now = rate(lambda n: sql.rows("SELECT 1"), 3000)
    without = cycles(served, bare_now, beside=", and without the console's indexes")
    slowed = [(two / bare_now) / (one / bare) for one, two in zip(beside, without, strict=True)]
    print("slowed by the console's indexes, of a bare round trip:", ", ".join(f"{times:.2f} times" for times in slowed))
    pools.change("wide", by="bench", capacity=4)
    api.enqueue_many("pooled", [api.New(owner="p", subject=str(n), args={"pool": "wide"}) for n in range(2000)])
    print(f"most running at once, 8 claimers over 4 seats: {race(served)}")


def cycles(served: Any, bare: float, *, beside: str) -> list[float]:
    """Measure and show the three ways to claim and finish, in this process."""
    ways = (
        ("claim and finish", lambda: apart(served), 500),
        ("the same in one statement", lambda: Chain(served).step, 1000),
        ("quick jobs, a hundred at once", lambda: hundred, 20),
    )
    found = []
    for what, way, times in ways:
        each = 100 if "hundred" in what else 1
        found.append(each * rate(way(), times))
        show(what + beside, found[-1], bare)
    return found


def apart(served: Any) -> Callable[[int], None]:
    from jobs.transitions import claim, finish
    from jobs.transitions.outcomes import Attempted

    def cycle(n: int) -> None:
        job = claim.claim(uuid.uuid4(), 1, served)
        assert isinstance(job, claim.Claimed)
        finish.end(job.id, job.token, Attempted(outcome="succeeded"))

    return cycle


class Chain:
    """Each statement ends one job and claims the next, as a slot does."""

    def __init__(self, served: Any) -> None:
        from jobs.transitions import claim

        self.claim, self.served, self.job = claim, served, claim.claim(uuid.uuid4(), 1, served)

    def step(self, n: int) -> None:
        done, own = self.job, {"worker": uuid.uuid4(), "slot": 1, "served": self.served}
        ended, self.job = self.claim.after(done.id, done.token, None, **own)
        assert ended
        assert self.job


def hundred(n: int) -> None:
    from jobs.transitions import claim, quick

    taken = quick.claim_more(uuid.uuid4(), 1, claim.Served(kinds={"quick": 60.0}, pools=[]), most=100)
    done = [
        quick.Done(id=job.id, token=job.token, kind=job.kind, result=None, began_s=0.01, ended_s=0.005) for job in taken
    ]
    assert len(quick.end(done)) == 100


def worked(kind: str) -> float:
    """Return how many jobs a second a worker process runs that empties the queue, from first claim to last ending."""
    from django.db.models import Max, Min

    from jobs.models import Attempt
    from tests.processes import environment

    options = ["--slots", "1", "--kinds", kind, "--drain", "--no-clock"]
    subprocess.run(
        [sys.executable, "manage.py", "work", *options],
        env=environment(),
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    ran = Attempt.objects.filter(kind=kind).aggregate(first=Min("started_at"), last=Max("ended_at"))
    return Attempt.objects.filter(kind=kind).count() / (ran["last"] - ran["first"]).total_seconds()


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
