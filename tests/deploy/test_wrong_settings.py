"""What an operator sets wrongly is said in one sentence, by every command that reads it, without a traceback."""

import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import NotSupportedError, ProgrammingError

from coach import env, starting

ROOT = Path(__file__).resolve().parent.parent.parent
SECRET = "p@ss:w/rd"
RIGHT = {
    "PATH": os.environ["PATH"],
    "COACH_SECRET_KEY": "k2jf93kfj39fk30fk39dk30dk30d9k3d0k3d09k30d9k30d9kd03k9d03",
    "DATABASE_URL": "postgresql://nobody@127.0.0.1:9/none",
    "COACH_BIND": "127.0.0.1:9",
}
WRONG = {
    "COACH_SECRET_KEY": [""],
    "DATABASE_URL": [
        "",
        "mysql://host/name",
        f"postgresql://coach:{SECRET}@127.0.0.1/coach",
        "postgresql://coach:p%zz@127.0.0.1/coach",
        "postgresql://coach@127.0.0.1:port/coach",
        "postgresql://coach@127.0.0.1/coach?what=that",
    ],
    "COACH_HOSTS": ["https://coach.example.org", "coach.example.org:8000"],
    "COACH_ORIGINS": ["coach.example.org"],
    "COACH_HTTPS": ["perhaps"],
    "COACH_PROXIES": ["-1", "one", "0.5"],
    "COACH_LOG_LEVEL": ["loud"],
    "COACH_SESSION_HOURS": ["99999999999"],
    "COACH_GATEWAY_HEADERS": ["{"],
    "AI_JOB_GAP_SECONDS": ["nan", "inf", "20 s"],
}
GUNICORN = ["-m", "gunicorn", "--config", "deploy/gunicorn.conf.py", "coach.wsgi"]
COMMANDS = {
    "check": ["manage.py", "check"],
    "migrate": ["manage.py", "migrate"],
    "backup": ["manage.py", "backup", "/nowhere/coach.tar"],
    "jobs": ["manage.py", "jobs", "pools"],
    "worker": ["manage.py", "work", "--no-clock"],
    "clock": ["manage.py", "qcluster"],
}


def run(words: list[str], **wrong: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        env={**RIGHT, **wrong},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def assert_one_sentence(done: subprocess.CompletedProcess[str], name: str) -> None:
    assert done.returncode != 0
    assert done.stderr.count("\n") == 1, done.stderr
    assert name in done.stderr
    assert done.stderr.rstrip().endswith(".")


@pytest.fixture(autouse=True)
def _nothing_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RIGHT, "COACH_VAR", str(tmp_path))


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_value_is_named_in_one_sentence(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for value in WRONG[name]:
        for given, held in {**RIGHT, name: value}.items():
            monkeypatch.setenv(given, held)
        with pytest.raises(ImproperlyConfigured) as told:
            runpy.run_path(str(ROOT / "coach" / "settings.py"))
        said = starting.sentence(told.value)
        assert name in said
        assert said.endswith(".")
        assert "\n" not in said
        assert SECRET[:4] not in said


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_says_it_so(command: str) -> None:
    assert_one_sentence(run(COMMANDS[command], COACH_HTTPS="perhaps"), "COACH_HTTPS")


@pytest.mark.parametrize("name", ["COACH_WEB_WORKERS", "COACH_BIND", "COACH_ACCESS_LOG"])
def test_gunicorn_says_it_so_of_its_own(name: str) -> None:
    assert_one_sentence(run(GUNICORN, **{name: "many"}), name)


def test_gunicorn_says_it_so_of_the_settings_and_ends() -> None:
    done = run(GUNICORN, COACH_HTTPS="perhaps", COACH_BIND=f"unix:{RIGHT['COACH_VAR']}/socket")
    assert done.returncode != 0
    assert "COACH_HTTPS must be one of" in done.stderr
    # gunicorn may print one of its own, when its second process ends while it takes leave of the first.
    assert "settings.py" not in done.stderr


def test_who_asks_whether_the_site_answers_is_told_so() -> None:
    assert_one_sentence(run(["deploy/answers.py"], COACH_BIND="many"), "COACH_BIND")


@pytest.mark.parametrize("command", ["migrate", "jobs", "clock"])
def test_a_database_that_is_away_is_said_in_one_sentence(command: str) -> None:
    done = run(COMMANDS[command])
    assert done.returncode == 1
    assert "The database does not answer. Look at DATABASE_URL and whether PostgreSQL runs." in done.stderr
    assert "Traceback" not in done.stderr


def test_a_traceback_is_there_for_who_asks() -> None:
    assert "Traceback" in run(["manage.py", "check", "--traceback"], COACH_HTTPS="perhaps").stderr


def test_an_empty_value_is_as_if_the_line_were_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COACH_TRIED", " ")
    assert env.text("COACH_TRIED", "there") == "there"
    assert env.words("COACH_TRIED", "a,b") == ["a", "b"]
    assert env.switch("COACH_TRIED", default=True)
    assert env.whole("COACH_TRIED", 7) == 7


def test_a_switch_may_come_from_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "on").write_text("1\n")
    monkeypatch.setenv("COACH_TRIED_FILE", str(tmp_path / "on"))
    assert env.switch("COACH_TRIED", default=False)


def test_a_file_that_is_no_text_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "key").write_bytes(b"\xff\xfe")
    monkeypatch.setenv("COACH_TRIED_FILE", str(tmp_path / "key"))
    with pytest.raises(Exception, match="COACH_TRIED_FILE names a file that is no text"):
        env.text("COACH_TRIED")


def test_a_postgresql_that_is_too_old_is_said_in_django_s_words() -> None:
    said = "PostgreSQL 15 or later is required (found 14)."
    with pytest.raises(SystemExit), starting.in_a_sentence():
        raise NotSupportedError(said)
    assert starting.sentence(NotSupportedError(said)) == said


def test_a_mistake_of_the_code_keeps_its_traceback() -> None:
    with pytest.raises(ProgrammingError), starting.in_a_sentence():
        raise ProgrammingError("syntax error")
