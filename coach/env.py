"""Reads settings from the environment and fails loudly where a value makes no sense."""

import json
import os
from pathlib import Path
from typing import Any

from django.core.exceptions import ImproperlyConfigured

TRUE = {"1", "true", "yes", "on"}
FALSE = {"0", "false", "no", "off"}


def text(name: str, default: str = "") -> str:
    """Return the variable, empty being as if it were not there; NAME_FILE names a file that holds it (for secrets)."""
    path = os.environ.get(f"{name}_FILE")
    if path and not os.environ.get(name):
        try:
            return Path(path).read_text(encoding="utf-8").strip()
        except OSError as error:
            raise ImproperlyConfigured(f"{name}_FILE names a file that cannot be read: {error.strerror}.") from error
        except UnicodeDecodeError:
            raise ImproperlyConfigured(f"{name}_FILE names a file that is no text in UTF-8.") from None
    return os.environ.get(name, "").strip() or default


def number(name: str, default: float, *, least: float = 0, most: float = float("inf")) -> float:
    raw = text(name)
    if not raw:
        return default
    try:
        value = float(raw)
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} must be a number, not {raw!r}.") from error
    if not (least <= value <= most and value < float("inf")):
        bound = f" and at most {most:g}" if most < float("inf") else ""
        raise ImproperlyConfigured(f"{name} must be at least {least:g}{bound}, not {raw!r}.")
    return value


def whole(name: str, default: int, *, least: int = 0, most: float = float("inf")) -> int:
    value = number(name, default, least=least, most=most)
    if value != int(value):
        raise ImproperlyConfigured(f"{name} must be a whole number.")
    return int(value)


def switch(name: str, *, default: bool) -> bool:
    raw = text(name).lower()
    if not raw:
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
    value = text(name, default).lower()
    if value not in among:
        raise ImproperlyConfigured(f"{name} must be one of {', '.join(among)}, not {value!r}.")
    return value


def words(name: str, default: str = "") -> list[str]:
    return [word.strip() for word in text(name, default).split(",") if word.strip()]


def hosts(name: str, default: str) -> list[str]:
    """Return names of hosts; what an address has more would match no request."""
    found = words(name, default)
    if strays := [word for word in found if "/" in word or (":" in word and not word.startswith("["))]:
        raise ImproperlyConfigured(
            f"{name} must be names such as coach.example.org, without https:// and without a port, not {strays[0]!r}."
        )
    return found


def origins(name: str) -> list[str]:
    """Return addresses of sites, scheme and all."""
    found = words(name)
    if strays := [word for word in found if not word.startswith(("http://", "https://"))]:
        raise ImproperlyConfigured(f"{name} must be addresses with https:// in front, not {strays[0]!r}.")
    return found


def address(name: str, default: str) -> str:
    """Return where to listen: host:port, or unix:/path."""
    value = text(name, default)
    port = value.rpartition(":")[2]
    if not (value.startswith("unix:/") or (":" in value and port.isdecimal() and 0 < int(port) < 65536)):
        raise ImproperlyConfigured(f"{name} must be host:port, such as {default}, not {value!r}.")
    return value
