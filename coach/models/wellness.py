"""Nights, measures of the body, and curves of whole days; each import keeps its own rows, so undoing one is exact."""

from datetime import date

from django.db import models

from coach.formats.wellness import METRICS
from coach.models.athlete import Athlete
from coach.models.source import ImportFile


def metrics() -> list[tuple[str, str]]:
    return [(name, metric.label) for name, metric in METRICS.items()]


NEWEST_FILE = models.F("file").desc(nulls_first=True)  # what was typed in by hand goes before any file


class NightQuerySet(models.QuerySet["Night"]):
    def between(self, first: date, last: date) -> "NightQuerySet":
        return self.filter(wake_date__range=(first, last))

    def once(self) -> "NightQuerySet":
        """One night a provider and day; of several files the newest counts."""
        return self.order_by("provider", "wake_date", NEWEST_FILE).distinct("provider", "wake_date")


class Night(models.Model):
    """One sleep, named by the day somebody woke up on."""

    athlete = models.ForeignKey(Athlete, on_delete=models.CASCADE, related_name="nights")
    file = models.ForeignKey(ImportFile, on_delete=models.CASCADE, related_name="nights")
    provider = models.CharField(max_length=100)  # who measured it: "Apple Watch", "Garmin"; never mixed
    wake_date = models.DateField()
    start_at = models.DateTimeField(null=True)
    end_at = models.DateTimeField(null=True)
    time_zone = models.CharField(max_length=64, blank=True)  # IANA name, or UTC+02:00 when only an offset is known
    asleep_min = models.FloatField(null=True)
    in_bed_min = models.FloatField(null=True)
    stages = models.JSONField(default=dict)  # minutes by stage: light, deep, rem, awake
    pieces = models.JSONField(default=list)  # [seconds since start_at, seconds, stage or "asleep" or "in_bed"]

    objects = NightQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["file", "provider", "wake_date"], name="night_once_a_file"),
        ]
        indexes = [models.Index(fields=["athlete", "wake_date"], name="night_by_day")]

    def __str__(self) -> str:
        return f"night to {self.wake_date} by {self.provider}"


class MeasureQuerySet(models.QuerySet["Measure"]):
    def between(self, first: date, last: date) -> "MeasureQuerySet":
        return self.filter(local_date__range=(first, last))

    def once(self, metric: str) -> "MeasureQuerySet":
        """One value a provider and moment, or day for what is daily; of several files the newest counts."""
        when = "local_date" if METRICS[metric].daily else "at"
        return self.filter(metric=metric).order_by("provider", when, NEWEST_FILE, "-at").distinct("provider", when)


class Measure(models.Model):
    """One value of the body, or of a day: weight, resting heart rate, HRV."""

    athlete = models.ForeignKey(Athlete, on_delete=models.CASCADE, related_name="measures")
    file = models.ForeignKey(ImportFile, on_delete=models.CASCADE, related_name="measures", null=True)  # by hand
    provider = models.CharField(max_length=100)
    metric = models.CharField(max_length=32, choices=metrics)
    at = models.DateTimeField()
    local_date = models.DateField()
    value = models.FloatField()
    samples = models.PositiveIntegerField(default=1)  # how many readings the value sums up

    objects = MeasureQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["file", "provider", "metric", "at"], name="measure_once_a_file"),
        ]
        indexes = [models.Index(fields=["athlete", "metric", "local_date"], name="measure_by_day")]

    def __str__(self) -> str:
        return f"{self.metric} {self.value:g} on {self.local_date}"


class DayCurveQuerySet(models.QuerySet["DayCurve"]):
    def once(self, metric: str) -> "DayCurveQuerySet":
        """One curve a provider and day; of several files the newest counts."""
        return (
            self.filter(metric=metric)
            .order_by("provider", "local_date", NEWEST_FILE)
            .distinct("provider", "local_date")
        )


class DayCurve(models.Model):
    """A value a minute over one local day, NaN where nothing was measured; packed by coach.streams.

    Two streams of 1440 values: one named as the metric, and "samples", how many readings each minute sums up.
    """

    athlete = models.ForeignKey(Athlete, on_delete=models.CASCADE, related_name="day_curves")
    file = models.ForeignKey(ImportFile, on_delete=models.CASCADE, related_name="day_curves")
    provider = models.CharField(max_length=100)
    metric = models.CharField(max_length=32)
    local_date = models.DateField()
    packed = models.BinaryField()

    objects = DayCurveQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["file", "provider", "metric", "local_date"], name="day_curve_once_a_file"),
        ]
        indexes = [models.Index(fields=["athlete", "metric", "local_date"], name="day_curve_by_day")]

    def __str__(self) -> str:
        return f"{self.metric} over {self.local_date}"
