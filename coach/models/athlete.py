"""The athlete and the thresholds that hold from a day on."""

from datetime import date
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Units(models.TextChoices):
    METRIC = "metric", _("Kilometres, metres, kilograms")
    IMPERIAL = "imperial", _("Miles, feet, pounds")


class Language(models.TextChoices):
    ENGLISH = "en", "English"
    CHINESE = "zh-hans", "简体中文"


class Sex(models.TextChoices):
    FEMALE = "f", _("Female")
    MALE = "m", _("Male")
    UNSAID = "", _("Not said")


class Athlete(models.Model):
    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="athlete")
    time_zone = models.CharField(max_length=64, default="UTC")
    units = models.CharField(max_length=8, choices=Units, default=Units.METRIC)
    language = models.CharField(max_length=8, choices=Language, default=Language.ENGLISH)
    sex = models.CharField(max_length=1, choices=Sex, default=Sex.UNSAID, blank=True)
    birth_year = models.PositiveSmallIntegerField(
        null=True, blank=True, validators=[MinValueValidator(1900), MaxValueValidator(2100)]
    )
    week_starts_on = models.PositiveSmallIntegerField(default=1)  # ISO weekday
    sleep_need_min = models.PositiveSmallIntegerField(
        default=480, validators=[MinValueValidator(240), MaxValueValidator(720)]
    )
    weight_goal_kg = models.FloatField(
        null=True, blank=True, validators=[MinValueValidator(25), MaxValueValidator(300)]
    )
    uses_model = models.BooleanField(default=True)  # False: the narrator writes, and nothing is sent to a model
    calls_a_day = models.PositiveIntegerField(null=True, blank=True)  # None: what settings.BUDGET says
    tokens_a_day = models.PositiveIntegerField(null=True, blank=True)
    # While history is measured again: how many sessions are, of how many. 0 of 0: it was asked for and has not begun.
    measured = models.PositiveIntegerField(null=True, editable=False)
    to_measure = models.PositiveIntegerField(null=True, editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(week_starts_on__range=(1, 7)), name="athlete_week_start"),
        ]

    def __str__(self) -> str:
        return self.user.get_username()

    @property
    def owner(self) -> str:
        """The athlete's key in the queue."""
        return f"athlete:{self.pk}"

    def today(self) -> date:
        return timezone.now().astimezone(ZoneInfo(self.time_zone)).date()


class ThresholdQuerySet(models.QuerySet["Threshold"]):
    def valid_on(self, day: date) -> "ThresholdQuerySet":
        """The newest threshold of each kind that holds on this day."""
        return self.filter(valid_from__lte=day).order_by("kind", "-valid_from").distinct("kind")


class Threshold(models.Model):
    class Kind(models.TextChoices):
        FTP = "ftp_w", _("Functional threshold power (W)")
        LTHR = "lthr_bpm", _("Lactate threshold heart rate (bpm)")
        HR_MAX = "hr_max_bpm", _("Maximum heart rate (bpm)")
        HR_REST = "hr_rest_bpm", _("Resting heart rate (bpm)")
        PACE = "threshold_pace_s_per_km", _("Threshold pace (s/km)")

    athlete = models.ForeignKey(Athlete, on_delete=models.CASCADE, related_name="thresholds")
    kind = models.CharField(max_length=32, choices=Kind)
    value = models.FloatField(validators=[MinValueValidator(20), MaxValueValidator(2500)])
    valid_from = models.DateField()
    estimated = models.BooleanField(default=False)

    objects = ThresholdQuerySet.as_manager()

    class Meta:
        ordering = ["kind", "-valid_from"]
        constraints = [
            models.UniqueConstraint(fields=["athlete", "kind", "valid_from"], name="threshold_once_a_day"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.value:g} from {self.valid_from}"
