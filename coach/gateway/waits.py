"""How long an upstream asks to wait, in a header or in words."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from random import random

SHORTEST_SECONDS = 1.0
LONGEST_SECONDS = 6 * 3600.0
IN_WORDS = re.compile(
    r"try again in\s+(\d+(?:\.\d+)?)\s*(ms|milliseconds|s|sec|seconds|m|min|minutes)?\b", re.IGNORECASE
)


def polite(seconds: float) -> float:
    """Return at least a second and up to a quarter more, so that waiting clients do not come back at once."""
    return max(seconds, SHORTEST_SECONDS) * (1 + random() / 4)  # noqa: S311 - no secret hangs on it


def asked_by_header(headers: Mapping[str, str]) -> float | None:
    """Return the seconds of retry-after-ms or Retry-After; None without one, or beyond six hours."""
    milliseconds = number(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return sensible(milliseconds / 1000)
    given = headers.get("Retry-After", "").strip()
    seconds = number(given)
    return sensible(until(given) if seconds is None else seconds)


def asked_by_text(text: str) -> float | None:
    match = IN_WORDS.search(text)
    if not match:
        return None
    unit = (match[2] or "s").lower()
    scale = 0.001 if unit.startswith(("ms", "milli")) else 60 if unit.startswith("m") else 1
    return sensible(float(match[1]) * scale)


def sensible(seconds: float | None) -> float | None:
    return seconds if seconds is not None and seconds <= LONGEST_SECONDS else None


def number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if 0 <= value < float("inf") else None


def until(text: str) -> float | None:
    """Return the seconds until an HTTP date; None when it is none."""
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max((aware - datetime.now(UTC)).total_seconds(), 0)
