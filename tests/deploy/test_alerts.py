"""Each of the five alerts is silent on a site that is well, and fires for what it is there for, on what is told."""

import uuid
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
import yaml
from django.db import connection
from django.db.models import F
from django.db.models.functions import Now
from django.test import Client
from django.urls import reverse

from jobs import api
from jobs.models import Job, Pool, Worker
from jobs.registry import KINDS
from jobs.transitions import pools, workers
from tests.deploy.promql import Vector, fires, samples
from tests.jobs import rows

ALERTS = Path(__file__).resolve().parent.parent.parent / "deploy" / "observe" / "alerts.yml"
RULES = {rule["alert"]: rule["expr"] for rule in yaml.safe_load(ALERTS.read_text())["groups"][0]["rules"]}
TOKEN = "a-monitor"
HOUR = timedelta(hours=1)


@pytest.fixture
def told(transactional_db, settings) -> Callable[[], dict[str, Vector]]:
    settings.METRICS_TOKEN = TOKEN
    workers.register(
        uuid.uuid4(), host="here", pid=1, slots=1, pools=["gateway", "wide"], kinds=list(KINDS), version="1"
    )

    def ask() -> dict[str, Vector]:
        answer = Client().get(reverse("metrics"), headers={"Authorization": f"Bearer {TOKEN}"})
        answers = answer.status_code == 200
        return {**samples(answer.content.decode() if answers else ""), "up": {frozenset({("job", "coach")}): answers}}

    return ask


def firing(told: Callable[[], dict[str, Vector]]) -> set[str]:
    now = told()
    return {name for name, expression in RULES.items() if fires(expression, now)}


def closed(since: timedelta) -> None:
    job = rows.started("pooled", "probe")
    pools.down("gateway", job=job.id, started_at=Job.objects.get(pk=job.id).started_at, reason="away", hard=True)
    rows.end(job)
    Pool.objects.filter(pk="gateway").update(down_since=Now() - since)


def test_there_are_five(told):
    assert len(RULES) == 5
    assert firing(told) == set()


def test_a_site_that_does_not_answer(told):
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE jobs_job RENAME TO was_jobs_job")
    try:
        assert firing(told) == {"CoachDoesNotAnswer"}
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE was_jobs_job RENAME TO jobs_job")


def test_no_worker(told):
    Worker.objects.all().delete()
    assert firing(told) == {"CoachHasNoWorker"}


def test_a_worker_that_is_silent_is_none(told):
    Worker.objects.update(heartbeat_at=Now() - HOUR)
    assert "CoachHasNoWorker" in firing(told)


def test_a_pool_that_stays_closed_and_a_job_that_waits_for_it(told):
    closed(since=HOUR)
    assert firing(told) == set()
    rows.enqueue("1", kind="pooled")
    assert firing(told) == {"CoachPoolStaysClosed"}


def test_it_holds_while_a_job_tries_whether_the_upstream_is_back(told):
    """Each try ends the closing for a moment; an alert that went by it would start to count anew, for ever."""
    closed(since=HOUR)
    Pool.objects.filter(pk="gateway").update(closed_until=Now() - timedelta(seconds=1))
    rows.enqueue("1", kind="pooled")
    assert firing(told) == {"CoachPoolStaysClosed"}
    rows.take("pooled")
    assert firing(told) == {"CoachPoolStaysClosed"}


@pytest.mark.parametrize("how", [{"paused": True}, {"admit": None, "closed_until": None, "down_since": None}])
def test_a_pool_that_staff_paused_or_that_is_back_wakes_nobody(told, how):
    closed(since=HOUR)
    rows.enqueue("1", kind="pooled")
    Pool.objects.filter(pk="gateway").update(**how)
    assert firing(told) == set()


def test_a_pool_that_closed_a_moment_ago_wakes_nobody(told):
    closed(since=timedelta(minutes=10))
    rows.enqueue("1", kind="pooled")
    assert firing(told) == set()


def test_somebody_who_waits(told):
    rows.enqueue("1", kind="pooled")
    api.promote(Job.objects.latest("id").pk, by="staff")
    Job.objects.update(turn=F("turn") - 2 * HOUR)
    assert firing(told) == {"CoachKeepsPeopleWaiting"}


def test_a_rule_that_is_broken(told):
    rows.enqueue("1", kind="plain")
    Worker.objects.update(kinds=["pooled"])
    assert firing(told) == {"CoachQueueIsBroken"}
