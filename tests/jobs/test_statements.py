"""What a job's life costs, as the list of the statements that are sent: each by the name under which it stands."""

import importlib
import pkgutil
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

import jobs
from jobs import api, sql
from jobs.models import Idle, Worker
from jobs.registry import KINDS, kind_of
from jobs.transitions import claim, finish, workers
from jobs.transitions.enqueue import Wish
from jobs.transitions.enqueue import enqueue as enqueue_one
from jobs.transitions.outcomes import Attempted
from jobs.worker.run import Run
from tests.jobs.rows import WORKER, end, enqueue, serving, started, take

pytestmark = pytest.mark.usefixtures("queue")

OWN = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE SAVEPOINT")
MODULES = [
    importlib.import_module(f"jobs.{place}{found.name}")
    for place in ("", "transitions.", "worker.")
    for found in pkgutil.iter_modules([str(Path(jobs.__file__).parent / place.rstrip("."))])
    if not found.ispkg and found.name not in ("preload", "clock")
]
NAMES = {
    text: f"{module.__name__.rpartition('.')[2]}.{name}"
    for module in MODULES
    for name, text in vars(module).items()
    if name.isupper() and isinstance(text, str)
}


@pytest.fixture
def sent(monkeypatch):
    """Give a block that lists the names of the statements sent in it; one that goes another way makes it fail."""
    heard: list[str] = []

    def noted(real):
        def send(statement, **values):
            heard.append(NAMES[statement])
            return real(statement, **values)

        return send

    monkeypatch.setattr(sql, "rows", noted(sql.rows))
    monkeypatch.setattr(sql, "run", noted(sql.run))

    @contextmanager
    def block():
        heard.clear()
        names: list[str] = []
        with CaptureQueriesContext(connection) as captured:
            yield names
        names += heard
        assert len([query for query in captured if not query["sql"].startswith(OWN)]) == len(names)

    return block


FIRST = {
    "plain": ["enqueue.NEWEST", "enqueue.INSERT", "wake.WAKE"],
    "pooled": ["enqueue.NEWEST", "enqueue.INSERT", "wake.WAKE"],
    "lined": ["enqueue.NEWEST", "enqueue.INSERT", "lanes.PLACE", "wake.WAKE", "ticket.BY_ID"],
}
ENDING = {
    "plain": ["sql.BOUNDS", "finish.FENCE", "finish.END"],
    "pooled": ["sql.BOUNDS", "finish.FENCE", "finish.END", "wake.WAKE"],
    "lined": ["sql.BOUNDS", "finish.FENCE", "finish.END", "lanes.PLACE"],
}


@pytest.mark.parametrize("kind", FIRST)
def test_a_jobs_life_sends_these_statements_and_no_other(sent, kind):
    wish = Wish(kind=kind_of(kind), owner="ana", subject="1", args={}, fingerprint="f1")
    with sent() as names:
        enqueue_one(wish)
    assert names == FIRST[kind]
    with sent() as names:
        enqueue_one(wish)
    assert names == ["enqueue.NEWEST"]  # a poll
    with sent() as names:
        job = take()
    assert names == ["claim.CLAIM"]
    with sent() as names:
        finish.end(job.id, job.token, Attempted(outcome="succeeded"))
    assert names == ENDING[kind]


def test_the_first_look_puts_the_job_in_line_and_explains_it_by_five_statements(sent):
    with sent() as names:
        api.enqueue("pooled", "ana", "1", watch="7")
    assert names == ["enqueue.NEWEST", "enqueue.INSERT", "wake.WAKE", "ticket.WHY", "ticket.USUAL"]


def test_a_first_look_beyond_the_few_lets_the_oldest_fall_back_by_one_statement_more(sent, tune):
    tune(WATCHES_PER_USER=1)
    api.enqueue("pooled", "ana", "1", watch="7")
    with sent() as names:
        api.enqueue("pooled", "ana", "2", watch="7")
    assert names == ["enqueue.NEWEST", "enqueue.INSERT", "watches.SURPLUS", "wake.WAKE", "ticket.WHY", "ticket.USUAL"]


def test_a_poll_that_explains_the_job_reads_two_things_more(sent):
    Worker.objects.create(id=WORKER, host="h", pid=1, slots=1, pools=["gateway"], kinds=list(KINDS))
    api.enqueue("pooled", "ana", "1", watch="7")
    with sent() as names:
        api.enqueue("pooled", "ana", "1", watch="7")
    assert names == ["enqueue.NEWEST", "ticket.WHY", "ticket.USUAL"]


def test_a_poll_that_renews_its_watch_sends_one_statement_more(sent):
    api.enqueue("plain", "ana", "1", watch="7")
    with connection.cursor() as cursor:
        cursor.execute("UPDATE jobs_watch SET until = now() + interval '1 s'")
    wish = Wish(kind=kind_of("plain"), owner="ana", subject="1", args={}, watch="7")
    with sent() as names:
        enqueue_one(wish)
    assert names == ["enqueue.NEWEST", "watches.WATCH"]


def test_five_hundred_at_once_are_two_statements_and_what_follows(sent):
    many = [api.New(owner="ana", subject=str(number)) for number in range(500)]
    with sent() as names:
        api.enqueue_many("plain", many)
    assert names == ["sql.BOUNDS", "bulk.TRY_LOCKS", "bulk.INSERT_MANY", "wake.WAKE", "bulk.OTHERWISE"]


def test_a_claim_of_nothing_is_one_statement(sent):
    enqueue("1")
    with sent() as names:
        assert claim.claim(WORKER, 1, serving("pooled")) is None
    assert names == ["claim.CLAIM"]


def test_a_heartbeat_is_one_statement_whatever_runs(sent):
    started("pooled")
    with sent() as names:
        workers.beat(WORKER, draining=False)
    assert names == ["workers.BEAT"]


def test_a_call_is_four_statements_and_a_save_two_beside_its_own(sent):
    run = Run(started("pooled"))
    with sent() as names, run.call(timeout=9) as call:
        call.answered()
    assert names == ["calls.GAP_LEFT", "calls.BEGIN", "calls.OVER", "pools.ANSWERED"]
    with sent() as names, run.save():
        pass
    assert names == ["sql.BOUNDS", "run.FENCE"]


def test_a_wake_up_is_a_part_of_what_was_done_only_where_somebody_sleeps(sent):
    Worker.objects.create(id=WORKER, host="h", pid=1, slots=1, pools=["gateway"], kinds=list(KINDS))
    Idle.objects.create(worker=WORKER, slot=1)
    job = started("pooled")
    with sent() as names:
        end(job)
    assert names == ENDING["pooled"]
    assert not Idle.objects.exists()
