"""systemd finds nothing to object to in the units, and they leave a stopping worker the time it takes."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(__file__).resolve().parent.parent.parent
UNITS = sorted((ROOT / "deploy" / "systemd").glob("*.service"))


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not on this machine")
def test_systemd_accepts_the_units(tmp_path: Path) -> None:
    installed = tmp_path / "coach"  # a unit's path holds no spaces; that of a clone may
    installed.symlink_to(ROOT)
    for unit in UNITS:
        (tmp_path / unit.name).write_text(unit.read_text().replace("/opt/coach", str(installed)))
    command = ["systemd-analyze", "verify", *sorted(tmp_path.glob("*.service"))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stderr, done.returncode) == ("", 0)


def test_there_is_a_unit_for_web_worker_and_clock() -> None:
    assert [unit.stem for unit in UNITS] == ["coach-clock", "coach-web", "coach-worker"]


def test_the_worker_is_killed_later_than_it_needs_to_drain() -> None:
    unit = (ROOT / "deploy" / "systemd" / "coach-worker.service").read_text()
    seconds = re.search(r"^TimeoutStopSec=(\d+)$", unit, re.MULTILINE)
    assert seconds is not None
    graces = settings.JOBS["DRAIN_GRACE_SECONDS"] + settings.JOBS["STOP_GRACE_SECONDS"]
    assert int(seconds[1]) > graces


def test_gunicorn_reads_its_configuration() -> None:
    command = [
        ROOT / ".venv" / "bin" / "python",
        "-m",
        "gunicorn",
        "--print-config",
        "-c",
        "deploy/gunicorn.conf.py",
        "coach.wsgi",
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert re.search(r"^worker_class\s+= gthread$", done.stdout, re.MULTILINE), done.stderr
