"""Compares the stored sums of days with what the sessions add up to, and puts right what differs."""

from datetime import date
from math import isclose
from typing import Any

from django.db import transaction
from django.db.models import Count, FloatField, Q, Sum, Value
from django.db.models.functions import Coalesce

from coach import settling
from coach.models import Activity, Athlete, TrainingDay

Sums = dict[str, float]
NOTHING = Value(0.0, output_field=FloatField())
FIELDS = ("sessions", "timer_s", "load", *(f"load_{way}" for way in Activity.LoadFrom.values))


def recount(athlete: Athlete) -> dict[date, Sums]:
    """Return the sums of each day, added up anew."""
    ways = {f"load_{way}": Coalesce(Sum("load", filter=Q(load_from=way)), NOTHING) for way in Activity.LoadFrom.values}
    rows = Activity.objects.filter(athlete=athlete).counted().order_by().values("local_date")
    return _by_day(
        rows.annotate(sessions=Count("pk"), timer=Sum("timer_s"), points=Sum("load"), **ways).values_list(
            "local_date", "sessions", "timer", "points", *ways
        )
    )


def stored(athlete: Athlete) -> dict[date, Sums]:
    return _by_day(TrainingDay.objects.filter(athlete=athlete).values_list("local_date", *FIELDS))


def _by_day(rows: Any) -> dict[date, Sums]:
    return {day: dict(zip(FIELDS, values, strict=True)) for day, *values in rows}


def mend(athlete: Athlete) -> list[date]:
    """Put right and return the days whose row is not what their sessions add up to.

    There are none unless a trigger was kept from its work, as by a restore that switches triggers off.
    """
    with transaction.atomic():
        settling.lock(athlete)
        true, held = recount(athlete), stored(athlete)
        wrong = sorted(day for day in true.keys() | held.keys() if not _agree(true.get(day), held.get(day)))
        TrainingDay.objects.filter(athlete=athlete, local_date__in=wrong).delete()
        TrainingDay.objects.bulk_create(
            [TrainingDay(athlete=athlete, local_date=day, **true[day]) for day in wrong if day in true], batch_size=500
        )
    return wrong


def _agree(one: Sums | None, other: Sums | None) -> bool:
    """Say whether two rows are the same, but for the order in which their numbers were added."""
    if one is None or other is None:
        return one is other
    return all(isclose(one[name], other[name], abs_tol=1e-6) for name in FIELDS)
