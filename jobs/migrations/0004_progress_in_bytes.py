"""Progress may count bytes: a file of 4 GB is more than an integer holds."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("jobs", "0003_singly")]

    operations = [
        migrations.AlterField("progress", "done", models.BigIntegerField(default=0)),
        migrations.AlterField("progress", "total", models.BigIntegerField(default=0)),
    ]
