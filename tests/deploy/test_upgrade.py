"""An upgrade, and the way back, while jobs run: every job once, and the upstream never overrun."""

import io
import signal
import subprocess
import sys
import tarfile
from pathlib import Path

import psycopg
import pytest

from coach.trial import TrialGateway
from tests.jobs.test_upstream import in_flight
from tests.processes import ROOT, environment, until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.full]

BEFORE = "0781ec8e1c312a3f5aa55d4462b3a20902e7561c"  # the last commit whose tables are those of the version before
LAST = {"jobs": "0005", "coach": "0009"}  # its newest migrations
ENQUEUE = """
from jobs import api
for number in range({first}, {first} + {number}):
    api.enqueue("calls", f"owner:{{number % 3}}", str(number), args={{"url": "{url}"}})
    api.enqueue("lined", f"owner:{{number % 3}}", str(number), args={{"lane": f"lane:{{number % 4}}"}})
"""


@pytest.fixture
def old(tmp_path) -> Path:
    """The tree of the version before."""
    packed = subprocess.run(["git", "archive", BEFORE], cwd=ROOT, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as tar:
        tar.extractall(tmp_path / "old", filter="data")
    return tmp_path / "old"


def test_workers_of_two_versions_share_the_line_and_nothing_is_lost_or_done_twice(old, elsewhere, start_worker):
    def manage(root: Path, *words: str) -> None:
        command = [sys.executable, "manage.py", *words]
        ended = subprocess.run(command, cwd=root, env=environment(**there), capture_output=True, text=True, check=False)
        assert ended.returncode == 0, ended.stderr

    def enqueue(root: Path, first: int, number: int) -> None:
        manage(root, "shell", "-v", "0", "-c", ENQUEUE.format(first=first, number=number, url=gateway.url))

    def count(condition: str) -> int:
        with psycopg.connect(elsewhere) as session:
            return session.execute(f"SELECT count(*) FROM jobs_job WHERE {condition}").fetchone()[0]  # noqa: S608

    there = {"DATABASE_URL": elsewhere}
    with TrialGateway(delay_s=0.3) as gateway:
        manage(old, "migrate")
        enqueue(old, 0, 100)
        before = [start_worker(root=old, env=there) for _ in range(2)]
        until(lambda: count("status = 'succeeded'") > 10, seconds=60, what="the old version works")
        manage(ROOT, "migrate")
        after = start_worker(env=there)
        until(lambda: "job.ended" in after.log, seconds=60, what="the new version works beside it")
        for worker in before:
            worker.signal(signal.SIGTERM)
        assert [worker.wait(60) for worker in before] == [0, 0]
        assert count("status = 'ready' OR status = 'waiting'") > 10, "the line was empty before the upgrade ended"
        enqueue(ROOT, 100, 10)
        # The way back, with the new version's code, before the old code returns.
        after.signal(signal.SIGTERM)
        assert after.wait(60) == 0
        for app, name in LAST.items():
            manage(ROOT, "migrate", app, name)
        enqueue(old, 110, 10)
        start_worker(root=old, env=there)
        until(lambda: not count("status <> 'succeeded'"), seconds=300, what="every job succeeds")
        assert count("true") == 2 * 120
        with psycopg.connect(elsewhere) as session:
            ends = session.execute("SELECT job, count(*) FROM jobs_attempt GROUP BY job HAVING count(*) > 1").fetchall()
        assert ends == []
        calls = gateway.log()
        assert (len(calls), in_flight(calls)) == (120, 1)
