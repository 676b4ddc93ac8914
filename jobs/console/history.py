"""Who changed what, as the audit tells it."""

from collections.abc import Iterator
from typing import Any

from jobs import reserve
from jobs.models import Audit

UNITS = {"gap": " s"}


def of(target: str, *, most: int = 20) -> list[Audit]:
    """Return the newest entries about a job, a pool or a lane."""
    return list(Audit.objects.filter(target=target).order_by("-pk")[:most])


def changes(entry: Audit) -> str:
    """Return "capacity 1 → 2, gap 0 s → 20 s"; nothing for an act that has no before and after."""
    return ", ".join(_changes(entry.old, entry.new))


def _changes(old: Any, new: Any) -> Iterator[str]:
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(new):  # a jsonb column keeps no order
            if old.get(key) != new[key]:
                unit = UNITS.get(key, "")
                yield f"{key} {_word(old.get(key))}{unit} → {_word(new[key])}{unit}"
    elif old != new:
        yield f"{_word(old)} → {_word(new)}"


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return _listed(value) or "–"
    return f"{value:g}" if isinstance(value, float | int) else str(value)


def _listed(value: list[Any]) -> str:
    try:
        return reserve.told(value).replace("\n", "; ")
    except (TypeError, KeyError):  # a list of something else
        return ", ".join(map(str, value))
