"""Counts of attempts for the charts of the console, and the memory of each worker."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("jobs", "0007_spares")]

    operations = [
        migrations.AddField("worker", "memory_mb", models.FloatField(db_default=0)),
        migrations.CreateModel(
            name="Tally",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField()),
                ("kind", models.CharField(max_length=64)),
                ("outcome", models.CharField(max_length=16)),
                ("number", models.PositiveIntegerField()),
                ("seconds", models.FloatField()),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=["at", "kind", "outcome"], name="jobs_tally_once")],
            },
        ),
    ]
