"""A site that is set up as the run-book says has nothing to be warned of, and its secrets may come from files."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from coach import env

ROOT = Path(__file__).resolve().parent.parent.parent
SITE = {"COACH_HTTPS": "1", "COACH_PROXIES": "1", "COACH_HOSTS": "coach.example.org"}
KEY = "k2jf93kfj39fk30fk39dk30dk30d9k3d0k3d09k30d9k30d9kd03k9d03"


def check(**more: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("COACH_", "DJANGO_"))}
    return subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=ROOT,
        env={"DATABASE_URL": "postgresql://nobody@127.0.0.1:9/none", **kept, **SITE, "COACH_SECRET_KEY": KEY, **more},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_site_of_the_run_book_has_nothing_to_be_warned_of() -> None:
    done = check()
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("wrong", "warning"),
    [
        ({"COACH_PROXIES": "0"}, "coach.W011"),
        ({"COACH_SIGN_UP": "1"}, "coach.W012"),
        ({"COACH_SECRET_KEY": "short"}, "security.W009"),
        ({"COACH_DEBUG": "1"}, "security.W018"),
        ({"COACH_HTTPS": "0"}, "security.W012"),
    ],
)
def test_what_is_set_up_wrongly_is_named(wrong: dict[str, str], warning: str) -> None:
    done = check(**wrong)
    assert done.returncode != 0
    assert warning in done.stderr


def test_every_secret_may_come_from_a_file(tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.write_text(f"{KEY}\n")
    done = check(COACH_SECRET_KEY="", COACH_SECRET_KEY_FILE=str(key))
    assert done.returncode == 0, done.stderr


SECRETS = ["COACH_SECRET_KEY", "DATABASE_URL", "COACH_GATEWAY_KEY", "COACH_MAIL_PASSWORD", "COACH_METRICS_TOKEN"]


@pytest.mark.parametrize("name", SECRETS)
def test_a_secret_is_read_by_the_reader_that_knows_files(name: str) -> None:
    settings = (ROOT / "coach" / "settings.py").read_text()
    assert re.search(rf'env\.text\("{name}"\)', settings)


def test_no_module_reads_the_environment_past_that_reader() -> None:
    """A variable that is read otherwise could come from no file, and would stand in no list.

    Those that pass the whole of it on, to a process of their own or to Django, read none.
    """
    readers = [
        str(path.relative_to(ROOT))
        for path in [*ROOT.glob("coach/**/*.py"), *ROOT.glob("jobs/**/*.py")]
        if re.search(r"os\.environ|os\.getenv", path.read_text())
    ]
    assert set(readers) <= {
        "coach/env.py",
        "jobs/worker/systemd.py",
        "coach/wsgi.py",
        "coach/dumps.py",
        "jobs/worker/clock.py",
    }


def test_a_secret_file_that_cannot_be_read_is_named_without_what_it_holds(tmp_path: Path) -> None:
    done = check(COACH_SECRET_KEY="", COACH_SECRET_KEY_FILE=str(tmp_path / "none"))
    assert "COACH_SECRET_KEY_FILE names a file that cannot be read" in done.stderr


@pytest.mark.parametrize(("raw", "is_fine"), [("", True), ("required", True), ("Optional", True), ("maybe", False)])
def test_a_choice_is_one_of_its_words(monkeypatch: pytest.MonkeyPatch, raw: str, is_fine: bool) -> None:
    monkeypatch.setenv("COACH_STAFF_TOTP", raw)
    words = ("off", "optional", "required")
    if is_fine:
        assert env.choice("COACH_STAFF_TOTP", "optional", among=words) in words
    else:
        with pytest.raises(Exception, match="must be one of off, optional, required, not 'maybe'"):
            env.choice("COACH_STAFF_TOTP", "optional", among=words)
