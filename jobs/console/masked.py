"""Arguments and results as staff may see them: without secrets."""

import json
import re
from typing import Any

from jobs.text import LARGEST_BYTES, cleaned

SECRET = re.compile(r"(?i)(pass(word|wd|phrase)?|secret|token|api_?key|credential|authorization|cookie|private_?key)")
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
    """A number or a flag under such a name (max_tokens: 800) is no secret."""
    return isinstance(value, str | list | dict) and bool(value) and bool(SECRET.search(key.replace("-", "_")))


def shown(value: Any) -> str:
    """Return the value as indented JSON, masked; nothing when there is none."""
    if value is None or value == {}:
        return ""
    return json.dumps(masked(value), indent=2, ensure_ascii=False)
