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
        # The project is found where this process found it, which need not be the folder that it was started in.
        self.process = subprocess.Popen(
            [sys.executable, "-m", "jobs.worker.clock", str(os.getpid())],
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        events.log(events.CLOCK_STARTED, pid=self.process.pid)

    def ask_to_end(self) -> None:
        """Let it go while running jobs still finish; it takes seconds to leave."""
        if self.process is not None and not self.asked:
            self.asked = True
            with suppress(ProcessLookupError):
                self.process.terminate()

    def end(self) -> None:
        if self.process is None or self.process.poll() is not None:
            return
        self.ask_to_end()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(GRACE_S)
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def watch(parent: int) -> None:
    """Lead the group: ask the cluster once to end, and end the group when it has not after a grace.

    A second signal while the cluster stops lets it wait for a lock of its own for ever, and a parent with several
    threads that is killed sends one for each.
    """
    die_with_parent(signal.SIGTERM)
    cluster = subprocess.Popen([sys.executable, "-m", "jobs.worker.clock"])
    asks = {signal.SIGTERM, signal.SIGINT}
    signal.pthread_sigmask(signal.SIG_BLOCK, asks)
    while cluster.poll() is None:
        if signal.sigtimedwait(asks, 1.0) or os.getppid() != parent:
            cluster.terminate()
            with suppress(subprocess.TimeoutExpired):
                cluster.wait(GRACE_S)
            break
    os.killpg(0, signal.SIGKILL)  # what it left, and this


def keep_time() -> None:
    die_with_parent(signal.SIGTERM)
    import django
    from django.core.management import call_command

    django.setup()
    call_command("qcluster")


if __name__ == "__main__":
    watch(int(sys.argv[1])) if len(sys.argv) > 1 else keep_time()
