"""An insight: text about facts, with the facts it was written from."""

from django.db import models

from coach.models.athlete import Athlete


class Insight(models.Model):
    athlete = models.ForeignKey(Athlete, on_delete=models.CASCADE, related_name="insights")
    scope = models.CharField(max_length=32)
    subject = models.CharField(max_length=64)
    fingerprint = models.CharField(max_length=64)
    writer = models.CharField(max_length=100)  # "builtin/2" or "model/NAME"
    language = models.CharField(max_length=8)
    text = models.JSONField()  # headline, summary, findings, suggestions, confidence, missing; tokens {{key}}
    facts = models.JSONField()  # key -> label, display, meaning, convention, source
    dropped = models.JSONField(default=list)  # findings that could not be verified, with the violation
    asked = models.CharField(max_length=100, default="", blank=True)  # the model that was asked, whoever wrote then
    checked = models.JSONField(default=dict)  # answers, repaired, findings, dropped, rules: see coach.scores
    as_of = models.DateField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["athlete", "scope", "subject", "fingerprint"], name="insight_once_a_fingerprint"
            ),
        ]
        indexes = [models.Index(fields=["athlete", "scope", "subject", "-id"], name="insight_newest")]

    def __str__(self) -> str:
        return f"{self.scope} {self.subject} by {self.writer}"


class Opinion(models.Model):
    """What the athlete thinks of a text: a thumb, and in words what is not right."""

    insight = models.OneToOneField(Insight, on_delete=models.CASCADE, related_name="opinion", primary_key=True)
    good = models.BooleanField()
    note = models.CharField(max_length=500, blank=True)
    given_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return "helped" if self.good else "not right"
