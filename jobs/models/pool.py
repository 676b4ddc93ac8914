"""A shared upstream and the calls it may carry at once."""

from datetime import timedelta

from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models.functions import Now


class Pool(models.Model):
    """Created from settings; afterwards the row is the truth and staff edit it live."""

    name = models.CharField(max_length=64, primary_key=True)
    capacity = models.PositiveIntegerField(
        default=1,
        validators=[MaxValueValidator(1000)],
        help_text="Calls in flight at once, over all machines. Each more may take the shared box down for others.",
    )
    gap = models.DurationField(
        default=timedelta(seconds=20), help_text="How long a seat rests after the end of each call."
    )
    clock = models.DateTimeField(db_default=Now(), editable=False)
    paused = models.BooleanField(default=False, help_text="Starts no new job; running ones go on.")
    paused_by = models.CharField(max_length=150, blank=True, db_default="", editable=False)
    reserve = models.JSONField(default=list, blank=True, editable=False)
    failures = models.PositiveIntegerField(default=0, editable=False)
    # The jobs that met a soft sign of a failure, one after another without an answer between.
    suspects = ArrayField(models.BigIntegerField(), default=list, db_default=[], editable=False)
    admit = models.PositiveIntegerField(null=True, editable=False)  # null: open; else how many may start since
    down_since = models.DateTimeField(null=True, editable=False)  # the first closing since it was last open
    closed_at = models.DateTimeField(null=True, editable=False)
    closed_until = models.DateTimeField(null=True, editable=False)
    closed_reason = models.CharField(max_length=500, blank=True, editable=False)

    class Meta:
        db_table_comment = "Shared upstreams: seats, gap, breaker."
        constraints = [
            models.CheckConstraint(condition=~models.Q(name=""), name="jobs_pool_named"),
            models.CheckConstraint(condition=models.Q(gap__gte=timedelta(0)), name="jobs_pool_gap"),
        ]

    def __str__(self) -> str:
        return self.name


class Seat(models.Model):
    """The rows are the capacity: a call needs one, and no counter exists that could drift."""

    pool = models.CharField(max_length=64)
    job = models.BigIntegerField(null=True)
    token = models.UUIDField(null=True)
    free_at = models.DateTimeField(db_default=Now())
    why = models.CharField(max_length=32, blank=True)  # running, gap, lingering

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["job"], condition=models.Q(job__isnull=False), name="jobs_seat_one_a_job"),
            models.CheckConstraint(
                condition=models.Q(job__isnull=True, token__isnull=True)
                | models.Q(job__isnull=False, token__isnull=False),
                name="jobs_seat_job_and_token",
            ),
        ]
        indexes = [models.Index(fields=["pool", "free_at"], name="jobs_seat_free")]

    def __str__(self) -> str:
        return f"seat {self.pk} of {self.pool}"
