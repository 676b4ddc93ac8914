"""An activity, where it came from, and its streams."""

from datetime import date

from django.db import models
from django.utils.translation import gettext_lazy as _

from coach.models.athlete import Athlete
from coach.models.source import ImportFile, Source


class ActivityQuerySet(models.QuerySet["Activity"]):
    def between(self, first: date, last: date) -> "ActivityQuerySet":
        return self.filter(local_date__range=(first, last))

    def newest_first(self) -> "ActivityQuerySet":
        return self.order_by("-started_at", "-pk")


class Activity(models.Model):
    """Seconds, metres, watts and bpm; everything derived is computed once, when the file is read."""

    class LoadFrom(models.TextChoices):
        POWER = "power", _("power")
        PACE = "pace", _("pace")
        HEART_RATE = "heart_rate", _("heart rate")
        ESTIMATE = "estimate", _("estimate")

    athlete = models.ForeignKey(Athlete, on_delete=models.CASCADE, related_name="activities")
    source = models.ForeignKey(Source, on_delete=models.CASCADE, related_name="activities")
    started_at = models.DateTimeField()
    time_zone = models.CharField(max_length=64)  # IANA name, or UTC+02:00 when only an offset is known
    local_date = models.DateField()
    sport = models.CharField(max_length=32)
    sub_sport = models.CharField(max_length=32, blank=True)
    name = models.CharField(max_length=200, blank=True)
    indoor = models.BooleanField(default=False)
    virtual = models.BooleanField(default=False)

    timer_s = models.FloatField()
    moving_s = models.FloatField()
    elapsed_s = models.FloatField()
    distance_m = models.FloatField(null=True)
    ascent_m = models.FloatField(null=True)
    descent_m = models.FloatField(null=True)
    energy_kcal = models.FloatField(null=True)
    heart_rate_avg_bpm = models.FloatField(null=True)
    heart_rate_max_bpm = models.FloatField(null=True)
    cadence_avg_rpm = models.FloatField(null=True)
    power_avg_w = models.FloatField(null=True)
    normalized_power_w = models.FloatField(null=True)
    graded_speed_mps = models.FloatField(null=True)  # runs: mean of grade-adjusted speed
    intensity_factor = models.FloatField(null=True)
    variability_index = models.FloatField(null=True)
    efficiency_factor = models.FloatField(null=True)
    decoupling_pct = models.FloatField(null=True)
    trimp = models.FloatField(null=True)
    load = models.FloatField(default=0)  # points; 100 = one hour at threshold
    load_from = models.CharField(max_length=16, choices=LoadFrom, default=LoadFrom.ESTIMATE)
    zone_seconds = models.JSONField(default=dict)  # {"heart_rate": [s, ...], "power": [s, ...]}
    flags = models.JSONField(default=list)  # sentences: what was salvaged, masked or doubted
    laps = models.JSONField(default=list)
    measured_with = models.CharField(max_length=64, blank=True)  # hash of the thresholds it was measured with
    pauses = models.JSONField(default=list)

    objects = ActivityQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "activities"
        indexes = [
            models.Index(fields=["athlete", "local_date"], name="activity_by_day"),
            models.Index(fields=["athlete", "-started_at", "-id"], name="activity_newest"),
        ]

    def __str__(self) -> str:
        return f"{self.sport} {self.local_date}"


class Provenance(models.Model):
    """Which session of which file an activity was read from."""

    activity = models.ForeignKey(Activity, on_delete=models.CASCADE, related_name="provenance")
    athlete = models.ForeignKey(Athlete, on_delete=models.CASCADE)
    file = models.ForeignKey(ImportFile, on_delete=models.CASCADE, related_name="provenance")
    sha256 = models.CharField(max_length=64)
    session = models.PositiveSmallIntegerField()
    format = models.CharField(max_length=8)
    device = models.CharField(max_length=100, blank=True)

    class Meta:
        constraints = [
            # The same bytes never make a second activity, however often and by whichever import they come.
            models.UniqueConstraint(fields=["athlete", "sha256", "session"], name="provenance_bytes_once"),
        ]

    def __str__(self) -> str:
        return f"{self.format} {self.sha256[:12]}/{self.session}"


class Streams(models.Model):
    """The samples of an activity, packed losslessly by coach.streams."""

    activity = models.OneToOneField(Activity, on_delete=models.CASCADE, related_name="streams", primary_key=True)
    samples = models.PositiveIntegerField()
    packed = models.BinaryField()

    class Meta:
        verbose_name_plural = "streams"

    def __str__(self) -> str:
        return f"{self.samples} samples"
