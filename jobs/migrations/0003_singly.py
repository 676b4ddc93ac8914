"""The mark that keeps a job out of batches after a process died around it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("jobs", "0002_place_and_storage")]

    operations = [migrations.AddField("job", "singly", models.BooleanField(db_default=False))]
