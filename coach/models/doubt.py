"""What Coach is not sure of and asks, and what the athlete decided once and for all."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from coach.models.activity import Activity, Provenance
from coach.models.athlete import Athlete


class DoubtQuerySet(models.QuerySet["Doubt"]):
    def open(self) -> "DoubtQuerySet":
        return self.filter(answer="")


class Doubt(models.Model):
    """A recording that waits for an answer; until then it stands aside and counts nowhere."""

    class Kind(models.TextChoices):
        MATCH = "match", _("Is it the same session?")
        DATE = "date", _("When was it?")

    athlete = models.ForeignKey(Athlete, on_delete=models.CASCADE, related_name="doubts")
    kind = models.CharField(max_length=16, choices=Kind)
    provenance = models.ForeignKey(Provenance, on_delete=models.CASCADE, related_name="doubts")
    candidate = models.ForeignKey(Activity, on_delete=models.CASCADE, related_name="doubts", null=True)
    sentence = models.CharField(max_length=500)
    answer = models.CharField(max_length=32, blank=True)  # "same", "different", or a date
    answered_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = DoubtQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["provenance", "kind"], name="doubt_once_a_recording"),
        ]
        indexes = [models.Index(fields=["athlete", "answer", "-id"], name="doubt_open")]

    def __str__(self) -> str:
        return self.sentence


class Ruling(models.Model):
    """Two recordings are the same session, or are not, because the athlete said so; keys name bytes, not rows."""

    athlete = models.ForeignKey(Athlete, on_delete=models.CASCADE, related_name="rulings")
    one = models.CharField(max_length=80)  # Provenance.key, the smaller first
    other = models.CharField(max_length=80)
    same = models.BooleanField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["athlete", "one", "other"], name="ruling_once_a_pair"),
            models.CheckConstraint(condition=models.Q(one__lt=models.F("other")), name="ruling_in_order"),
        ]

    def __str__(self) -> str:
        return f"{self.one} {'is' if self.same else 'is not'} {self.other}"


class Correction(models.Model):
    """What the athlete put right about a recording; it holds again whenever the same bytes come in."""

    athlete = models.ForeignKey(Athlete, on_delete=models.CASCADE, related_name="corrections")
    key = models.CharField(max_length=80)  # Provenance.key
    field = models.CharField(max_length=32)  # "started_at"
    value = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["athlete", "key", "field"], name="correction_once_a_field"),
        ]

    def __str__(self) -> str:
        return f"{self.field} of {self.key}"
