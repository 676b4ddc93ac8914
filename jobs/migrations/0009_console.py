"""For the console: log lines of an attempt, a worker that is asked to leave, and the orders of its lists."""

import django.contrib.postgres.indexes
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models

OPERATE = ("operate_job", "Can operate the queue: jobs, lanes, workers; pause, resume and probe pools")


class Migration(migrations.Migration):
    atomic = False  # an index is built beside workers that go on

    dependencies = [("jobs", "0008_tally")]

    operations = [
        migrations.AlterModelOptions("job", {"permissions": [OPERATE]}),
        migrations.AddField("attempt", "log", models.TextField(blank=True, db_default="")),
        migrations.AddField("worker", "drain_by", models.CharField(blank=True, db_default="", max_length=150)),
        AddIndexConcurrently(
            "job",
            models.Index(
                fields=["pool", "band", "turn", "id"],
                condition=models.Q(("status", "waiting")),
                name="jobs_job_behind",
            ),
        ),
        AddIndexConcurrently(
            "job",
            models.Index(
                models.F("band") + 0,
                models.F("turn"),
                models.F("id"),
                condition=models.Q(("status__in", ["scheduled", "waiting", "ready"])),
                include=["band"],
                name="jobs_job_due",
            ),
        ),
        AddIndexConcurrently(
            "job",
            models.Index(
                models.F("id") + 0,
                models.F("status"),
                condition=models.Q(("status__in", ["failed", "partial", "interrupted", "cancelled"])),
                include=["id"],
                name="jobs_job_short",
            ),
        ),
        AddIndexConcurrently(
            "job",
            models.Index(
                models.F("error_kind"),
                models.F("id") + 0,
                condition=models.Q(("error_kind", ""), _negated=True),
                include=["id"],
                name="jobs_job_errors",
            ),
        ),
        AddIndexConcurrently(
            "job",
            models.Index(
                django.contrib.postgres.indexes.OpClass(models.F("subject"), name="varchar_pattern_ops"),
                models.F("id"),
                name="jobs_job_subject",
            ),
        ),
    ]
