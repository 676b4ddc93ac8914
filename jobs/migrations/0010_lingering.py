"""How long an upstream may work on a call of which nothing has come, as the caller knows it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("jobs", "0009_console")]

    operations = [migrations.AddField("call", "linger_s", models.FloatField(db_default=60))]
