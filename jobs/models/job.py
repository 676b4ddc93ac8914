"""A wish for work, what became of it, and what lives beside it."""

from django.contrib.postgres.indexes import OpClass
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _


class Status(models.TextChoices):
    SCHEDULED = "scheduled", _("scheduled")
    WAITING = "waiting", _("waiting")
    READY = "ready", _("ready")
    RUNNING = "running", _("running")
    SUCCEEDED = "succeeded", _("succeeded")
    PARTIAL = "partial", _("partial")
    FAILED = "failed", _("failed")
    CANCELLED = "cancelled", _("cancelled")
    INTERRUPTED = "interrupted", _("interrupted")


QUEUED = [Status.SCHEDULED, Status.WAITING, Status.READY]
ACTIVE = [*QUEUED, Status.RUNNING]
RUNNING = Q(status=Status.RUNNING)
ENDED_SHORT = [Status.FAILED, Status.PARTIAL, Status.INTERRUPTED, Status.CANCELLED]


class JobQuerySet(models.QuerySet["Job"]):
    def queued(self) -> "JobQuerySet":
        return self.filter(status__in=QUEUED)

    def active(self) -> "JobQuerySet":
        return self.filter(status__in=ACTIVE)

    def running(self) -> "JobQuerySet":
        return self.filter(RUNNING)

    def finished(self) -> "JobQuerySet":
        return self.filter(ended_at__isnull=False)

    def in_turn(self) -> "JobQuerySet":
        """In the order in which they are due."""
        return self.order_by("band", "turn", "id")


