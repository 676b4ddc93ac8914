"""A database of an older version comes to today's and back without losing a stream."""

from datetime import UTC, date, datetime

import numpy as np
import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from coach import loading, streams
from coach.models import Athlete, Provenance

pytestmark = pytest.mark.django_db(transaction=True)

FIRST = ("coach", "0001_initial")
PACKED = [streams.pack({"time_s": np.arange(60.0), "power_w": np.full(60, watts)}) for watts in (100.0, 200.0)]


def migrate(target):
    executor = MigrationExecutor(connection)
    executor.migrate([target])
    return MigrationExecutor(connection).loader.project_state([target]).apps


def newest():
    return next(node for node in MigrationExecutor(connection).loader.graph.leaf_nodes() if node[0] == "coach")


@pytest.fixture
def first():
    """Give the models of the first version, and take the database back to today's afterwards."""
    newest_one = newest()
    yield migrate(FIRST)
    migrate(newest_one)


def fill(models):
    """Make two activities as the first version stored them."""
    user = models.get_model("auth", "User").objects.create(username="ana")
    athlete = models.get_model("coach", "Athlete").objects.create(user=user)
    source = models.get_model("coach", "Source").objects.create(athlete=athlete, name="Files")
    run = models.get_model("coach", "ImportRun").objects.create(source=source)
    for day, packed in enumerate(PACKED, start=1):
        sha256 = str(day) * 64
        file = models.get_model("coach", "ImportFile").objects.create(run=run, name=f"{day}.fit", size=1, sha256=sha256)
        activity = models.get_model("coach", "Activity").objects.create(
            athlete=athlete,
            source=source,
            started_at=datetime(2026, 5, day, 8, tzinfo=UTC),
            time_zone="Europe/Berlin",
            local_date=date(2026, 5, day),
            sport="cycling",
            name="Old",
            timer_s=59,
            moving_s=59,
            elapsed_s=60,
            distance_m=400,
            pauses=[{"start_s": 10.0, "duration_s": 1.0}],
        )
        models.get_model("coach", "Provenance").objects.create(
            activity=activity, athlete=athlete, file=file, sha256=sha256, session=0, format="fit"
        )
        models.get_model("coach", "Streams").objects.create(activity=activity, samples=60, packed=packed)


def test_the_streams_of_the_first_version_survive_there_and_back(first):
    fill(first)
    migrate(newest())
    rows = list(Provenance.objects.order_by("started_at").select_related("streams"))
    assert [bytes(row.streams.packed) for row in rows] == PACKED
    assert [(row.timer_s, row.distance_m, row.precedence) for row in rows] == [(59, 400, 1)] * 2
    again = migrate(FIRST)
    kept = again.get_model("coach", "Streams").objects.order_by("activity__started_at")
    assert [bytes(row.packed) for row in kept] == PACKED


def test_a_recording_of_the_first_version_whose_original_is_gone_is_what_its_rows_say(first, settings, tmp_path):
    settings.DATA = tmp_path
    fill(first)
    migrate(newest())
    row = loading.rows(Provenance.objects.order_by("started_at"))[0]
    recording = loading.load(row)
    assert (recording.sport, recording.name, recording.elapsed_s, recording.timer_s) == ("cycling", "Old", 60, 59)
    assert recording.pauses[0].start_s == 10
    assert np.array_equal(recording.streams["power_w"], np.full(60, 100.0))
    row.refresh_from_db()
    assert row.header["schema"]
    assert Athlete.objects.count() == 1
