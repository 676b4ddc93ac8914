"""What an athlete aims at and means to do. Nothing planned is ever counted as done."""

from datetime import date

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from coach.models.activity import Activity
from coach.models.athlete import Athlete, Threshold


class Goal(models.Model):
    """A race, or another day that the training is for."""

    athlete = models.ForeignKey(Athlete, on_delete=models.CASCADE, related_name="goals")
    name = models.CharField(max_length=100)
    day = models.DateField()
    sport = models.CharField(max_length=32, blank=True)
    distance_m = models.FloatField(null=True, blank=True, validators=[MinValueValidator(0), MaxValueValidator(1e6)])
    target_s = models.FloatField(null=True, blank=True, validators=[MinValueValidator(0), MaxValueValidator(1e6)])

    class Meta:
        ordering = ["day", "pk"]
        indexes = [models.Index(fields=["athlete", "day"], name="goal_by_day")]

    def __str__(self) -> str:
        return f"{self.name} on {self.day}"


class PlannedQuerySet(models.QuerySet["Planned"]):
    def between(self, first: date, last: date) -> "PlannedQuerySet":
        return self.filter(day__range=(first, last))


class Planned(models.Model):
    """A session that is meant to be done on a day, by hand or from a calendar file."""

    athlete = models.ForeignKey(Athlete, on_delete=models.CASCADE, related_name="planned")
    day = models.DateField()
    title = models.CharField(max_length=200)
    sport = models.CharField(max_length=32, blank=True)
    duration_s = models.FloatField(null=True, blank=True)
    load = models.FloatField(null=True, blank=True)
    note = models.CharField(max_length=1000, blank=True)
    uid = models.CharField(max_length=255, blank=True)  # of the event in a calendar file; "" by hand

    objects = PlannedQuerySet.as_manager()

    class Meta:
        ordering = ["day", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["athlete", "uid"], condition=~models.Q(uid=""), name="planned_once_an_event"
            ),
        ]
        indexes = [models.Index(fields=["athlete", "day"], name="planned_by_day")]

    def __str__(self) -> str:
        return f"{self.title} on {self.day}"


class Suggestion(models.Model):
    """A threshold that a session lets expect. It is shown, and holds only when the athlete takes it."""

    class State(models.TextChoices):
        OPEN = "open", _("open")
        TAKEN = "taken", _("taken")
        LEFT = "left", _("left")

    athlete = models.ForeignKey(Athlete, on_delete=models.CASCADE, related_name="suggestions")
    activity = models.ForeignKey(Activity, on_delete=models.CASCADE, related_name="suggestions")
    kind = models.CharField(max_length=32, choices=Threshold.Kind)
    value = models.FloatField()
    day = models.DateField()
    sentence = models.CharField(max_length=300)  # what it was found from
    state = models.CharField(max_length=8, choices=State, default=State.OPEN)

    class Meta:
        ordering = ["-day", "-pk"]
        constraints = [models.UniqueConstraint(fields=["activity", "kind"], name="suggestion_once_a_session")]

    def __str__(self) -> str:
        return self.sentence