class Job(models.Model):
    kind = models.CharField(max_length=64)
    owner = models.CharField(max_length=64, blank=True)
    subject = models.CharField(max_length=128, blank=True)
    fingerprint = models.CharField(max_length=128, blank=True)
    wanted_fingerprint = models.CharField(max_length=128, blank=True)
    lane = models.CharField(max_length=128, blank=True)
    pool = models.CharField(max_length=64, blank=True)
    status = models.CharField(max_length=16, choices=Status, default=Status.READY)
    priority = models.SmallIntegerField(default=10)
    band = models.SmallIntegerField(default=1)
    promoted = models.CharField(max_length=16, blank=True)  # what put it in band 0: watch, staff, now, patience
    turn = models.DateTimeField()
    vturn = models.DateTimeField()
    run_at = models.DateTimeField(null=True)
    attempts = models.PositiveIntegerField(default=0)
    crashes = models.PositiveIntegerField(default=0)
    downs = models.PositiveIntegerField(default=0)
    singly = models.BooleanField(db_default=False)  # a process died around it: claimed in no batch again
    worker = models.UUIDField(null=True)
    slot = models.BigIntegerField(null=True)
    token = models.UUIDField(null=True)
    seat = models.BigIntegerField(null=True)
    started_at = models.DateTimeField(null=True)
    deadline = models.DateTimeField(null=True)
    stop_token = models.UUIDField(null=True)
    stop_by = models.CharField(max_length=150, blank=True)
    error_kind = models.CharField(max_length=64, blank=True)
    error = models.CharField(max_length=500, blank=True)
    ended_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(db_default=Now())
    queued_at = models.DateTimeField(db_default=Now())  # when it was last queued anew: what patience counts from

    objects = JobQuerySet.as_manager()

    class Meta:
        # The claim and every other statement repeats the condition of its index literally.
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "owner", "subject"],
                condition=Q(status__in=ACTIVE),
                name="jobs_job_one_active",
            ),
            models.UniqueConstraint(
                fields=["lane"],
                condition=Q(status__in=[Status.READY, Status.RUNNING]) & ~Q(lane=""),
                name="jobs_job_one_a_lane",
            ),
            models.UniqueConstraint(fields=["seat"], condition=Q(seat__isnull=False), name="jobs_job_one_a_seat"),
            models.CheckConstraint(
                condition=Q(
                    RUNNING,
                    worker__isnull=False,
                    slot__isnull=False,
                    token__isnull=False,
                    started_at__isnull=False,
                    deadline__isnull=False,
                )
                | Q(
                    ~RUNNING,
                    worker__isnull=True,
                    slot__isnull=True,
                    token__isnull=True,
                    deadline__isnull=True,
                ),
                name="jobs_job_running_whole",
            ),
            models.CheckConstraint(
                condition=Q(RUNNING, ~Q(pool=""), seat__isnull=False)
                | Q(RUNNING, pool="", seat__isnull=True)
                | Q(~RUNNING, seat__isnull=True),
                name="jobs_job_seat_while_running",
            ),
            models.CheckConstraint(
                condition=Q(status__in=ACTIVE, ended_at__isnull=True)
                | Q(~Q(status__in=ACTIVE), ended_at__isnull=False),
                name="jobs_job_finished_has_end",
            ),
            models.CheckConstraint(
                condition=~Q(status=Status.SCHEDULED) | Q(run_at__isnull=False),
                name="jobs_job_scheduled_has_time",
            ),
            models.CheckConstraint(condition=~Q(status=Status.WAITING) | ~Q(lane=""), name="jobs_job_waits_in_a_lane"),
            models.CheckConstraint(condition=Q(status__in=Status.values), name="jobs_job_status"),
            models.CheckConstraint(condition=Q(band__in=[0, 1]), name="jobs_job_band"),
        ]
        indexes = [
            models.Index(
                fields=["pool", "kind", "band", "turn", "id"],
                condition=Q(status="ready"),
                name="jobs_job_ready",
            ),
            models.Index(
                fields=["lane", "pool", "band", "turn", "id"],
                condition=Q(status="waiting"),
                name="jobs_job_waiting",
            ),
            models.Index(
                fields=["pool", "band", "turn", "id"],
                condition=Q(status="waiting"),
                name="jobs_job_behind",
            ),
            models.Index(fields=["pool", "owner", "vturn"], condition=Q(status__in=QUEUED), name="jobs_job_queued"),
            models.Index(fields=["promoted", "pool"], condition=Q(band=0, status__in=QUEUED), name="jobs_job_promoted"),
            models.Index(
                fields=["pool", "queued_at"],
                condition=Q(band=1, status__in=["waiting", "ready"]),
                name="jobs_job_patient",
            ),
            models.Index(fields=["run_at"], condition=Q(status="scheduled"), name="jobs_job_scheduled"),
            models.Index(fields=["worker", "slot"], condition=Q(status="running"), name="jobs_job_running"),
            models.Index(fields=["kind", "owner", "subject", "-id"], name="jobs_job_newest"),
            models.Index(fields=["ended_at"], condition=Q(ended_at__isnull=False), name="jobs_job_finished"),
            # For the console alone. The first three are not touched by a claim, nor by an ending that succeeds. By the
            # + 0 no other statement takes one of them for an index of its own, and the console takes no other.
            models.Index(
                F("band") + 0,
                F("turn"),
                F("id"),
                condition=Q(status__in=QUEUED),
                include=["band"],
                name="jobs_job_due",
            ),
            models.Index(
                F("id") + 0,
                F("status"),
                condition=Q(status__in=ENDED_SHORT),
                include=["id"],
                name="jobs_job_short",
            ),
            models.Index(
                F("error_kind"),
                F("id") + 0,
                condition=~Q(error_kind=""),
                include=["id"],
                name="jobs_job_errors",
            ),
            models.Index(OpClass(F("subject"), name="varchar_pattern_ops"), F("id"), name="jobs_job_subject"),
        ]
        permissions = [("operate_job", "Can operate the queue: jobs, lanes, workers; pause, resume and probe pools")]

    def __str__(self) -> str:
        return f"{self.kind} {self.owner} {self.subject}".strip()


class Payload(models.Model):
    """What a job was given and what it gave back, at most 64 KiB each."""

    job = models.BigIntegerField(primary_key=True)
    args = models.JSONField(default=dict)
    result = models.JSONField(null=True)


