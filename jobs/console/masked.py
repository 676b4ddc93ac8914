"""Arguments and results as staff may see them: without secrets."""

import json
import re
from typing import Any

from jobs.text import LARGEST_BYTES, cleaned

SECRET = re.compile(
    r"(?i)(pass(word|wd|phrase)?|pwd|secret|token|(api|access|private)_?key|credential|auth$|authorization|cookie"
    r"|session_?(id|key))"
)
COUNTED = re.compile(r"(?i)tokens")  # max_tokens: 800
HIDDEN = "[hidden]"


def masked(value: Any) -> Any:
    """Return the value with everything that is kept under the name of a secret hidden, and secrets in texts cut out."""
    if isinstance(value, dict):
        return {key: HIDDEN if _is_secret(key, part) else masked(part) for key, part in value.items()}
    if isinstance(value, list):
        return [masked(part) for part in value]
    if isinstance(value, str):
        return cleaned(value, most=LARGEST_BYTES)
    return value


def _is_secret(key: str, value: Any) -> bool:
    """A flag under such a name is no secret, nor is a number of tokens."""
    if value in (None, True, False, "", [], {}) or not SECRET.search(key.replace("-", "_")):
        return False
    return not (isinstance(value, int | float) and COUNTED.search(key))


def shown(value: Any) -> str:
    """Return the value as indented JSON, masked; nothing when there is none."""
    if value is None or value == {}:
        return ""
    return json.dumps(masked(value), indent=2, ensure_ascii=False)
