"""An activity, where it came from, and its streams."""

import hashlib
from datetime import date
from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from coach.models.athlete import Athlete
from coach.models.source import ImportFile, Source

SESSION_TYPES = {
    "recovery": _("Recovery"),
    "endurance": _("Endurance"),
    "long": _("Long"),
    "tempo": _("Tempo"),
    "threshold": _("Threshold"),
    "intervals": _("Intervals"),
    "race": _("Race"),
    "strength": _("Strength"),
    "technique": _("Technique"),
}


# What the samples may look like, as coach.metrics.kind tells it.
FOUND_TYPES = {
    "intervals": _("Intervals"),
    "long": _("Long"),
    "easy": _("Easy"),
    "steady": _("Steady"),
    "hard": _("Hard"),
    "short": _("Short"),
    "unmeasured": _("Without a measured intensity"),
}


def session_types() -> list[tuple[str, Any]]:
    return list(SESSION_TYPES.items())


def found_types() -> list[tuple[str, Any]]:
    return list(FOUND_TYPES.items())


class ActivityQuerySet(models.QuerySet["Activity"]):
    def counted(self) -> "ActivityQuerySet":
        """What facts are made of: everything but what the athlete said to ignore."""
        return self.filter(is_ignored=False)

    def between(self, first: date, last: date) -> "ActivityQuerySet":
        return self.filter(local_date__range=(first, last))

    def newest_first(self) -> "ActivityQuerySet":
        return self.order_by("-started_at", "-pk")


# Columns that say whether a sentence about a session is still about it as it is now.
LOOK = (
    "started_at", "sport", "timer_s", "distance_m", "load", "load_from", "measured_with", "session_type",
    "stated_type", "effort", "note", "is_race", "heart_rate_avg_bpm",
)  # fmt: skip


class Activity(models.Model):
    """Seconds, metres, watts and bpm; everything derived is computed once, when the file is read."""

    class LoadFrom(models.TextChoices):
        POWER = "power", _("power")
        PACE = "pace", _("pace")
        HEART_RATE = "heart_rate", _("heart rate")
        EFFORT = "effort", _("how hard it felt")
        ESTIMATE = "estimate", _("estimate")

    athlete = models.ForeignKey(Athlete, on_delete=models.CASCADE, related_name="activities")
    # Where its leading recording came from; the others are found through its provenance.
    source = models.ForeignKey(Source, on_delete=models.SET_NULL, null=True, related_name="activities")
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
    zone_seconds = models.JSONField(default=dict)  # {"heart_rate": [s, ...], "power": …, "pace": …}, and their bounds
    flags = models.JSONField(default=list)  # sentences: what was salvaged, masked or doubted
    laps = models.JSONField(default=list)
    measured_with = models.CharField(max_length=64, blank=True)  # hash of the thresholds it was measured with
    pauses = models.JSONField(default=list)
    route = models.JSONField(default=list)  # [latitude, longitude] of places evenly along the way; none indoors

    # As the samples look; "" until it is measured by a version that says so.
    session_type = models.CharField(max_length=16, choices=found_types, blank=True)
    intervals = models.JSONField(default=dict)  # repeated efforts: count, seconds, effort, of which stream, spans_s
    # The athlete's own words, which count before anything computed. They are kept by Correction as well, so that they
    # hold again whenever the same bytes come in.
    stated_type = models.CharField(max_length=16, choices=session_types, blank=True)
    effort = models.PositiveSmallIntegerField(null=True)  # how hard it felt, 1 to 10
    note = models.CharField(max_length=1000, blank=True)
    is_race = models.BooleanField(default=False)
    is_ignored = models.BooleanField(default=False)  # kept and shown, but counted nowhere

    objects = ActivityQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "activities"
        indexes = [
            models.Index(fields=["athlete", "local_date"], name="activity_by_day"),
            models.Index(fields=["athlete", "-started_at", "-id"], name="activity_newest"),
        ]

    def __str__(self) -> str:
        return f"{self.sport} {self.local_date}"

    @property
    def look(self) -> str:
        """Name what a line about it is made of, cheaply: a list of many compares it with what was written."""
        return hashlib.sha256(repr([getattr(self, name) for name in LOOK]).encode()).hexdigest()


class ProvenanceQuerySet(models.QuerySet["Provenance"]):
    def leading_first(self) -> "ProvenanceQuerySet":
        """The recording whose streams count first; the same order whatever came in first."""
        return self.order_by("precedence", "sha256", "session")


class Provenance(models.Model):
    """One session as one file has it: a recording. Several recordings of one session make one activity."""

    class Precedence(models.IntegerChoices):
        FIT = 1
        TCX = 2
        GPX = 3
        ROW = 4  # a row of a table or an account's summary, without samples
        SCREENSHOT = 5

    # None while it stands aside: there is a Doubt that asks what it is.
    activity = models.ForeignKey(Activity, on_delete=models.CASCADE, related_name="provenance", null=True)
    athlete = models.ForeignKey(Athlete, on_delete=models.CASCADE)
    file = models.ForeignKey(ImportFile, on_delete=models.CASCADE, related_name="provenance")
    sha256 = models.CharField(max_length=64)
    session = models.PositiveSmallIntegerField()
    format = models.CharField(max_length=8)
    device = models.CharField(max_length=100, blank=True)
    precedence = models.PositiveSmallIntegerField(choices=Precedence, default=Precedence.FIT)
    started_at = models.DateTimeField(null=True)  # by these three and the family of the sport it is matched
    timer_s = models.FloatField(null=True)
    distance_m = models.FloatField(null=True)
    header = models.JSONField(default=dict)  # the recording without its streams
    gave = models.JSONField(default=list)  # what its activity has from it, where it is not the only one: names

    objects = ProvenanceQuerySet.as_manager()

    class Meta:
        constraints = [
            # The same bytes never make a second activity, however often and by whichever import they come.
            models.UniqueConstraint(fields=["athlete", "sha256", "session"], name="provenance_bytes_once"),
        ]
        indexes = [models.Index(fields=["athlete", "started_at"], name="provenance_by_start")]

    def __str__(self) -> str:
        return f"{self.format} {self.key}"

    @property
    def key(self) -> str:
        """What this recording is called by decisions that outlive its row."""
        return f"{self.sha256}:{self.session}"


class Streams(models.Model):
    """The samples of one recording, packed losslessly by coach.streams."""

    provenance = models.OneToOneField(Provenance, on_delete=models.CASCADE, related_name="streams", primary_key=True)
    samples = models.PositiveIntegerField()
    packed = models.BinaryField()

    class Meta:
        verbose_name_plural = "streams"

    def __str__(self) -> str:
        return f"{self.samples} samples"


class Sketch(models.Model):
    """What the screen of an activity draws of its samples, made when it is measured: no page reads the samples."""

    activity = models.OneToOneField(Activity, on_delete=models.CASCADE, related_name="sketch", primary_key=True)
    drawn = models.JSONField()  # as coach.metrics.sketch describes it

    def __str__(self) -> str:
        return f"sketch of {self.activity_id}"
