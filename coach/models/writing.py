"""What the writing service was asked for: an athlete's calls of a day, and how well each model keeps to its facts."""

from django.db import models

from coach.models.athlete import Athlete


class Spending(models.Model):
    """One athlete's day, on the athlete's own calendar."""

    athlete = models.ForeignKey(Athlete, on_delete=models.CASCADE, related_name="spendings")
    day = models.DateField()
    calls = models.PositiveIntegerField(default=0)
    tokens = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["athlete", "day"], name="spending_once_a_day")]
        indexes = [models.Index(fields=["-day", "-tokens"], name="spending_newest")]

    def __str__(self) -> str:
        return f"{self.calls} calls on {self.day}"


class WriterScore(models.Model):
    """One model with one version of its instructions; a row that is counted up, so that no list has to be read."""

    model = models.CharField(max_length=80)
    prompt_version = models.PositiveSmallIntegerField()
    written = models.PositiveBigIntegerField(default=0)
    repaired = models.PositiveBigIntegerField(default=0)  # of those written, the ones that took a second answer
    fell_back = models.PositiveBigIntegerField(default=0)  # the narrator wrote, since no answer was sound
    findings = models.PositiveBigIntegerField(default=0)  # in all answers
    dropped = models.PositiveBigIntegerField(default=0)  # of those, the ones that could not be verified
    rules = models.JSONField(default=dict)  # rule -> how often it was broken
    first_at = models.DateTimeField(auto_now_add=True)
    last_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["model", "prompt_version"], name="score_once_a_version")]

    def __str__(self) -> str:
        return f"{self.model}, prompt {self.prompt_version}"
