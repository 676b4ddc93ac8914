"""Streams belong to a recording, and an activity may have several; what is stored moves over."""

import django.db.models.deletion
from django.db import migrations, models

# The first recording of an activity has its streams, and what it is matched by.
MOVE = """
INSERT INTO coach_streams (provenance_id, samples, packed)
SELECT p.id, s.samples, s.packed FROM coach_activitystreams s
JOIN (SELECT DISTINCT ON (activity_id) id, activity_id FROM coach_provenance ORDER BY activity_id, id) p
  ON p.activity_id = s.activity_id;
UPDATE coach_provenance p SET started_at = a.started_at, timer_s = a.timer_s, distance_m = a.distance_m,
    precedence = CASE p.format WHEN 'fit' THEN 1 WHEN 'tcx' THEN 2 ELSE 3 END
FROM coach_activity a WHERE a.id = p.activity_id;
"""

BACK = """
INSERT INTO coach_activitystreams (activity_id, samples, packed)
SELECT DISTINCT ON (p.activity_id) p.activity_id, s.samples, s.packed
FROM coach_streams s JOIN coach_provenance p ON p.id = s.provenance_id WHERE p.activity_id IS NOT NULL
ORDER BY p.activity_id, p.precedence, p.sha256, p.session;
DELETE FROM coach_provenance WHERE activity_id IS NULL;
"""


class Migration(migrations.Migration):
    dependencies = [("coach", "0001_initial")]

    operations = [
        migrations.RenameModel("Streams", "ActivityStreams"),
        migrations.CreateModel(
            name="Streams",
            fields=[
                (
                    "provenance",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="streams",
                        serialize=False,
                        to="coach.provenance",
                    ),
                ),
                ("samples", models.PositiveIntegerField()),
                ("packed", models.BinaryField()),
            ],
            options={"verbose_name_plural": "streams"},
        ),
        migrations.AddField("provenance", "header", models.JSONField(default=dict)),
        migrations.AddField("provenance", "started_at", models.DateTimeField(null=True)),
        migrations.AddField("provenance", "timer_s", models.FloatField(null=True)),
        migrations.AddField("provenance", "distance_m", models.FloatField(null=True)),
        migrations.AddField(
            "provenance",
            "precedence",
            models.PositiveSmallIntegerField(
                choices=[(1, "Fit"), (2, "Tcx"), (3, "Gpx"), (4, "Row"), (5, "Screenshot")], default=1
            ),
        ),
        migrations.AlterField(
            "provenance",
            "activity",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="provenance",
                to="coach.activity",
            ),
        ),
        migrations.AddIndex("provenance", models.Index(fields=["athlete", "started_at"], name="provenance_by_start")),
        migrations.AlterField(
            "activity",
            "source",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="activities",
                to="coach.source",
            ),
        ),
        # Rows that were written and the tables' shape cannot change in one transaction while keys are unchecked.
        migrations.RunSQL("SET CONSTRAINTS ALL IMMEDIATE", "SET CONSTRAINTS ALL IMMEDIATE"),
        migrations.RunSQL(MOVE, BACK),
        migrations.RunSQL("SET CONSTRAINTS ALL IMMEDIATE", "SET CONSTRAINTS ALL IMMEDIATE"),
        migrations.DeleteModel("ActivityStreams"),
    ]
