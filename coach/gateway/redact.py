"""Makes text from outside fit to be stored and shown: no key, no control character, not long."""

import re
import unicodedata
from collections.abc import Iterator

from coach.gateway.conf import upstreams

PATTERNS = (
    (re.compile(r"(?i)\b(bearer|basic)\s+[^\s\"',;]+"), r"\1 …"),
    (re.compile(r"\bsk-[\w*.-]+"), "sk-…"),
    (re.compile(r"(?i)\b((?:x-)?(?:api|auth)[-_ ]?(?:key|token)[\"']?\s*[:=]\s*[\"']?)[^\s\"',;]+"), r"\1…"),
    (re.compile(r"(?i)(api key provided:?\s*)\S+"), r"\1…"),
    (re.compile(r"(\w+://)[^/\s@]+@"), r"\1…@"),
)
LONGEST = 200
SHORTEST_KEY = 4
SHORTEST_HEADER = 8  # "true" is no secret


def redact(text: object, *, most: int = LONGEST) -> str:
    """Return the text on one line, without secrets and control characters, at most `most` characters long."""
    plain = str(text)[: most * 20]
    for secret in secrets():
        plain = plain.replace(secret, "…")
    for pattern, shown in PATTERNS:
        plain = pattern.sub(shown, plain)
    plain = " ".join("".join(" " if invisible(letter) else letter for letter in plain).split())
    return plain if len(plain) <= most else plain[: most - 1] + "…"


def secrets() -> Iterator[str]:
    """Yield what no text may show: the keys of all upstreams, and whatever else their requests carry along."""
    for upstream in upstreams():
        if len(upstream.key) >= SHORTEST_KEY:
            yield upstream.key
        yield from (value for value in upstream.headers.values() if len(value) >= SHORTEST_HEADER)


def invisible(letter: str) -> bool:
    """Say whether it is a control, bidi, zero-width, private or lone surrogate character."""
    return unicodedata.category(letter)[0] == "C"
