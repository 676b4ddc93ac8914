"""What a monitor reads, and that the dashboard and the alerts ask for nothing else."""

import json
import logging
import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.db.models import F
from django.test import Client
from django.urls import reverse

from coach import logs
from jobs import api, events
from jobs.models import Job
from tests.jobs import rows
from tests.processes import until

ROOT = Path(__file__).resolve().parent.parent.parent
OBSERVE = ROOT / "deploy" / "observe"
SAMPLE = re.compile(r"^(\w+)(?:\{(.*)\})? ([\d.e+-]+)$", re.MULTILINE)
TOKEN = "a-monitor"


@pytest.fixture
def read(transactional_db, settings):
    settings.METRICS_TOKEN = TOKEN

    def ask() -> dict[tuple[str, str], float]:
        response = Client().get(reverse("metrics"), headers={"Authorization": f"Bearer {TOKEN}"})
        assert response.status_code == 200
        return {(name, labels or ""): float(value) for name, labels, value in SAMPLE.findall(response.content.decode())}

    return ask


@pytest.mark.parametrize("given", ["", "Bearer", "Bearer ", "Bearer x", "Basic a-monitor", f"Bearer {TOKEN}é"])
def test_without_the_token_there_is_no_such_page(db, settings, given):
    settings.METRICS_TOKEN = TOKEN
    assert Client().get(reverse("metrics"), headers={"Authorization": given}).status_code == 404


@pytest.mark.parametrize("given", ["", "Bearer", "Bearer "])
def test_where_no_token_is_set_nobody_reads_it(db, settings, given):
    settings.METRICS_TOKEN = ""
    assert Client().get(reverse("metrics"), headers={"Authorization": given}).status_code == 404


def test_the_gauges_are_what_plain_sql_counts(read):
    rows.enqueue("1", "2", "3")
    rows.end(rows.started("pooled", "a"))
    rows.started("pooled", "b")
    told = read()
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pool, kind, count(*) FROM jobs_job WHERE status <> 'running' AND ended_at IS NULL GROUP BY 1, 2"
        )
        queued = {("jobs_queued", f'kind="{kind}",pool="{pool}"'): number for pool, kind, number in cursor.fetchall()}
    assert queued.items() <= told.items()
    assert told["jobs_ended_5m", 'kind="pooled",outcome="succeeded"'] == 1
    assert told["jobs_running", 'kind="pooled",pool="gateway"'] == 1


def test_who_looks_waits_apart_from_who_does_not(read):
    rows.enqueue("1", "2", kind="pooled")
    api.promote(Job.objects.latest("id").pk, by="staff")
    Job.objects.update(turn=F("turn") - timedelta(seconds=100), queued_at=F("queued_at") - timedelta(seconds=500))
    told = read()
    assert 100 <= told["jobs_watched_wait_seconds", 'pool="gateway"'] < 200
    assert 500 <= told["jobs_wait_seconds", 'pool="gateway"'] < 600


def test_it_names_no_owner(read):
    rows.enqueue("secret-subject")
    assert not any("ana" in labels or "secret" in labels for _, labels in read())


@pytest.mark.parametrize("name", ["alerts.yml", "dashboard.json"])
def test_what_is_asked_for_is_told(read, name):
    text = (OBSERVE / name).read_text()
    expressions = re.findall(r'"expr": "(.*?)",?\n|^ +expr: (.*)$', text, re.MULTILINE)
    asked = {word for pair in expressions for word in re.findall(r"jobs_\w+", "".join(pair))}
    rows.enqueue("1")
    Client().get(reverse("metrics"), headers={"Authorization": f"Bearer {TOKEN}"})
    known = {gauge.name for gauge in api.gauges()}
    assert asked
    assert asked <= known


def test_the_dashboard_is_one_that_reads_and_shows_every_gauge(read):
    panels = json.loads((OBSERVE / "dashboard.json").read_text())["panels"]
    shown = {
        word for panel in panels for target in panel["targets"] for word in re.findall(r"jobs_\w+", target["expr"])
    }
    assert shown == {gauge.name for gauge in api.gauges()}
    assert len({panel["id"] for panel in panels}) == len(panels)


# Log lines


@pytest.fixture
def line(caplog):
    """What a handler of the settings writes of a warning, as text or as JSON."""

    def write(formatter: logging.Formatter) -> str:
        record = logging.LogRecord("coach", logging.WARNING, __file__, 1, "import.received run=%s", (7,), None)
        assert logs.WithRequest().filter(record)
        assert events.WithJob().filter(record)
        return formatter.format(record)

    return write


def test_a_line_says_which_request_and_which_job_wrote_it(line):
    assert line(logs.Text()).endswith(" WARNING coach import.received run=7")
    with logs.within("abc-1"), events.within(12):
        assert line(logs.Text()).endswith(" WARNING coach import.received run=7 request=abc-1 job=12")
        told = json.loads(line(logs.Json()))
    assert (told["request"], told["job"], told["message"], told["level"]) == (
        "abc-1",
        12,
        "import.received run=7",
        "WARNING",
    )


@pytest.mark.parametrize("given", ["", "x" * 65, "a b", "a\tb", "é"])
def test_an_id_that_is_none_is_replaced(given):
    with logs.within(given) as known:
        assert re.fullmatch(r"[0-9a-f]{16}", known)


def test_an_answer_carries_the_id_of_its_request(client):
    assert client.get("/login/", headers={"X-Request-ID": "from-the-proxy"})["X-Request-ID"] == "from-the-proxy"
    first, second = (client.get("/login/")["X-Request-ID"] for _ in range(2))
    assert first != second


def test_what_a_job_logs_carries_its_id(transactional_db, start_worker):
    worker = start_worker()
    ticket = api.enqueue("raises", "ana", "1", args={"error": "RuntimeError"})
    until(lambda: re.search(rf"job\.raised .* job={ticket.id}$", worker.log, re.MULTILINE))
