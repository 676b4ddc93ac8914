"""The athlete's own words about a session, which hold again whenever one of its recordings comes in."""

from collections.abc import Sequence
from typing import Any

from coach.models import Correction, Provenance

WORDS = ("stated_type", "effort", "note", "is_race", "is_ignored")


def of(origins: Sequence[Provenance]) -> dict[str, Any]:
    """Return what was said of the session of these recordings, the leading one first; nothing where nothing was."""
    order = {origin.key: number for number, origin in enumerate(origins)}
    athletes = {origin.athlete_id for origin in origins}
    rows = Correction.objects.filter(athlete__in=athletes, key__in=order, field__in=WORDS)
    found: dict[str, Any] = {}
    for row in sorted(rows, key=lambda row: order[row.key]):
        found.setdefault(row.field, row.value)
    return found
