"""A reload brings new code, of the configuration too, and never takes the site away."""

import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.deploy.test_wrong_settings import RIGHT
from tests.processes import ROOT, until

APP = """
from coach.named import NAME

def application(environ, start_response):
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [NAME.encode()]
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """The configuration as it is, in front of a page of one word."""
    (tmp_path / "coach").mkdir()
    (tmp_path / "deploy").mkdir()
    shutil.copy(ROOT / "coach" / "env.py", tmp_path / "coach")
    shutil.copy(ROOT / "deploy" / "gunicorn.conf.py", tmp_path / "deploy")
    (tmp_path / "coach" / "__init__.py").touch()
    (tmp_path / "coach" / "named.py").write_text('NAME = "old"\n')
    (tmp_path / "coach" / "wsgi.py").write_text(APP)
    return tmp_path


@pytest.fixture
def serve(tree: Path) -> Iterator[Callable[[], tuple[subprocess.Popen[bytes], Callable[[], str]]]]:
    """Start gunicorn; return its first process, and what its page says."""
    place, started = tree / "socket", []

    def page() -> str:
        with socket.socket(socket.AF_UNIX) as asking:
            asking.connect(str(place))
            asking.sendall(b"GET / HTTP/1.0\r\n\r\n")
            answer = b"".join(iter(lambda: asking.recv(1000), b""))
        return answer.rpartition(b"\r\n\r\n")[2].decode()

    def answers() -> bool:
        try:
            return bool(page())
        except (FileNotFoundError, ConnectionRefusedError):
            return False

    def start() -> tuple[subprocess.Popen[bytes], Callable[[], str]]:
        with (tree / "log").open("w") as log:
            command = [sys.executable, "-m", "gunicorn", "--config", "deploy/gunicorn.conf.py", "coach.wsgi"]
            env = {**RIGHT, "COACH_BIND": f"unix:{place}", "COACH_WEB_WORKERS": "1"}
            started.append(subprocess.Popen(command, cwd=tree, env=env, stdout=log, stderr=log))
        until(answers, what="gunicorn listens")
        return started[0], page

    yield start
    for process in started:
        process.terminate()
        process.wait(20)


def test_a_reload_takes_a_configuration_that_needs_new_code(tree: Path, serve: Any) -> None:
    """The first process has read the old code; what the new configuration asks for is in the new one only."""
    web, page = serve()
    assert page() == "old"
    (tree / "coach" / "named.py").write_text('NAME = "the new one"\n')
    with (tree / "coach" / "env.py").open("a") as code:
        code.write("\nNEW = 3\n")
    configuration = tree / "deploy" / "gunicorn.conf.py"
    configuration.write_text(configuration.read_text().replace("    threads = ", "    threads = env.NEW or "))
    web.send_signal(signal.SIGHUP)
    until(lambda: page() == "the new one", what="the new code serves")
    assert web.poll() is None


def test_the_first_process_holds_no_code_of_the_site() -> None:
    asked = "import runpy, sys; runpy.run_path('deploy/gunicorn.conf.py'); print([*sys.modules])"
    held = subprocess.run(
        [sys.executable, "-c", asked], cwd=ROOT, env=RIGHT, capture_output=True, text=True, check=True
    )
    assert not re.findall(r"'(?:coach|django|jobs|psycopg)\b[\w.]*'", held.stdout)


def test_the_unit_looks_at_new_code_before_it_is_let_in() -> None:
    """gunicorn ends wholly when what it reloads cannot start; systemd stops at the first command that fails."""
    unit = (ROOT / "deploy" / "systemd" / "coach-web.service").read_text()
    check, hang_up = re.findall(r"^ExecReload=(.*)$", unit, re.MULTILINE)
    assert "gunicorn --check-config" in check
    assert hang_up == "/bin/kill -HUP $MAINPID"


@pytest.mark.parametrize(("wrong", "code"), [({}, 0), ({"COACH_WEB_WORKERS": "many"}, 1), ({"COACH_HTTPS": "many"}, 3)])
def test_that_look_says_what_is_wrong(wrong: dict[str, str], code: int) -> None:
    unit = (ROOT / "deploy" / "systemd" / "coach-web.service").read_text()
    _, *words = re.findall(r"^ExecReload=(.*)$", unit, re.MULTILINE)[0].split()
    done = subprocess.run([sys.executable, *words], cwd=ROOT, env={**RIGHT, **wrong}, capture_output=True, check=False)
    assert done.returncode == code, done.stderr
