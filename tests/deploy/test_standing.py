"""A monitor is told when the tables are older than the code, or nothing can be written; nobody gets a traceback."""

import re
from collections import namedtuple

import pytest
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.urls import reverse

from coach import checks, originals, standing
from jobs import api, events
from tests.deploy.test_wrong_settings import COMMANDS, run
from tests.processes import until

TOKEN = "a-monitor"
Usage = namedtuple("Usage", "total used free")


@pytest.fixture
def ask(client: Client, settings, tmp_path):
    settings.DATA, settings.METRICS_TOKEN = tmp_path / "not" / "yet" / "made", TOKEN

    def get(name: str) -> tuple[int, str]:
        answer = client.get(reverse(name), headers={"Authorization": f"Bearer {TOKEN}"})
        return answer.status_code, answer.content.decode()

    return get


def test_tables_older_than_the_code_are_told(ask, db):
    MigrationRecorder.Migration.objects.filter(app="jobs").latest("id").delete()
    assert ask("readyz") == (503, f"{standing.OLD_TABLES}\n")


def test_where_no_table_is_yet_a_monitor_is_told(ask, db):
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE jobs_job RENAME TO was_jobs_job")
    assert ask("metrics") == (503, f"{standing.OLD_TABLES}\n")


def test_migrations_of_a_newer_version_are_none_of_ours(ask, db):
    MigrationRecorder(connection).record_applied("coach", "9999_of_tomorrow")
    assert standing.OLD_TABLES not in ask("readyz")[1]


def test_a_disk_that_is_full_is_told(ask, db, monkeypatch):
    monkeypatch.setattr(standing.shutil, "disk_usage", lambda _: Usage(1, 1, originals.SPARE_BYTES))
    assert ask("readyz") == (503, f"{standing.FULL}\n")


def test_a_folder_that_is_closed_is_told_and_warned_of(ask, db, monkeypatch):
    monkeypatch.setattr(standing.os, "access", lambda *_: False)
    assert ask("readyz") == (503, f"{standing.CLOSED}\n")
    assert [found.id for found in checks.writable_folder(None)] == ["coach.W013"]


def test_a_folder_that_is_not_made_yet_is_no_trouble(ask, db):
    ask("readyz")
    assert standing.is_writable()


@pytest.mark.parametrize("command", ["jobs", "clock"])
def test_a_command_without_its_tables_says_what_to_do(elsewhere, command):
    done = run(COMMANDS[command], DATABASE_URL=elsewhere)
    assert done.returncode == 1
    assert "run `manage.py migrate`" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_worker_says_once_why_the_database_is_away(start_worker):
    worker = start_worker(env={"DATABASE_URL": "postgresql://nobody@127.0.0.1:9/none"})
    until(lambda: "worker.database_away" in worker.log, what="it says so")
    assert re.search(r'WARNING jobs worker\.database_away why="connection failed: .*Connection refused"', worker.log)


def test_what_goes_wrong_again_and_again_is_said_once(caplog):
    caplog.set_level("INFO", "jobs")
    trouble = events.Trouble(events.SWEEP_FAILED)
    for said in ("a", "a", "b\nDETAIL", "b"):
        trouble.met(OperationalError(said))
    trouble.over()
    trouble.met(OperationalError("password=secret"))
    trouble.met(ValueError("of an athlete"))
    told = [record.getMessage() for record in caplog.records]
    assert told == [f"sweep.failed why={why}" for why in ('"a"', '"b"', '"password=[hidden]"', "ValueError")]


def test_health_is_asked_of_the_queue_too(ask, db, monkeypatch):
    monkeypatch.setattr(api, "health", lambda: ["a rule: is broken."])
    assert ask("readyz") == (503, "a rule: is broken.\n")
