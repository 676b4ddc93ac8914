"""The lease of a worker, shared by its processes on a clock that neither NTP nor suspend can bend."""

import ctypes
import signal
import time
from typing import Protocol

PR_SET_PDEATHSIG = 1


class SharedTime(Protocol):
    value: float


class SharedNumber(Protocol):
    value: int


def now_s() -> float:
    """Seconds since boot, suspend included; equal in every process of the host."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()


class Lease:
    """Valid until the shared deadline; counted from the moment a heartbeat was sent, not answered."""

    def __init__(self, shared: SharedTime) -> None:
        self.shared = shared

    def extend(self, *, sent_s: float, lasts_s: float) -> None:
        self.shared.value = sent_s + lasts_s

    @property
    def left_s(self) -> float:
        return self.shared.value - now_s()

    @property
    def alive(self) -> bool:
        return self.left_s > 0


class Forever:
    """A lease for work outside a worker (tests, `run_due`)."""

    value = float("inf")


def die_with_parent(number: int = signal.SIGKILL) -> None:
    """Have the kernel send this process a signal when its parent dies; does nothing where Linux is not."""
    try:
        libc = ctypes.CDLL(None, use_errno=True)
        libc.prctl(PR_SET_PDEATHSIG, int(number), 0, 0, 0)
    except (OSError, AttributeError):
        return
