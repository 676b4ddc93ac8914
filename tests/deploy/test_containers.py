"""The image and the services of compose: nothing to object to, no rights, nothing writable but one folder, and the same
commands as on a plain host."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from django.conf import settings

DEPLOY = Path(__file__).resolve().parent.parent.parent / "deploy"
HADOLINT = Path(sys.executable).parent / "hadolint"
IMAGE = (DEPLOY / "Dockerfile").read_text()
SERVICES = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
OURS = ("migrate", "web", "worker", "clock")
PROCFILE = dict(line.split(": ", 1) for line in (DEPLOY / "Procfile").read_text().splitlines())


@pytest.mark.skipif(not HADOLINT.exists(), reason="hadolint has no wheel for this machine")
def test_hadolint_accepts_the_image() -> None:
    command = [HADOLINT, "--failure-threshold", "warning", DEPLOY / "Dockerfile"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_image_runs_as_a_user_of_its_own() -> None:
    assert re.findall(r"^USER (.*)$", IMAGE, re.MULTILINE) == ["coach"]
    assert IMAGE.index("USER coach") < IMAGE.index("CMD")


def test_what_the_image_must_not_hold_is_left_out() -> None:
    left_out = (DEPLOY / "Dockerfile.dockerignore").read_text().split()
    assert {".git", ".venv", "var", "deploy/env"} <= set(left_out)


@pytest.mark.parametrize("name", OURS)
def test_a_service_has_no_rights_and_writes_to_one_folder(name: str) -> None:
    service = SERVICES[name]
    assert (service["read_only"], service["cap_drop"]) == (True, ["ALL"])
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["volumes"] == ["files:/srv/coach"]
    assert "ports" not in service


@pytest.mark.parametrize("name", ["db", "web", "worker"])
def test_a_service_says_whether_it_is_well(name: str) -> None:
    assert SERVICES[name]["healthcheck"]["test"]


@pytest.mark.parametrize("name", ["web", "worker", "clock"])
def test_every_way_runs_the_same_command(name: str) -> None:
    unit = (DEPLOY / "systemd" / f"coach-{name}.service").read_text()
    command = shlex.split(re.search(r"^ExecStart=/opt/coach/\.venv/bin/(.*)$", unit, re.MULTILINE)[1])
    default = yaml.safe_load(re.search(r"^CMD (.*)$", IMAGE, re.MULTILINE)[1])
    asked = SERVICES[name].get("command")
    assert command == shlex.split(PROCFILE[name]) == (shlex.split(asked) if asked else default)


def test_a_worker_has_the_time_it_takes_to_stop() -> None:
    graces = settings.JOBS["DRAIN_GRACE_SECONDS"] + settings.JOBS["STOP_GRACE_SECONDS"]
    assert int(SERVICES["worker"]["stop_grace_period"].removesuffix("s")) > graces


def test_the_health_checks_name_what_is_there() -> None:
    assert SERVICES["web"]["healthcheck"]["test"].split()[1] == "deploy/answers.py"
    assert (DEPLOY / "answers.py").exists()
    assert SERVICES["worker"]["healthcheck"]["test"] == "python manage.py jobs alive"
