"""Ends the reading of a file that takes too long, as a file made to be read forever does."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from coach.formats import Unreadable

LEAST_SECONDS = 8.0  # of computing, which a busy machine does not shorten
SECONDS_A_MEBIBYTE = 8.0


class _Passed(BaseException):
    """Not an Exception, so that no reader takes it for damage in its file."""


@contextmanager
def reading(size: int) -> Iterator[None]:
    """Raise Unreadable when the block computes longer than a file of this size can need."""
    if threading.current_thread() is not threading.main_thread():
        yield  # signals reach the main thread alone; workers read there
        return
    seconds = LEAST_SECONDS + SECONDS_A_MEBIBYTE * size / 2**20
    before = signal.signal(signal.SIGPROF, _pass)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    except _Passed as passed:
        raise Unreadable(
            f"Reading it took longer than {seconds:.0f} seconds, so it was given up. If it is a whole recording, export"
            " it again in another format and upload that."
        ) from passed
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _pass(number: int, frame: FrameType | None) -> None:
    raise _Passed
