"""What is noted of one call, for one line in the log."""

import logging
import time
from dataclasses import dataclass, field
from typing import Any

import requests

from coach.gateway.redact import redact

CALLED = "gateway.called"
REQUEST_IDS = ("x-request-id", "request-id", "x-amzn-requestid", "cf-ray")

logger = logging.getLogger("coach.gateway")


@dataclass(slots=True, kw_only=True)
class Record:
    job: int
    pool: str = ""
    timeout_s: float
    started: float = field(default_factory=time.monotonic)
    status: int | None = None
    headers_s: float | None = None
    token_s: float | None = None
    size: int = 0
    request_id: str = ""

    @property
    def elapsed_s(self) -> float:
        return time.monotonic() - self.started

    def headers(self, response: requests.Response) -> None:
        self.status = response.status_code
        self.headers_s = self.elapsed_s
        named = (response.headers.get(name) for name in REQUEST_IDS)
        self.request_id = redact(next((each for each in named if each), ""), most=64).replace(" ", "_")

    def write(self, **more: Any) -> None:
        """Log figures and names, never what was asked or answered."""
        fields = {
            "job": self.job,
            "pool": self.pool,
            "status": self.status,
            "headers_ms": milliseconds(self.headers_s),
            "token_ms": milliseconds(self.token_s),
            "end_ms": milliseconds(self.elapsed_s),
            "bytes": self.size,
            "request_id": self.request_id,
            **more,
        }
        told = " ".join(f"{name}={value}" for name, value in fields.items() if value not in ("", None))
        logger.info("%s %s", CALLED, told)


def milliseconds(seconds: float | None) -> int | None:
    return None if seconds is None else round(seconds * 1000)
