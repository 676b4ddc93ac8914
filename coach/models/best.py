"""The best efforts of each session, kept beside it so that no page computes over streams."""

from datetime import date

from django.db import models
from django.utils.translation import gettext_lazy as _

from coach.models.activity import Activity
from coach.models.athlete import Athlete


class BestQuerySet(models.QuerySet["Best"]):
    def sound(self) -> "BestQuerySet":
        """What may be called a record: no spike, no virtual world, no motor, no long way down."""
        return self.filter(doubt="")

    def counted(self) -> "BestQuerySet":
        """Not of a session that the athlete said to ignore."""
        return self.filter(activity__is_ignored=False)

    def between(self, first: date, last: date) -> "BestQuerySet":
        return self.filter(local_date__range=(first, last))


class Best(models.Model):
    """The highest mean power over so many seconds, or the shortest time over so many metres, of one session.

    A pulse is the highest heart rate over so many seconds (5), or that of the last 20 of the hardest 30 minutes
    where those were even (1200): thresholds are suggested from it, and it is no record.
    """

    class Measure(models.TextChoices):
        POWER = "power", _("power over a duration (W)")
        TIME = "time", _("time over a distance (s)")
        PULSE = "pulse", _("heart rate over a duration (bpm)")

    activity = models.ForeignKey(Activity, on_delete=models.CASCADE, related_name="bests")
    athlete = models.ForeignKey(Athlete, on_delete=models.CASCADE, related_name="bests")
    family = models.CharField(max_length=16)  # of sports, as in coach.metrics.sports
    measure = models.CharField(max_length=8, choices=Measure)
    span = models.PositiveIntegerField()  # seconds of a power, metres of a time
    value = models.FloatField()  # W, s or bpm
    local_date = models.DateField()
    doubt = models.CharField(max_length=16, blank=True)  # virtual, motor, downhill, jump: shown, but no record

    objects = BestQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["activity", "measure", "span"], name="best_once_a_span")]
        indexes = [
            models.Index(fields=["athlete", "family", "measure", "span", "value"], name="best_by_value"),
            models.Index(fields=["athlete", "family", "measure", "local_date"], name="best_by_day"),
        ]

    def __str__(self) -> str:
        return f"{self.measure} {self.span}: {self.value:g}"
