"""The log lines of a job's code, in memory until its attempt is written: the last few, without secrets."""

import logging
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from threading import Lock

from jobs.text import cleaned

MOST_CHARACTERS = 8000  # of an attempt
LONGEST = 500  # of a line


class Lines:
    """The newest lines of one attempt; what does not fit any more is counted."""

    def __init__(self) -> None:
        self._kept: deque[str] = deque()
        self._size = self._left_out = 0
        self._guard = Lock()  # another thread tells them while the job goes on

    def add(self, line: str) -> None:
        line = cleaned(line.replace("\n", " "), most=LONGEST)
        with self._guard:
            self._kept.append(line)
            self._size += len(line) + 1
            while self._size > MOST_CHARACTERS:
                self._size -= len(self._kept.popleft()) + 1
                self._left_out += 1

    @property
    def text(self) -> str:
        with self._guard:
            left_out, kept = self._left_out, list(self._kept)
        before = [f"({left_out:,} earlier lines are left out)"] if left_out else []
        return "\n".join([*before, *kept])


_lines: ContextVar[Lines | None] = ContextVar("lines", default=None)


class _Keeper(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        lines = _lines.get()
        if lines is None or record.name == "jobs":  # the queue's own lines say what the attempt says
            return
        try:
            at = f"{datetime.fromtimestamp(record.created, UTC):%H:%M:%S}"
            raised = record.exc_info and record.exc_info[1]
            why = f" ({type(raised).__name__}: {raised})" if raised else ""
            lines.add(f"{at} {record.levelname} {record.name}: {record.getMessage()}{why}")
        except Exception:
            self.handleError(record)


_keeper = _Keeper()


@contextmanager
def kept() -> Iterator[Lines]:
    """Keep the lines that the block logs, on whatever logger, as far as its level lets them through."""
    root = logging.getLogger()
    if _keeper not in root.handlers:
        root.addHandler(_keeper)
    lines = Lines()
    before = _lines.set(lines)
    try:
        yield lines
    finally:
        _lines.reset(before)
