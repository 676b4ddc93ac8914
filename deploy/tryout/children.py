"""The processes of the site: each in a group of its own, with a log, and gone when this process is gone."""

import ctypes
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from deploy.embedded.process import end_of
from deploy.tryout import ROOT, StepFailed, undisturbed

DRAIN_SECONDS = 5  # what a running job gets after Ctrl-C
KILL_SECONDS = DRAIN_SECONDS + 15
PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Child:
    name: str
    process: subprocess.Popen[bytes]
    log: Path


@dataclass(slots=True)
class Children:
    all: list[Child] = field(default_factory=list)


def start(children: Children, name: str, words: list[str], *, hand: tuple[int, ...] = ()) -> Child:
    """Start a Python program of this repository; its output goes to var/log/NAME.log, the last run's to NAME.log.1.

    `hand` are the open files it gets from us.
    """
    folder = Path(os.environ["COACH_VAR"]) / "log"
    folder.mkdir(exist_ok=True)
    log = folder / f"{name}.log"
    if log.exists():
        log.replace(log.with_suffix(".log.1"))
    parent = os.getpid()
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, *words],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            pass_fds=hand,
            preexec_fn=lambda: die_with(parent),
        )
    child = Child(name=name, process=process, log=log)
    children.all.append(child)
    return child


def die_with(parent: int) -> None:
    """Ask the kernel for SIGTERM when the parent is gone, however it went; only Linux has this."""
    if sys.platform == "linux":
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:
            os._exit(1)


def check(children: Children) -> None:
    """Raise StepFailed when one has ended by itself."""
    for child in children.all:
        code = child.process.poll()
        if code is not None:
            raise StepFailed(f"{child.name} ended with code {code}; {child.log} ends with: {end_of(child.log)}")


def stop(children: Children) -> None:
    """Ask all to end, the last started first, and kill what has not ended in time."""
    with undisturbed():
        living = [child for child in reversed(children.all) if child.process.poll() is None]
        for child in living:
            child.process.terminate()
        until = time.monotonic() + KILL_SECONDS
        for child in living:
            try:
                child.process.wait(max(0.1, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                os.killpg(child.process.pid, signal.SIGKILL)
                child.process.wait()
