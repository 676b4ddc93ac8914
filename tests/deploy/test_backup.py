"""A backup, restored into an empty place: everything is there, and nothing is sent before somebody says so."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import connection

from coach import imports, panels, scopes
from coach.models import ImportFile, Insight
from coach.trial import TrialGateway
from jobs import testing
from tests import factories
from tests.coach.outings import gpx
from tests.processes import ROOT, environment, until

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def data(settings, tmp_path) -> Path:
    settings.DATA = tmp_path / "data"
    return settings.DATA


@pytest.fixture
def ana(data):
    owner = factories.athlete()
    factories.season(owner)
    imports.receive(factories.source(owner), [SimpleUploadedFile("a.gpx", gpx())], by=owner.user)
    testing.run_due()
    return owner


def manage(*words: object, **env: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "manage.py", *map(str, words)]
    return subprocess.run(command, cwd=ROOT, env=environment(**env), capture_output=True, text=True, check=False)


def asked(url: str) -> Callable[[str], list[tuple]]:
    def ask(question: str) -> list[tuple]:
        with psycopg.connect(url) as session:
            return session.execute(question).fetchall()

    return ask


def test_a_site_comes_back_on_an_empty_machine_with_its_calls_held_until_staff_resume(
    ana, elsewhere, start_worker, settings, tmp_path
):
    file, there = tmp_path / "coach.tar", {"DATABASE_URL": elsewhere, "COACH_DATA": str(tmp_path / "new")}
    with TrialGateway() as gateway:
        gateway.script([{"do": "answer", "delay_s": 120}])
        upstream = {"COACH_GATEWAY_URL": gateway.url, "COACH_GATEWAY_MODEL": "trial", "COACH_GATEWAY_KEY": ""}
        settings.GATEWAY = {**settings.GATEWAY, "url": gateway.url, "key": "", "model": "trial"}
        old = start_worker(env=upstream)
        panels.panel(ana, scopes.facts_for("load", ana, "current"), ana.user)
        until(lambda: gateway.log(), what="a call is in flight")
        made = manage("backup", file, COACH_DATA=str(settings.DATA))
        assert made.returncode == 0, made.stderr
        old.kill()
        assert file.stat().st_mode & 0o077 == 0
        restored = manage("restore", file, **there)
        assert "The pool gateway is paused, so nothing is sent." in restored.stdout, restored.stderr
        ask = asked(elsewhere)
        assert ask("SELECT count(*) FROM coach_activity") == ask_here("SELECT count(*) FROM coach_activity")
        kept = tmp_path / "new" / "originals"
        with imports.original(ImportFile.objects.get()) as original:
            assert [path.read_bytes() for path in kept.glob("*/*")] == [original.read()]
        calls = len(gateway.log())
        start_worker(env={**upstream, **there})
        taken_back = "SELECT outcome FROM jobs_attempt WHERE job IN (SELECT id FROM jobs_job WHERE pool <> '')"
        until(lambda: ask(taken_back) == [("crashed",)], seconds=60, what="the job is taken back")
        assert len(gateway.log()) == calls
        texts = Insight.objects.count()
        assert manage("jobs", "resume", "gateway", **there).returncode == 0
        ask("UPDATE jobs_seat SET free_at = '2020-01-01' RETURNING 1")  # not a minute of lingering in a test
        ask("UPDATE jobs_job SET run_at = clock_timestamp() WHERE status = 'scheduled' RETURNING 1")
        until(
            lambda: ask("SELECT count(*) FROM coach_insight") == [(texts + 1,)], seconds=60, what="the text is written"
        )
        assert len(gateway.log()) == calls + 1


def ask_here(question: str) -> list[tuple]:
    with connection.cursor() as cursor:
        cursor.execute(question)
        return cursor.fetchall()


def test_a_backup_is_restored_into_an_empty_place_only(ana, tmp_path, elsewhere):
    file = tmp_path / "coach.tar"
    call_command("backup", file)
    with pytest.raises(CommandError, match="The database has tables already"):
        call_command("restore", file)
    (tmp_path / "full" / "originals" / "ab").mkdir(parents=True)
    refused = manage("restore", file, DATABASE_URL=elsewhere, COACH_DATA=str(tmp_path / "full"))
    assert (refused.returncode, "has files already" in refused.stderr) == (1, True)
    assert asked(elsewhere)("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == [(0,)]


@pytest.mark.parametrize("share", [0, 0.2, 0.9])
def test_a_backup_that_breaks_off_restores_nothing(ana, tmp_path, elsewhere, share):
    file, half = tmp_path / "coach.tar", tmp_path / "half.tar"
    call_command("backup", file)
    half.write_bytes(file.read_bytes()[: int(file.stat().st_size * share)])
    there = {"DATABASE_URL": elsewhere, "COACH_DATA": str(tmp_path / "new")}
    refused = manage("restore", half, **there)
    assert refused.returncode == 1
    assert refused.stderr.strip().count("\n") == 0, refused.stderr
    assert manage("restore", file, **there).returncode == 0  # what was tried before is not in the way
