"""What the product is told when an attempt ends, and what its failure cannot do."""

from dataclasses import replace
from functools import partial

import pytest
from django.db import IntegrityError, connection

from jobs import api
from jobs.models import Job
from jobs.registry import KINDS
from tests.jobs.rows import end, row, started, status
from tests.jobs.sessions import aside

pytestmark = pytest.mark.usefixtures("queue")


@pytest.fixture
def told(monkeypatch):
    """Return what on_end of the kind `plain` is told."""
    heard = []
    on_end(monkeypatch, heard.append)
    return heard


def on_end(monkeypatch, act, kind="plain"):
    monkeypatch.setitem(KINDS, kind, replace(KINDS[kind], on_end=act))


@pytest.mark.parametrize(
    ("outcome", "state"), [("succeeded", "succeeded"), ("retry", "scheduled"), ("rejected", "failed")]
)
def test_the_product_is_told_of_every_ending(told, outcome, state):
    job = started(fingerprint="f1")
    end(job, outcome, error="" if outcome == "succeeded" else "No.")
    (ending,) = told
    assert (ending.job, ending.kind, ending.owner, ending.subject) == (job.id, "plain", "ana", "1")
    assert (ending.status, ending.outcome, ending.fingerprint) == (state, outcome, "f1")
    assert ending.error == ("" if outcome == "succeeded" else "No.")


def test_the_product_is_told_of_a_stop_while_queued(told):
    ticket = api.enqueue("plain", "ana", "1")
    api.stop(ticket.id, by="ana")
    assert [(ending.status, ending.outcome) for ending in told] == [("cancelled", "stopped")]


def test_the_product_is_told_inside_the_ending_transaction(monkeypatch):
    seen = []

    def look(ending):
        seen.append((connection.in_atomic_block, status(ending.job), aside(partial(status, ending.job))))

    on_end(monkeypatch, look)
    end(started())
    assert seen == [(True, "succeeded", "running")]


@pytest.mark.parametrize("error", [ValueError("no"), IntegrityError("no")])
def test_a_product_that_fails_does_not_keep_the_job_from_ending(monkeypatch, error, caplog):
    def fail(ending):
        Job.objects.filter(pk=ending.job).update(subject="written by on_end")
        raise error

    on_end(monkeypatch, fail)
    job = started()
    assert end(job).status == "succeeded"
    assert (row(job).status, row(job).subject) == ("succeeded", "1")
    assert f"job.on_end_failed id={job.id}" in caplog.text


def test_a_statement_of_the_product_that_fails_does_not_keep_the_job_from_ending(monkeypatch):
    def fail(ending):
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1/0")

    on_end(monkeypatch, fail)
    job = started()
    assert end(job).status == "succeeded"
    assert status(job) == "succeeded"


def test_what_the_product_enqueues_when_a_job_ends_commits_with_its_end(monkeypatch):
    on_end(monkeypatch, lambda ending: api.enqueue("lined", "ana", "next"))
    end(started())
    assert status(Job.objects.get(subject="next")) == "ready"
