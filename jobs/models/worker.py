"""Who works, which slots sleep, and who changed what."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now


class Worker(models.Model):
    """One row a process start; it lives as long as its heartbeat."""

    id = models.UUIDField(primary_key=True)
    host = models.CharField(max_length=200)
    pid = models.IntegerField()
    slots = models.PositiveIntegerField()
    pools = ArrayField(models.CharField(max_length=64))
    kinds = ArrayField(models.CharField(max_length=64))
    memory_mb = models.FloatField(db_default=0)  # of its processes together, at the last beat
    version = models.CharField(max_length=64, blank=True)
    started_at = models.DateTimeField(db_default=Now())
    heartbeat_at = models.DateTimeField(db_default=Now())
    draining = models.BooleanField(default=False)
    drain_by = models.CharField(max_length=150, blank=True, db_default="")  # who asked it to end what it runs and leave

    def __str__(self) -> str:
        return f"{self.host}:{self.pid}"


class Idle(models.Model):
    """One row a sleeping slot; deleting it is the right to wake that slot."""

    worker = models.UUIDField()
    slot = models.BigIntegerField()

    class Meta:
        verbose_name_plural = "idle slots"
        constraints = [models.UniqueConstraint(fields=["worker", "slot"], name="jobs_idle_once")]

    def __str__(self) -> str:
        return f"slot {self.slot} of {self.worker}"


class Chore(models.Model):
    """When each sweep is due next in the whole deployment."""

    name = models.CharField(max_length=100, primary_key=True)
    due_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name


class Home(models.Model):
    """The one row that says which database this is; a copy finds another name in it than its own."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    place = models.CharField(max_length=64)
    since = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(id=1), name="jobs_home_one")]

    def __str__(self) -> str:
        return self.place


class Audit(models.Model):
    """Append-only: who changed what on pools, lanes and jobs."""

    at = models.DateTimeField(db_default=Now())
    actor = models.CharField(max_length=150)
    action = models.CharField(max_length=64)
    target = models.CharField(max_length=200)
    old = models.JSONField(null=True)
    new = models.JSONField(null=True)

    class Meta:
        verbose_name_plural = "audit"
        indexes = [models.Index(fields=["target", "-id"], name="jobs_audit_target")]

    def __str__(self) -> str:
        return f"{self.actor} {self.action} {self.target}"
