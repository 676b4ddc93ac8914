"""The log lines of an attempt: bounded, without secrets, and written by the statement that ends it."""

import logging

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from jobs import api, testing
from jobs.models import Attempt
from jobs.worker import lines
from tests.jobs.rows import take

pytestmark = pytest.mark.usefixtures("queue")


def ended(*said, **args):
    ticket = api.enqueue("talks", "ana", str(len(said)), args={"lines": said, **args})
    testing.run_one(take("talks"))
    return Attempt.objects.get(job=ticket.id)


def test_an_attempt_keeps_the_lines_that_its_code_wrote():
    found = ended("It begins.", "It goes on.").log.splitlines()
    assert [line[8:] for line in found] == [
        " WARNING tests.talks: It begins.",
        " WARNING tests.talks: It goes on.",
    ]


def test_one_that_failed_keeps_them_too():
    assert "It begins." in ended("It begins.", fails=True).log


def test_secrets_are_cut_out_and_a_line_is_one_line():
    log = ended("Authorization: Bearer abcdefghijkl", "password=hunter22\nsecond part").log
    assert len(log.splitlines()) == 2
    assert "abcdefghijkl" not in log
    assert "hunter22" not in log


def test_of_many_lines_the_last_are_kept_and_the_others_counted():
    log = ended(*(f"line {number} {'x' * 90}" for number in range(500))).log
    assert "line 499 " in log
    assert log.startswith("(")
    assert "earlier lines are left out)" in log.splitlines()[0]
    assert len(log) < lines.MOST_CHARACTERS + 100


def test_a_line_that_is_too_long_is_cut():
    assert len(ended("x" * 50_000).log) <= lines.LONGEST


def test_lines_of_other_work_are_no_lines_of_the_job():
    with lines.kept() as kept:
        logging.getLogger("jobs").warning("job.ended")
    logging.getLogger("tests.talks").warning("outside")
    assert kept.text == ""


def test_they_cost_no_statement():
    def statements(*said):
        api.enqueue("talks", "ana", str(said), args={"lines": said})
        job = take("talks")
        with CaptureQueriesContext(connection) as sent:
            testing.run_one(job)
        return len(sent)

    assert statements() == statements("one", "two")


def test_a_real_worker_keeps_them(start_worker):
    quiet = api.enqueue("talks", "ana", "quiet", args={"lines": []})
    loud = api.enqueue("talks", "ana", "loud", args={"lines": ["It begins."]})
    start_worker()
    for ticket in (quiet, loud):
        assert testing.wait(ticket.id).status == "succeeded"
    assert Attempt.objects.get(job=quiet.id).log == ""
    assert "It begins." in Attempt.objects.get(job=loud.id).log
