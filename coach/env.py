"""Reads settings from the environment and fails loudly where a value makes no sense."""

import json
import os
from pathlib import Path
from typing import Any

from django.core.exceptions import ImproperlyConfigured

TRUE = {"1", "true", "yes", "on"}
FALSE = {"0", "false", "no", "off", ""}


def text(name: str, default: str = "") -> str:
    """Return the variable; a variable NAME_FILE names a file that holds it (for secrets)."""
    path = os.environ.get(f"{name}_FILE")
    if path and not os.environ.get(name):
        try:
            return Path(path).read_text(encoding="utf-8").strip()
        except OSError as error:
            raise ImproperlyConfigured(f"{name}_FILE names a file that cannot be read: {error.strerror}.") from error
    return os.environ.get(name, default).strip()


def number(name: str, default: float, *, least: float = 0) -> float:
    raw = text(name)
    if not raw:
        return default
    try:
        value = float(raw)
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} must be a number, not {raw!r}.") from error
    if not least <= value < float("inf"):
        raise ImproperlyConfigured(f"{name} must be at least {least:g}, not {raw!r}.")
    return value


def whole(name: str, default: int, *, least: int = 0) -> int:
    value = number(name, default, least=least)
    if value != int(value):
        raise ImproperlyConfigured(f"{name} must be a whole number.")
    return int(value)


def switch(name: str, *, default: bool) -> bool:
    raw = text(name).lower()
    if name not in os.environ:
        return default
    if raw in TRUE or raw in FALSE:
        return raw in TRUE
    raise ImproperlyConfigured(f"{name} must be one of 1, 0, yes, no, true, false, on, off.")


def optional(name: str, default: float) -> float | None:
    """Return the number, or None where the variable says `none`."""
    return None if text(name).lower() == "none" else number(name, default)


def mapping(name: str) -> dict[str, Any]:
    """Return a JSON object, such as {"X-Team": "coach"}; without the variable an empty one."""
    try:
        found = json.loads(text(name) or "{}")
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} must be a JSON object.") from error  # not its text: it may hold a key
    if not isinstance(found, dict):
        raise ImproperlyConfigured(f"{name} must be a JSON object.")
    return found


def choice(name: str, default: str, *, among: tuple[str, ...]) -> str:
    value = text(name, default).lower() or default
    if value not in among:
        raise ImproperlyConfigured(f"{name} must be one of {', '.join(among)}, not {value!r}.")
    return value


def words(name: str, default: str = "") -> list[str]:
    return [word.strip() for word in text(name, default).split(",") if word.strip()]
