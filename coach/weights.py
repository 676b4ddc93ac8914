"""Weights that an athlete types in: one a day, before whatever a scale says of that day."""

from datetime import date, datetime, time
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import QuerySet

from coach.models import Athlete, Measure
from coach.preferred import BY_HAND, WEIGHT

MORNING = time(7)


def typed(athlete: Athlete) -> QuerySet[Measure]:
    """Return what was typed in, newest first."""
    return Measure.objects.filter(athlete=athlete, metric=WEIGHT, provider=BY_HAND, file=None).order_by(
        "-local_date", "-pk"
    )


def put(athlete: Athlete, day: date, kilograms: float) -> Measure:
    """Store the weight of a day, in place of one typed in before; sent twice at once it stands once."""
    at = datetime.combine(day, MORNING, tzinfo=ZoneInfo(athlete.time_zone))
    with transaction.atomic():
        Athlete.objects.select_for_update().get(pk=athlete.pk)
        typed(athlete).filter(local_date=day).delete()
        return Measure.objects.create(
            athlete=athlete, provider=BY_HAND, metric=WEIGHT, at=at, local_date=day, value=kilograms
        )


def remove(row: Measure) -> None:
    row.delete()
