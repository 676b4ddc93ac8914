"""What was done on each day, summed up for the pages that look at many days."""

from datetime import date
from typing import Any

from django.db import models

from coach.models.athlete import Athlete


def total() -> "models.FloatField[Any, Any]":
    return models.FloatField(default=0, db_default=0)


class TrainingDayQuerySet(models.QuerySet["TrainingDay"]):
    def between(self, first: date, last: date) -> "TrainingDayQuerySet":
        return self.filter(local_date__range=(first, last))


class TrainingDay(models.Model):
    """The sums over the counted sessions of one local day; a day without any has no row.

    A trigger on the table of activities keeps it (migration 0013), in the transaction that changes one of them and
    whatever code that is. Nothing else writes here but coach.training_days, which mends what a trigger was kept from.
    """

    athlete = models.ForeignKey(Athlete, on_delete=models.CASCADE, related_name="training_days", db_index=False)
    local_date = models.DateField()
    sessions = models.PositiveIntegerField(default=0, db_default=0)
    timer_s = total()
    load = total()  # points; the next five are its parts, by what it was scored from
    load_power = total()
    load_pace = total()
    load_heart_rate = total()
    load_effort = total()
    load_estimate = total()

    objects = TrainingDayQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["athlete", "local_date"], name="training_day_once")]

    def __str__(self) -> str:
        return f"{self.local_date}: {self.load:g}"
