"""Since when a pool is down, so that its jobs may go to a spare one, and which jobs met signs of it in a row."""

import django.contrib.postgres.fields
from django.db import migrations, models

SINCE = "UPDATE jobs_pool SET down_since = closed_at WHERE admit IS NOT NULL"


class Migration(migrations.Migration):
    dependencies = [("jobs", "0006_home")]

    operations = [
        # The column itself stays for one release: workers of the version before still write it.
        migrations.SeparateDatabaseAndState(state_operations=[migrations.RemoveField("pool", "suspect")]),
        migrations.AddField(
            "pool",
            "suspects",
            django.contrib.postgres.fields.ArrayField(
                models.BigIntegerField(), db_default=[], default=list, editable=False
            ),
        ),
        migrations.AddField("pool", "down_since", models.DateTimeField(editable=False, null=True)),
        migrations.RunSQL(SINCE, migrations.RunSQL.noop),
    ]
