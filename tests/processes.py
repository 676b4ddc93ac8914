"""Real processes of Coach for tests: started on the test database, awaited, killed by pid."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from django.db import connection

ROOT = Path(__file__).resolve().parent.parent
QUICK = {  # seconds; a lease that a test can outwait
    "HEARTBEAT_SECONDS": "0.5",
    "SELF_KILL_SECONDS": "2.5",
    "RESCUE_SECONDS": "4",
    "STOP_GRACE_SECONDS": "1",
    "POLL_SECONDS": "0.5",
}


def database_url() -> str:
    """Return the address of the database this test runs on."""
    held = connection.settings_dict
    host = quote(held["HOST"], safe="")
    secret = f":{quote(held['PASSWORD'], safe='')}" if held["PASSWORD"] else ""
    return f"postgresql://{quote(held['USER'])}{secret}@{host}:{held['PORT']}/{held['NAME']}"


def environment(**more: str) -> dict[str, str]:
    return {
        **os.environ,
        "DATABASE_URL": database_url(),
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "PYTHONUNBUFFERED": "1",
        **more,
    }


class Worker:
    """`manage.py work` with short times; `log` is what it wrote."""

    def __init__(
        self,
        *,
        slots: int = 1,
        args: tuple[str, ...] = ("--no-clock",),
        env: dict[str, str] | None = None,
        host: str = "",  # a network namespace to run in
        root: Path = ROOT,  # of the code
        folder: Path | None = None,  # to start it in; the root, unless told
    ) -> None:
        times = {f"TEST_{name}": value for name, value in QUICK.items()}
        self._last_log = ""
        # What a killed process leaves behind goes with the test.
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.output = tempfile.NamedTemporaryFile("w+", suffix=".log")  # noqa: SIM115
        self.process = subprocess.Popen(
            [
                *(["ip", "netns", "exec", host] if host else []),
                sys.executable,
                str(root / "manage.py"),
                "work",
                "--slots",
                str(slots),
                "--grace",
                "5",
                *args,
            ],
            cwd=folder or root,
            env=environment(TMPDIR=self.folder.name, **{**times, **(env or {})}),
            stdout=self.output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def log(self) -> str:
        return self._last_log if self.output.closed else Path(self.output.name).read_text()

    def slot_pids(self) -> list[int]:
        return [pid for pid in descendants(self.pid) if "slot" in self.command(pid) or self.is_slot(pid)]

    def is_slot(self, pid: int) -> bool:
        """A slot leads a session of its own; the fork server and its tracker do not."""
        try:
            return os.getsid(pid) == pid
        except ProcessLookupError:
            return False

    @staticmethod
    def command(pid: int) -> str:
        try:
            return Path(f"/proc/{pid}/comm").read_text()
        except OSError:
            return ""

    def signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def wait(self, seconds: float = 20) -> int:
        return self.process.wait(seconds)

    def end(self) -> None:
        """End it and whatever it left, whatever state it is in."""
        left = descendants(self.pid)
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.kill()
            self.process.wait()
        for pid in left:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        self._last_log = self.log
        self.folder.cleanup()
        self.output.close()


def descendants(pid: int) -> list[int]:
    """Return the pids below a process."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
            children.setdefault(parent, []).append(int(entry.name))
    found, todo = [], [pid]
    while todo:
        below = children.get(todo.pop(), [])
        found += below
        todo += below
    return found


def until(claim: Callable[[], object], *, seconds: float = 20, what: str = "") -> None:
    """Wait until the claim holds; fail with a sentence when it does not within the bound."""
    end = time.monotonic() + seconds
    while not claim():
        assert time.monotonic() < end, f"Not within {seconds:g} s: {what or claim}"
        time.sleep(0.03)
