"""Log lines as text or as JSON, each with the request or the job that wrote it."""

import json
import logging
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

KNOWN = re.compile(r"[\w.-]{1,64}", re.ASCII)
_request: ContextVar[str] = ContextVar("request", default="")


@contextmanager
def within(given: str) -> Iterator[str]:
    """Have the lines of the block carry the id that a proxy gave the request, or a new one where it gave none."""
    known = given if KNOWN.fullmatch(given) else secrets.token_hex(8)
    before = _request.set(known)
    try:
        yield known
    finally:
        _request.reset(before)


class WithRequest(logging.Filter):
    """Gives every record `request`: the id of the request whose code wrote it, or nothing."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = _request.get()
        return True


class Text(logging.Formatter):
    """`2026-11-30 06:12:00,000 INFO jobs job.claimed id=1 … request=…`, one line but for a traceback."""

    def __init__(self) -> None:
        super().__init__("{asctime} {levelname} {name} {message}", style="{")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  (logging's name)
        ids = "".join(f" {name}={value}" for name, value in _ids(record).items())
        return super().formatMessage(record) + ids


class Json(logging.Formatter):
    """One object a line: at, level, logger, message, request, job, traceback."""

    def format(self, record: logging.LogRecord) -> str:
        told: dict[str, Any] = {
            "at": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **_ids(record),
        }
        if record.exc_info:
            told["traceback"] = self.formatException(record.exc_info)
        return json.dumps(told, ensure_ascii=False)


def _ids(record: logging.LogRecord) -> dict[str, Any]:
    found = {"request": getattr(record, "request_id", ""), "job": getattr(record, "job", "")}
    return {name: value for name, value in found.items() if value}
