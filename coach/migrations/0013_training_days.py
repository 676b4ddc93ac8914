"""The sums of each day, kept by a trigger on activities and filled for those that are there; how far measuring is."""

import django.db.models.deletion
from django.db import connection, migrations, models, transaction

# Not one transaction: the table of activities is locked only while its triggers are made, and a fill that is cut off
# keeps nobody waiting. So it begins by clearing away what an attempt before it left.
CLEAR = """
DROP TRIGGER IF EXISTS coach_activity_came ON coach_activity;
DROP TRIGGER IF EXISTS coach_activity_changed ON coach_activity;
DROP TRIGGER IF EXISTS coach_activity_went ON coach_activity;
DROP FUNCTION IF EXISTS coach_activities_changed();
DROP FUNCTION IF EXISTS coach_sum_days(bigint[], date[]);
"""

CLEAR_TABLES = """
DROP TABLE IF EXISTS coach_trainingday;
ALTER TABLE coach_athlete DROP COLUMN IF EXISTS measured, DROP COLUMN IF EXISTS to_measure;
"""

# Whoever changes sessions of an athlete waits for whoever does so already, at the row that coach.settling locks, too.
# What the other then committed is seen by the statements after that one.
FUNCTIONS = """
CREATE FUNCTION coach_sum_days(athletes bigint[], days date[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM coach_athlete WHERE id = ANY(athletes) ORDER BY id FOR NO KEY UPDATE;

    INSERT INTO coach_trainingday (athlete_id, local_date, sessions, timer_s, load,
                                   load_power, load_pace, load_heart_rate, load_effort, load_estimate)
    SELECT athlete_id, local_date, count(*), sum(timer_s ORDER BY id), sum(load ORDER BY id),
           coalesce(sum(load ORDER BY id) FILTER (WHERE load_from = 'power'), 0),
           coalesce(sum(load ORDER BY id) FILTER (WHERE load_from = 'pace'), 0),
           coalesce(sum(load ORDER BY id) FILTER (WHERE load_from = 'heart_rate'), 0),
           coalesce(sum(load ORDER BY id) FILTER (WHERE load_from = 'effort'), 0),
           coalesce(sum(load ORDER BY id) FILTER (WHERE load_from = 'estimate'), 0)
    FROM coach_activity
    JOIN (SELECT DISTINCT athlete_id, local_date FROM unnest(athletes, days) u(athlete_id, local_date)) touched
        USING (athlete_id, local_date)
    WHERE NOT is_ignored GROUP BY athlete_id, local_date
    ON CONFLICT (athlete_id, local_date) DO UPDATE SET
        sessions = excluded.sessions, timer_s = excluded.timer_s, load = excluded.load,
        load_power = excluded.load_power, load_pace = excluded.load_pace,
        load_heart_rate = excluded.load_heart_rate, load_effort = excluded.load_effort,
        load_estimate = excluded.load_estimate;

    DELETE FROM coach_trainingday d USING unnest(athletes, days) u(athlete_id, local_date)
    WHERE d.athlete_id = u.athlete_id AND d.local_date = u.local_date AND NOT EXISTS (
        SELECT FROM coach_activity a
        WHERE a.athlete_id = d.athlete_id AND a.local_date = d.local_date AND NOT a.is_ignored);
END $$;

CREATE FUNCTION coach_activities_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    athletes bigint[];
    days date[];
BEGIN
    IF TG_OP = 'INSERT' THEN
        SELECT array_agg(athlete_id), array_agg(local_date) INTO athletes, days FROM after;
    ELSIF TG_OP = 'DELETE' THEN
        SELECT array_agg(athlete_id), array_agg(local_date) INTO athletes, days FROM before;
    ELSE
        WITH was AS (SELECT id, athlete_id, local_date, timer_s, load, load_from, is_ignored FROM before),
             is_now AS (SELECT id, athlete_id, local_date, timer_s, load, load_from, is_ignored FROM after)
        SELECT array_agg(athlete_id), array_agg(local_date) INTO athletes, days
        FROM ((TABLE was EXCEPT TABLE is_now) UNION ALL (TABLE is_now EXCEPT TABLE was)) changed;
    END IF;
    IF athletes IS NOT NULL THEN
        PERFORM coach_sum_days(athletes, days);
    END IF;
    RETURN NULL;
END $$;
"""

TRIGGERS = """
CREATE TRIGGER coach_activity_came AFTER INSERT ON coach_activity
    REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION coach_activities_changed();
CREATE TRIGGER coach_activity_changed AFTER UPDATE ON coach_activity
    REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION coach_activities_changed();
CREATE TRIGGER coach_activity_went AFTER DELETE ON coach_activity
    REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION coach_activities_changed();
"""

NEXT_DAYS = """
SELECT array_agg(athlete_id), array_agg(local_date), max(athlete_id), (array_agg(local_date))[count(*)]
FROM (SELECT DISTINCT athlete_id, local_date FROM coach_activity
      WHERE (athlete_id, local_date) > (%s, %s) ORDER BY athlete_id, local_date LIMIT %s) days
"""
SUM_DAYS = "SELECT coach_sum_days(%s, %s)"
DAYS_AT_ONCE = 500


def fill(apps, schema_editor):
    """Sum up the days that are there, some at a time; what changes meanwhile is the triggers' work."""
    athlete, day = 0, "-infinity"
    while True:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(NEXT_DAYS, [athlete, day, DAYS_AT_ONCE])
            athletes, days, athlete, day = cursor.fetchone()
            if not days:
                return
            cursor.execute(SUM_DAYS, [athletes, days])


def total():
    return models.FloatField(db_default=0, default=0)


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("coach", "0012_what_models_cost_and_keep_to")]

    operations = [
        migrations.RunSQL([CLEAR, CLEAR_TABLES], migrations.RunSQL.noop),
        migrations.CreateModel(
            name="TrainingDay",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("local_date", models.DateField()),
                ("sessions", models.PositiveIntegerField(db_default=0, default=0)),
                ("timer_s", total()),
                ("load", total()),
                ("load_power", total()),
                ("load_pace", total()),
                ("load_heart_rate", total()),
                ("load_effort", total()),
                ("load_estimate", total()),
                (
                    "athlete",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="training_days",
                        to="coach.athlete",
                    ),
                ),
            ],
        ),
        # By itself, for what stands in the description of a table is made when a migration ends, after it was filled.
        migrations.AddConstraint(
            "trainingday", models.UniqueConstraint(fields=("athlete", "local_date"), name="training_day_once")
        ),
        migrations.RunSQL(FUNCTIONS, CLEAR),
        migrations.RunSQL(TRIGGERS, migrations.RunSQL.noop),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.AddField("athlete", "measured", models.PositiveIntegerField(editable=False, null=True)),
        migrations.AddField("athlete", "to_measure", models.PositiveIntegerField(editable=False, null=True)),
    ]
