"""The ways in: large files that arrive in pieces, tokens of phones, watched folders, and how columns were named."""

import uuid

from django.db import models

from coach.models.athlete import Athlete
from coach.models.source import ImportRun, Source


class Upload(models.Model):
    """A large file on its way in; what has arrived stays when the connection breaks."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    athlete = models.ForeignKey(Athlete, on_delete=models.CASCADE, related_name="uploads")
    name = models.CharField(max_length=300)
    size = models.PositiveBigIntegerField()
    received = models.PositiveBigIntegerField(default=0)
    run = models.ForeignKey(ImportRun, on_delete=models.SET_NULL, null=True)  # the import it became
    created_at = models.DateTimeField(auto_now_add=True)
    touched_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(received__lte=models.F("size")), name="upload_within_size"),
        ]

    def __str__(self) -> str:
        return f"{self.name}: {self.received} of {self.size}"


class Token(models.Model):
    """Lets a phone hand files in for one athlete; only its hash is kept."""

    athlete = models.ForeignKey(Athlete, on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=100)
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    used_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["athlete", "name"], name="token_name_once")]

    def __str__(self) -> str:
        return self.name


class Watched(models.Model):
    """A file seen in an athlete's watched folder; it is taken in once it has stopped growing."""

    athlete = models.ForeignKey(Athlete, on_delete=models.CASCADE, related_name="watched")
    name = models.CharField(max_length=500)
    size = models.PositiveBigIntegerField()
    changed_ns = models.BigIntegerField()
    taken_at = models.DateTimeField(null=True)
    trouble = models.CharField(max_length=200, blank=True)  # why it cannot be read, as of the last look

    class Meta:
        verbose_name_plural = "watched"
        constraints = [models.UniqueConstraint(fields=["athlete", "name"], name="watched_name_once")]

    def __str__(self) -> str:
        return self.name


class Layout(models.Model):
    """What the columns of a table mean, said once for every table with the same heads."""

    athlete = models.ForeignKey(Athlete, on_delete=models.CASCADE, related_name="layouts")
    heads = models.CharField(max_length=64)  # SHA-256 of the heads
    mapping = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["athlete", "heads"], name="layout_once")]

    def __str__(self) -> str:
        return f"layout {self.heads[:12]}"


class Finding(models.Model):
    """What one check of a source's data found, as of its last profile."""

    class Severity(models.TextChoices):
        GOOD = "good"
        NOTE = "note"
        BAD = "bad"

    source = models.ForeignKey(Source, on_delete=models.CASCADE, related_name="findings")
    check_name = models.CharField(max_length=32)
    severity = models.CharField(max_length=8, choices=Severity)
    sentence = models.CharField(max_length=500)
    count = models.PositiveIntegerField(default=0)
    details = models.JSONField(default=list)  # at most 200 rows: activity or day, sentence, figures
    checked_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["source", "check_name"], name="finding_once_a_check")]

    def __str__(self) -> str:
        return self.sentence


class Export(models.Model):
    """Everything of an athlete as one zip, made by a job, kept for some days."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    athlete = models.ForeignKey(Athlete, on_delete=models.CASCADE, related_name="exports")
    size = models.PositiveBigIntegerField(null=True)  # null until it is complete
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"export {self.id}"
