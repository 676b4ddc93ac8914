"""Who paused a pool, and the row by which a restored copy of the database knows that it is one."""

from django.db import migrations, models
from django.db.models.functions import Now


class Migration(migrations.Migration):
    dependencies = [("jobs", "0005_claim")]

    operations = [
        migrations.AddField(
            "pool", "paused_by", models.CharField(blank=True, db_default="", editable=False, max_length=150)
        ),
        migrations.CreateModel(
            name="Home",
            fields=[
                ("id", models.PositiveSmallIntegerField(default=1, primary_key=True, serialize=False)),
                ("place", models.CharField(max_length=64)),
                ("since", models.DateTimeField(db_default=Now())),
            ],
            options={
                "constraints": [models.CheckConstraint(condition=models.Q(("id", 1)), name="jobs_home_one")],
            },
        ),
    ]
