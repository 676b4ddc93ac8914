"""django-q2's cluster as a child of the worker: it keeps time, and its schedules only enqueue."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress

from jobs import events
from jobs.worker.lease import die_with_parent

GRACE_S = 5.0


class Clock:
    """A process group of its own, started again when it dies, ended after a grace."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self.started_at = 0.0
        self.asked = False

    def keep(self) -> None:
        if self.process is not None and self.process.poll() is None:
            return
        if time.monotonic() - self.started_at < 5 and self.started_at:
            return
        self.started_at = time.monotonic()
        self.process = subprocess.Popen([sys.executable, "-m", "jobs.worker.clock"], start_new_session=True)
        events.log(events.CLOCK_STARTED, pid=self.process.pid)

    def ask_to_end(self) -> None:
        """Let it go while running jobs still finish; it takes seconds to leave."""
        if self.process is not None and not self.asked:
            self.asked = True
            self._signal(signal.SIGTERM)

    def end(self) -> None:
        if self.process is None or self.process.poll() is not None:
            return
        self.ask_to_end()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(GRACE_S)
        self._signal(signal.SIGKILL)
        self.process.wait()

    def _signal(self, number: signal.Signals) -> None:
        assert self.process is not None  # noqa: S101
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, number)


def main() -> None:
    die_with_parent(signal.SIGTERM)
    import django
    from django.core.management import call_command

    django.setup()
    call_command("qcluster")


if __name__ == "__main__":
    main()
