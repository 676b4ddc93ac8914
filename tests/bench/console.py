"""Measures the console on millions of jobs: `python -m tests.bench.console --jobs 3000000` (about ten minutes).

Builds a database of its own, `bench_console`, beside the one that DATABASE_URL names, and leaves it there: `--reuse`
measures it again, `--drop` removes it. Prints the time of each page at the median and at the 95th of a hundred, the
processor's time that this process spent on it (where others use the machine, the rest was spent waiting for them), and
the time of its statements.
"""

import argparse
import json
import math
import os
import re
import resource
import sys
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode, urlsplit, urlunsplit

import django
import psycopg

OWN = "bench_console"
MOST_MS = 300
COUNTS = re.compile(r'COUNT\(\*\).*FROM "?jobs_(job|attempt|lane|payload|item)', re.S)

# Jobs by number: nine of ten ended, the rest in line, half of them in lanes. One owner of a thousand has a tenth of
# all, a kind and an error are found among the oldest alone.
JOBS = """
INSERT INTO jobs_job (id, kind, owner, subject, fingerprint, wanted_fingerprint, lane, pool, status, priority, band,
                      promoted, turn, vturn, attempts, crashes, downs, stop_by, error_kind, error, started_at, ended_at,
                      created_at, queued_at)
SELECT n, kind, 'owner:' || CASE WHEN n %% 10 = 0 THEN 0 ELSE n %% 1000 END, kind || '/' || n, md5(n::text), '',
       CASE WHEN n %% 2 = 0 THEN 'source:' || (n / 2) %% %(lanes)s ELSE '' END,
       CASE WHEN kind IN ('insight', 'annotate') THEN 'gateway' ELSE '' END, status, 10, 1, '', at, at,
       CASE WHEN status = 'failed' THEN 3 ELSE 0 END, 0, 0, '',
       CASE WHEN status <> 'failed' THEN '' WHEN n < %(jobs)s / 100 THEN 'disk_full'
            ELSE (ARRAY['timeout', 'ValueError', 'rejected'])[1 + n %% 3] END,
       CASE WHEN status = 'failed' THEN 'It did not work.' ELSE '' END,
       CASE WHEN ended THEN at END, CASE WHEN ended THEN at + interval '70 s' END, at, at
FROM (
    SELECT n, at, ended, CASE WHEN n < %(jobs)s / 50 AND n %% 500 = 0 THEN 'retired'
        ELSE (ARRAY['insight', 'insight', 'insight', 'import', 'annotate', 'profile'])[1 + n %% 6] END AS kind,
        CASE WHEN NOT ended AND n %% 2 = 0 AND n - %(ended)s > 2 * %(lanes)s THEN 'waiting' WHEN NOT ended THEN 'ready'
             WHEN n %% 100 < 6 THEN 'failed' WHEN n %% 100 < 8 THEN 'partial' WHEN n %% 100 = 8 THEN 'cancelled'
             WHEN n %% 1000 = 9 THEN 'interrupted' ELSE 'succeeded' END AS status
    FROM (SELECT n, n <= %(ended)s AS ended,
                 clock_timestamp() - (%(jobs)s - n) * (interval '60 days' / %(jobs)s) AS at
          FROM generate_series(1, %(jobs)s) n) numbered
) made
"""
ATTEMPTS = """
INSERT INTO jobs_attempt (token, job, kind, number, worker, slot, started_at, ended_at, outcome, error_kind, error, log)
SELECT gen_random_uuid(), j.id, j.kind, 1 + n / %(ended)s, '00000000-0000-0000-0000-000000000001', n %% 8,
       j.started_at, j.ended_at, CASE j.status WHEN 'failed' THEN 'retry' WHEN 'cancelled' THEN 'stopped'
       ELSE 'succeeded' END, j.error_kind, j.error, ''
FROM generate_series(1, %(jobs)s) n JOIN jobs_job j ON j.id = 1 + n %% %(ended)s
"""
LANES = """
INSERT INTO jobs_lane (key, label, paused, held_kind, held_label)
SELECT 'source:' || n, '', n %% 997 = 0, '', '' FROM generate_series(0, %(lanes)s - 1) n
"""
PAYLOADS = "INSERT INTO jobs_payload (job, args) SELECT n, '{\"n\": 1}' FROM generate_series(1, %(jobs)s, 100) n"
AUDIT = """
INSERT INTO jobs_audit (at, actor, action, target, old, new)
SELECT clock_timestamp(), 'ana', 'job.promote', 'job ' || n, '{}', '{}' FROM generate_series(1, %(jobs)s / 30) n
"""
WORKER = """
INSERT INTO jobs_worker (id, host, pid, slots, pools, kinds, version, draining, heartbeat_at)
VALUES ('00000000-0000-0000-0000-000000000001', 'box', 7, 4, '{gateway}', '{insight,import,annotate,profile}', '',
        false, clock_timestamp() + interval '1 day')
"""
INDEXES = """
SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS made FROM pg_index
WHERE indrelid IN ('jobs_job'::regclass, 'jobs_attempt'::regclass) AND NOT indisprimary
  AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=3_000_000)
    parser.add_argument("--times", type=int, default=20, help="how often each page is asked for")
    parser.add_argument("--only", default="", help="only pages whose name holds this")
    parser.add_argument("--reuse", action="store_true", help="measure what an earlier run has built")
    parser.add_argument("--drop", action="store_true", help="remove the database and leave")
    options = parser.parse_args()
    beside = os.environ["DATABASE_URL"]
    if options.drop or not options.reuse:
        with psycopg.connect(beside, autocommit=True) as server:
            server.execute(f"DROP DATABASE IF EXISTS {OWN}")
            if options.drop:
                return
            server.execute(f"CREATE DATABASE {OWN}")
    os.environ["DATABASE_URL"] = urlunsplit(urlsplit(beside)._replace(path=f"/{OWN}"))
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    django.setup()
    if not options.reuse:
        build(options.jobs)
    measure(options.jobs, times=options.times, only=options.only)


def build(jobs: int) -> None:
    import logging

    from django.core.management import call_command
    from django.db import connection

    from jobs import sql
    from jobs.transitions import tally

    if connection.settings_dict["NAME"] != OWN:
        sys.exit(f"Only {OWN} is filled.")
    logging.disable(logging.WARNING)
    begun = time.monotonic()
    call_command("migrate", verbosity=0)
    indexes = sql.rows(INDEXES)
    for index in indexes:  # built once at the end, not row by row
        sql.run(f"DROP INDEX {index['name']}")
    sql.run("SET maintenance_work_mem = '512MB'")
    given = {"jobs": jobs, "lanes": max(1, jobs // 30), "ended": jobs * 9 // 10}
    for statement in (JOBS, ATTEMPTS, LANES, PAYLOADS, AUDIT, WORKER):
        sql.run(statement, **given)
    for index in indexes:
        sql.run(index["made"])
    sql.run("SELECT setval(pg_get_serial_sequence('jobs_job', 'id'), %(jobs)s)", jobs=jobs)
    sql.run("VACUUM ANALYZE")
    tally.count()
    print(f"built {jobs:,} jobs, as many attempts and {given['lanes']:,} lanes in {time.monotonic() - begun:.0f} s")


def pages(jobs: int) -> Iterator[tuple[str, list[str]]]:
    """Yield what is asked for: a name, and addresses of which each is asked for in turn."""
    ended, half = jobs * 9 // 10, jobs // 2
    job, attempt = "/admin/jobs/job/", "/admin/jobs/attempt/"

    def listed(**query: Any) -> list[str]:
        return [f"{job}?{urlencode(query)}"]

    yield "overview with its charts", ["/admin/jobs/"]
    yield "list", [job]
    yield "list, deep inside", listed(after=json.dumps([str(half)]))
    yield "list, back", listed(before=json.dumps([str(half)]))
    for state in ("queued", "trouble", "scheduled", "waiting", "ready", "running", "succeeded", "partial", "failed",
                  "cancelled", "interrupted"):  # fmt: skip
        yield f"state {state}", listed(state=state)
    for kind in ("insight", "profile", "retired", "no such"):
        yield f"kind {kind}", listed(kind=kind)
    for owner in ("owner:7", "owner:0", "nobody"):
        yield f"owner {owner}", listed(owner=owner)
    yield "pool gateway", listed(pool="gateway")
    yield "no pool", listed(pool="-")
    yield "lane", listed(lane="source:77")
    for error in ("timeout", "disk_full", "no such"):
        yield f"error {error}", listed(error=error)
    for age in ("hour", "day", "week", "older"):
        yield f"age {age}", listed(age=age)
    yield "failed of a rare kind", listed(state="failed", kind="retired")
    yield "rare error of one owner", listed(error="disk_full", owner="owner:7")
    yield "in line, of one owner", listed(state="queued", owner="owner:7")
    yield "in line, of one lane", listed(state="waiting", lane="source:77")
    yield "old failures", listed(state="failed", age="older")
    subjects = {
        "an id": half,
        "a subject": f"insight/{half // 6 * 6}",
        "the beginning of a subject": "import/29",
        "of many subjects": "i",
        "an owner": "owner:7",
        "a large owner": "owner:0",
        "nothing there": "nowhere",
    }
    for what, word in subjects.items():
        yield f"search by {what}", listed(q=word)
    for what, number in (("done", half), ("failed", 100_001 % ended), ("in line", ended + 1), ("last in line", jobs)):
        yield f"page of a job, {what}", [f"{job}{number}/change/"]
    yield "attempts", [attempt]
    yield "attempts of a rare error", [f"{attempt}?error=disk_full"]
    yield "attempts that were stopped", [f"{attempt}?outcome=stopped"]
    yield "attempts of one job", [f"{attempt}?q={half}"]
    yield "lanes", ["/admin/jobs/lane/", "/admin/jobs/lane/?q=source:9", "/admin/jobs/lane/?paused__exact=1"]
    yield "audit", ["/admin/jobs/audit/", "/admin/jobs/audit/?q=job 7"]
    yield "pools, seats, workers", [f"/admin/jobs/{name}/" for name in ("pool", "seat", "worker")]


def measure(jobs: int, *, times: int, only: str) -> None:
    import logging

    from django.conf import settings
    from django.contrib.auth.models import User
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    logging.disable(logging.WARNING)
    settings.ALLOWED_HOSTS = ["testserver"]
    settings.MIDDLEWARE = [name for name in settings.MIDDLEWARE if "whitenoise" not in name]
    client = Client()
    client.force_login(User.objects.filter(username="bench").first() or User.objects.create_superuser("bench"))
    client.get("/admin/")
    begins_mb, late, counting = _peak_mb(), [], []
    print(f"{'page':36} {'median':>8} {'p95':>8} {'processor':>10} {'statements':>16}")
    for name, addresses in pages(jobs):
        if only not in name:
            continue
        client.get(addresses[0])  # its template is compiled, its rows are in memory
        took: list[float] = []
        spent = time.process_time()
        for n in range(times):
            begun = time.perf_counter()
            response = client.get(addresses[n % len(addresses)])
            took.append((time.perf_counter() - begun) * 1000)
            assert response.status_code == 200, (name, response.status_code, response.get("Location"))
        spent = (time.process_time() - spent) * 1000 / times
        with CaptureQueriesContext(connection) as sent:
            client.get(addresses[0])
        counting += [
            query["sql"] for query in sent if COUNTS.search(query["sql"]) and query["sql"].startswith("SELECT COUNT")
        ]
        took.sort()
        p95 = took[math.ceil(len(took) * 0.95) - 1]
        late += [name] if p95 > MOST_MS else []
        sql_ms = sum(float(query["time"]) for query in sent) * 1000
        middle = took[len(took) // 2]
        print(f"{name:36} {middle:5.0f} ms {p95:5.0f} ms {spent:7.0f} ms {len(sent):6} in {sql_ms:3.0f} ms", flush=True)
        if only and os.environ.get("BENCH_SQL"):
            for query in sorted(sent, key=lambda query: -float(query["time"]))[:3]:
                print(query["time"], query["sql"][:1500])
    print(f"memory grew by {_peak_mb() - begins_mb:.0f} MB; whole tables counted: {len(counting)}")
    print(f"over {MOST_MS} ms: {', '.join(late) or 'none'}")
    if late or counting:
        sys.exit(1)


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
