"""What a running job has logged so far: asked of its slot, stored nowhere, and no harm when nobody answers."""

import os
import signal
import uuid
from collections.abc import Callable
from io import StringIO
from multiprocessing import Pipe
from types import SimpleNamespace

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from jobs import api
from jobs.console import logged
from jobs.models import Job, Status
from jobs.transitions import live, wake
from jobs.worker.child import Child
from tests.jobs.rows import take
from tests.processes import Worker, descendants, until

pytestmark = pytest.mark.usefixtures("queue")


@pytest.fixture
def talking(start_worker: Callable[..., Worker]) -> tuple[Job, Worker]:
    """A job that has said something and goes on, in a real worker."""
    worker = start_worker()
    said = ["It begins.", "<b>password=hunter22</b>"]
    job = api.enqueue("talks", "ana", "1", args={"lines": said, "seconds": 60}).id
    until(lambda: Job.objects.get(pk=job).status == Status.RUNNING)
    return Job.objects.get(pk=job), worker


def test_they_are_told_while_the_job_runs(talking: tuple[Job, Worker]) -> None:
    job, _ = talking
    until(lambda: "It begins." in (logged.so_far(job) or ""))
    assert "hunter22" not in str(logged.so_far(job))


def test_a_command_shows_them(talking: tuple[Job, Worker]) -> None:
    job, _ = talking
    until(lambda: logged.so_far(job))
    out = StringIO()
    call_command("jobs", "show", str(job.pk), stdout=out)
    assert "WARNING tests.talks: It begins." in out.getvalue()


def test_a_frozen_slot_answers_nothing_and_later_again(talking: tuple[Job, Worker]) -> None:
    job, worker = talking
    until(lambda: logged.so_far(job))
    below = descendants(worker.pid)
    for pid in below:
        os.kill(pid, signal.SIGSTOP)
    try:
        assert logged.so_far(job) is None
    finally:
        for pid in below:
            os.kill(pid, signal.SIGCONT)
    until(lambda: logged.so_far(job))


def test_a_slot_that_listens_no_more_does_not_hold_up_its_supervisor() -> None:
    here, there = Pipe()
    child = Child(1, SimpleNamespace(pid=0), here, SimpleNamespace(value=0))
    for _ in range(20_000):
        child.ask("lines")
    assert there.recv() == ("lines", "")


def test_nobody_answers_for_a_worker_that_is_gone() -> None:
    api.enqueue("talks", "ana", "1", args={"lines": []})
    job = Job.objects.get(pk=take("talks").id)
    assert logged.so_far(job) is None
    with transaction.atomic():
        assert logged.so_far(job) is None


def test_of_more_than_a_notification_holds_the_newest_whole_lines_are_told() -> None:
    token = uuid.uuid4()
    wake.listen(f"jobs_lines_{token.hex}")
    live.tell(token, "\n".join(f"line {number} {'ö' * 50}" for number in range(500)))
    [(_, told)] = wake.heard(5)
    assert len(told.encode()) <= live.MOST_BYTES
    assert told.splitlines()[-1].startswith("line 499 ")
    assert all(line.startswith("line ") for line in told.splitlines())
    connection.close()


def test_looking_costs_three_statements(talking: tuple[Job, Worker]) -> None:
    job, _ = talking
    with CaptureQueriesContext(connection) as sent:
        logged.so_far(job)
    assert [query["sql"].split()[0] for query in sent] == ["LISTEN", "SELECT", "UNLISTEN"]
