"""The processes of a trial end with it, however it ends."""

import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.tryout import StepFailed, children
from deploy.tryout.children import Children

ROOT = Path(__file__).resolve().parent.parent.parent
SLEEP = "import time; print('ready', flush=True); time.sleep(600)"
PARENT = f"""
import time
from deploy.tryout import children
child = children.start(children.Children(), "child", ["-c", {SLEEP!r}])
print(child.process.pid, flush=True)
time.sleep(600)
"""


@pytest.fixture
def started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Children]:
    monkeypatch.setenv("COACH_VAR", str(tmp_path))
    group = Children()
    yield group
    children.stop(group)


def ends(pid: int, *, within_s: float) -> bool:
    """Wait for a process that may be somebody else's child."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([handle], [], [], within_s)[0])
    finally:
        os.close(handle)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child that its parent died")
def test_children_end_when_their_parent_is_killed(tmp_path: Path) -> None:
    environment = os.environ | {"COACH_VAR": str(tmp_path)}
    parent = subprocess.Popen([sys.executable, "-c", PARENT], cwd=ROOT, env=environment, stdout=subprocess.PIPE)
    with parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        parent.send_signal(signal.SIGKILL)
    assert ends(child, within_s=10)


def test_a_child_is_stopped_in_a_group_of_its_own(started: Children) -> None:
    child = children.start(started, "child", ["-c", SLEEP])
    assert os.getpgid(child.process.pid) == child.process.pid
    children.stop(started)
    assert child.process.returncode == -signal.SIGTERM


def test_a_child_that_does_not_listen_is_killed(
    started: Children, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(children, "KILL_SECONDS", 0)
    ready = tmp_path / "ready"
    os.mkfifo(ready)
    deaf = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)"
    child = children.start(started, "child", ["-c", f"{deaf}; open({str(ready)!r}, 'w').close(); {SLEEP}"])
    ready.read_bytes()  # until the child has opened it
    children.stop(started)
    assert child.process.returncode == -signal.SIGKILL


def test_a_child_that_ended_by_itself_is_named_with_its_last_words(started: Children) -> None:
    child = children.start(started, "web", ["-c", "print('no such port'); raise SystemExit(3)"])
    child.process.wait()
    with pytest.raises(StepFailed, match=r"^web ended with code 3; .*/log/web\.log ends with: no such port$"):
        children.check(started)