class Progress(models.Model):
    """How far a running job is; written often, so it touches no indexed row of Job."""

    job = models.BigIntegerField(primary_key=True)
    done = models.BigIntegerField(default=0)
    total = models.BigIntegerField(default=0)
    note = models.CharField(max_length=200, blank=True)
    at = models.DateTimeField(db_default=Now())


class Call(models.Model):
    """The upstream call of a running job: what its seat must wait for."""

    job = models.BigIntegerField(primary_key=True)
    token = models.UUIDField()
    pool = models.CharField(max_length=64, blank=True)
    streamed = models.BooleanField()
    started_at = models.DateTimeField()
    call_until = models.DateTimeField()  # by then the upstream must have ended it
    spoke = models.BooleanField(default=False)  # something of the answer has come
    broken_at = models.DateTimeField(null=True)  # our side is closed, the upstream may still work
    over_at = models.DateTimeField(null=True)  # the upstream is certainly done with it
    linger_s = models.FloatField(db_default=60)  # how long it may work on unheard, before it has said anything


class Watch(models.Model):
    """A screen that is open on a job right now."""

    job = models.BigIntegerField()
    user = models.CharField(max_length=64)
    until = models.DateTimeField()

    class Meta:
        verbose_name_plural = "watches"
        constraints = [models.UniqueConstraint(fields=["job", "user"], name="jobs_watch_once")]
        indexes = [
            models.Index(fields=["user"], name="jobs_watch_user"),
            models.Index(fields=["until"], name="jobs_watch_until"),
        ]


class Attempt(models.Model):
    """One execution, written in the statement that ends it; append-only."""

    token = models.UUIDField(primary_key=True)
    job = models.BigIntegerField()
    kind = models.CharField(max_length=64)
    number = models.PositiveIntegerField()
    worker = models.UUIDField()
    slot = models.BigIntegerField()
    seat = models.BigIntegerField(null=True)
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField()
    outcome = models.CharField(max_length=16)
    error_kind = models.CharField(max_length=64, blank=True)
    error = models.CharField(max_length=2000, blank=True)
    log = models.TextField(blank=True, db_default="")  # the last lines that its code wrote, without secrets

    class Meta:
        indexes = [
            models.Index(fields=["job", "number"], name="jobs_attempt_job"),
            models.Index(fields=["kind", "-ended_at"], name="jobs_attempt_kind"),
            models.Index(fields=["ended_at"], name="jobs_attempt_ended"),
        ]

    def __str__(self) -> str:
        return f"attempt {self.number} of job {self.job}: {self.outcome}"


class Tally(models.Model):
    """How many attempts ended in five minutes, by kind and outcome: charts read these, never the attempts."""

    at = models.DateTimeField()
    kind = models.CharField(max_length=64)
    outcome = models.CharField(max_length=16)
    number = models.PositiveIntegerField()
    seconds = models.FloatField()  # in which they ran, together

    class Meta:
        constraints = [models.UniqueConstraint(fields=["at", "kind", "outcome"], name="jobs_tally_once")]

    def __str__(self) -> str:
        return f"{self.number} {self.kind} {self.outcome}"


class Item(models.Model):
    """A part of a job that can fail alone."""

    class State(models.TextChoices):
        PENDING = "pending", _("pending")
        RUNNING = "running", _("running")
        OK = "ok", _("ok")
        PARTIAL = "partial", _("partial")
        FAILED = "failed", _("failed")
        SKIPPED = "skipped", _("skipped")
        CANCELLED = "cancelled", _("cancelled")

    job = models.BigIntegerField()
    key = models.CharField(max_length=300)
    position = models.PositiveIntegerField()
    status = models.CharField(max_length=16, choices=State, default=State.PENDING)
    error = models.CharField(max_length=500, blank=True)
    result = models.JSONField(null=True)
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["job", "key"], name="jobs_item_once"),
            models.CheckConstraint(
                condition=Q(status__in=["pending", "running", "ok", "partial", "failed", "skipped", "cancelled"]),
                name="jobs_item_status",
            ),
        ]
        indexes = [models.Index(fields=["job", "status", "position"], name="jobs_item_open")]

    def __str__(self) -> str:
        return f"{self.key}: {self.status}"
