"""The athlete's word about a session: written down for every recording of it, so that it holds for good."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.db import transaction

from coach import backfill, said, settling
from coach.models import Activity, Athlete, Correction, Provenance

UNMEASURED = (Activity.LoadFrom.ESTIMATE, Activity.LoadFrom.EFFORT)
MOST_LETTERS = 1000


class Gone(Exception):
    """The activity is not there any more; nothing was written."""


def say(athlete: Athlete, pk: int, values: Mapping[str, Any]) -> None:
    """Write down what the athlete says; a value of nothing takes back what was said before.

    `values` are fields of `said.WORDS` and `said.INPUTS`; a field that is not among them stays as it was. The session
    is measured again where that changes its numbers. Imports that are running wait for the end, and find it said.
    """
    with transaction.atomic():
        settling.lock(athlete)
        activity = Activity.objects.filter(athlete=athlete, pk=pk).first()
        if activity is None:
            raise Gone("This activity is not there any more.")
        origins = list(Provenance.objects.filter(activity=activity).only("athlete", "sha256", "session"))
        before = said.of(origins)
        for field, value in values.items():
            _write(athlete, [origin.key for origin in origins], field, value)
        words = {field: value for field, value in values.items() if field in said.WORDS}
        if words:
            Activity.objects.filter(pk=pk).update(**words)
        if _changes_measures(activity, before, values):
            settling.compose_again(athlete, activity)
    backfill.after_change(athlete)


def cleaned(text: str) -> str:
    """Return text fit to be shown: printable, its lines kept, and no longer than a note may be."""
    lines = ("".join(c if c.isprintable() else " " for c in line).strip() for line in text.splitlines())
    return "\n".join(lines).strip()[:MOST_LETTERS]


def _write(athlete: Athlete, keys: Iterable[str], field: str, value: Any) -> None:
    if value in (said.WORDS.get(field), None):
        Correction.objects.filter(athlete=athlete, key__in=keys, field=field).delete()
        return
    Correction.objects.bulk_create(
        [Correction(athlete=athlete, key=key, field=field, value=value) for key in keys],
        update_conflicts=True,
        unique_fields=["athlete", "key", "field"],
        update_fields=["value"],
    )


def _changes_measures(activity: Activity, before: said.Said, values: Mapping[str, Any]) -> bool:
    moved = any(values.get(field) != before.inputs.get(field) for field in said.INPUTS if field in values)
    felt = "effort" in values and values["effort"] != before.words["effort"]
    return moved or (felt and activity.load_from in UNMEASURED)
