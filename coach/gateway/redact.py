"""Makes text from outside fit to be stored and shown: no key, no control character, not long."""

import re
import unicodedata

from coach.gateway.conf import conf

PATTERNS = (
    (re.compile(r"(?i)\b(bearer|basic)\s+[^\s\"',;]+"), r"\1 …"),
    (re.compile(r"\bsk-[\w*.-]+"), "sk-…"),
    (re.compile(r"(?i)\b((?:x-)?(?:api|auth)[-_ ]?(?:key|token)[\"']?\s*[:=]\s*[\"']?)[^\s\"',;]+"), r"\1…"),
    (re.compile(r"(?i)(api key provided:?\s*)\S+"), r"\1…"),
    (re.compile(r"(\w+://)[^/\s@]+@"), r"\1…@"),
)
LONGEST = 200


def redact(text: object, *, most: int = LONGEST) -> str:
    """Return the text on one line, without secrets and control characters, at most `most` characters long."""
    plain = str(text)[: most * 20]
    key = conf().key
    if len(key) >= 4:
        plain = plain.replace(key, "…")
    for pattern, shown in PATTERNS:
        plain = pattern.sub(shown, plain)
    plain = " ".join("".join(" " if invisible(letter) else letter for letter in plain).split())
    return plain if len(plain) <= most else plain[: most - 1] + "…"


def invisible(letter: str) -> bool:
    """Say whether it is a control, bidi, zero-width, private or lone surrogate character."""
    return unicodedata.category(letter)[0] == "C"
