"""What was asked of the writing services and learnt of them: calls of a day, faults of models, what upstreams know."""

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


class Upstream(models.Model):
    """What a pool's service has turned out to be able to, with one model; a row that is written when that changes."""

    pool = models.CharField(max_length=64)
    model = models.CharField(max_length=80)
    place = models.CharField(max_length=64)  # hash of its address: at another one it is another service
    features = models.JSONField(null=True)  # what of a request it knows; None: nothing was refused yet
    learnt_at = models.DateTimeField(null=True)  # when the features were; later they are tried anew
    prompt_s = models.FloatField(null=True)  # seconds to the first word for each token of a prompt
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["pool", "model"], name="upstream_once_a_model")]

    def __str__(self) -> str:
        return f"{self.model} in {self.pool}"
