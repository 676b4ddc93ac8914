"""Text and JSON that may be stored: cut, cleaned, and never able to make the ending of a job fail."""

import json
import re
from collections.abc import Iterator
from typing import Any

from jobs.exceptions import TooLarge

LARGEST_BYTES = 64 * 1024
LARGEST_INTEGER = 2**63 - 1
DEEPEST = 100  # PostgreSQL gives up on JSON that is nested thousands of levels deep, and so does Python
UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
SECRETS = (
    (re.compile(r"(?i)\b(bearer|basic)\s+[\w.~+/=-]{6,}"), r"\1 [hidden]"),
    (re.compile(r"\bsk-[\w-]{6,}"), "[hidden]"),
    (
        re.compile(
            r"(?i)((?:(?:api|access|private)[-_]?key|token|passw(?:or)?d|passphrase|pwd|secret|session[-_]?id)"
            r"[\"']?\s*[:=]\s*[\"']?)[^\s\"',;&]{4,}"
        ),
        r"\1[hidden]",
    ),
    (
        re.compile(r"(?i)\b((?:authorization|(?:set-)?cookie)[\"']?\s*[:=]\s*[\"']?)(?!bearer|basic)[^\r\n\"']{4,}"),
        r"\1[hidden]",
    ),
    (re.compile(r"\beyJ[\w-]{6,}\.[\w-]{6,}\.[\w-]*"), "[hidden]"),
    (re.compile(r"(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END|$)"), "[hidden]"),
    (re.compile(r"(\w{1,20}://)[^/\s@]+@"), r"\1[hidden]@"),
)


def cleaned(text: object, *, most: int) -> str:
    """Return the text without NUL, control characters, lone surrogates and secrets, at most `most` long."""
    try:
        raw = str(text)
    except Exception:  # an exception whose own __str__ fails must not keep a job from ending
        raw = f"({type(text).__name__} without a readable message)"
    # Cut generously first: a message may be megabytes, and the patterns need not see all of it.
    raw = UNPRINTABLE.sub(" ", raw[: most * 4])
    for pattern, shown in SECRETS:
        raw = pattern.sub(shown, raw)
    return raw if len(raw) <= most else raw[: most - 1] + "…"


def packed(value: Any, *, what: str) -> str:
    """Return the value as JSON text, or raise TooLarge with a sentence about `what`."""
    try:
        raw = json.dumps(value, allow_nan=False, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise TooLarge(f"{what} cannot be stored as JSON: {cleaned(error, most=200)}.") from error
    if len(raw.encode("utf-8", "replace")) > LARGEST_BYTES:
        raise TooLarge(f"{what} is larger than 64 KiB; keep a reference to the data instead.")
    if "\\u0000" in raw or UNPRINTABLE.search(raw):
        raise TooLarge(f"{what} holds a NUL or control character that cannot be stored.")
    if any(abs(number) > LARGEST_INTEGER for number in _numbers(value, what=what)):
        raise TooLarge(f"{what} holds a number beyond 64 bits.")
    return raw


def _numbers(value: Any, *, what: str, depth: int = 0) -> Iterator[float]:
    if depth > DEEPEST:
        raise TooLarge(f"{what} is nested more than {DEEPEST} levels deep.")
    if isinstance(value, (int, float)):
        yield value
    elif isinstance(value, (dict, list, tuple)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _numbers(part, what=what, depth=depth + 1)
