"""The sample exports of Strava and Garmin, handed in as an athlete does."""

import io
import json
import zipfile

import pytest

from coach.models import Activity, Measure, Night, Provenance
from tests import factories
from tests.coach.archives import hand_in, outcomes
from tests.coach.formats.test_samples import ROOT
from tests.coach.formats.test_samples import pytestmark as samples

pytestmark = [*samples, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def data_folder(settings, tmp_path):
    settings.DATA = tmp_path


def sample(name):
    return (ROOT / "archives" / name).read_bytes()


def json_of(data, ending):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return json.loads(archive.read(next(name for name in archive.namelist() if name.endswith(ending))))


# name: sport, timer s, elapsed s, metres; from MANIFEST, and of what has no file from its row.
STRAVA = {
    "Evening Run": ("running", 2810, 3046, 10_546.9),
    "Morning Ride": ("cycling", 6175, 6181, 48_438.97),
    "Treadmill": ("running", 3097.8, 3763.5, 10_630.37),
    "Pool": ("swimming", 3963.1, 3982.7, 2300),
    "Abendlauf üß": ("running", 1156, 1156, 3691),
    "Spinning": ("cycling", 7204.2, 7204.2, None),
    "Virtual Ride": ("cycling", 2760, 2760, 14_921.2),
    "Gym": ("training", 3600, 3600, None),
    "Manual run": ("running", 1800, 1800, 5000),
}


def test_every_row_of_strava_is_an_activity_with_its_name():
    run = hand_in(factories.athlete(), ("strava.zip", sample("strava_export_a.zip")))
    found = {row.name: row for row in Activity.objects.all()}
    assert found.keys() == STRAVA.keys()
    for name, (sport, timer_s, elapsed_s, distance_m) in STRAVA.items():
        row = found[name]
        assert row.sport == sport, name
        assert row.timer_s == pytest.approx(timer_s, abs=1), name
        assert row.elapsed_s == pytest.approx(elapsed_s, abs=1), name
        assert row.distance_m == (distance_m and pytest.approx(distance_m, rel=0.005)), name
    assert found["Manual run"].started_at.isoformat() == "2022-03-04T06:00:00+00:00"
    assert list(outcomes(run).values()).count("ignored") == 3
    assert "refused" not in outcomes(run).values()


# activity id: metres, timer s, name
GARMIN = {
    "7000000001": (39_023.03, 4689.37, "Test cycling"),
    "7000000002": (1950.0, 2115.63, "Test lap_swimming"),
    "7000000003": (10_496.97, 3389.127, "Test running"),
}


def test_an_account_of_garmin_is_read_whole():
    data = sample("garmin_export_a.zip")
    run = hand_in(factories.athlete(), ("garmin.zip", data))
    files = Provenance.objects.filter(format="fit")
    measured = {row.file.name[-len("7000000001.fit") :][:10]: row.activity for row in files}
    assert measured.keys() == GARMIN.keys()
    for key, (distance_m, timer_s, name) in GARMIN.items():
        assert measured[key].distance_m == pytest.approx(distance_m, rel=0.005)
        assert measured[key].timer_s == pytest.approx(timer_s, abs=1)
        assert measured[key].name == name  # which only the summary says
    assert Activity.objects.count() == 3
    assert list(outcomes(run).values()).count("joined") == 3
    assert "refused" not in outcomes(run).values()


def test_the_nights_of_garmin_are_those_of_its_file():
    data = sample("garmin_export_a.zip")
    hand_in(factories.athlete(), ("garmin.zip", data))
    told = {night["calendarDate"]: night for night in json_of(data, "sleepData.json")}
    found = {night.wake_date.isoformat(): night for night in Night.objects.all()}
    assert found.keys() == told.keys()
    for day, night in found.items():
        for stage in ("deep", "light", "rem", "awake"):
            assert night.stages.get(stage, 0) * 60 == pytest.approx(told[day][f"{stage}SleepSeconds"])
        assert night.start_at.isoformat()[:16] == told[day]["sleepStartTimestampGMT"][:16]


def test_the_values_of_garmin_are_those_of_its_files():
    data = sample("garmin_export_a.zip")
    hand_in(factories.athlete(), ("garmin.zip", data))

    def found(metric):
        return {row.local_date.isoformat(): row.value for row in Measure.objects.filter(metric=metric)}

    days = json_of(data, "UDSFile_2026-08-01_2026-11-09.json")
    rates = {day["calendarDate"]: day["restingHeartRate"] for day in days if day["restingHeartRate"]}
    assert found("resting_heart_rate_bpm") == rates
    weights = {
        row["metaData"]["calendarDate"][:10]: row["weight"]["weight"] for row in json_of(data, "BioMetrics.json")
    }
    assert found("weight_kg") == pytest.approx({day: grams / 1000 for day, grams in weights.items()})
    status = json_of(data, "healthStatusData.json")
    hrv = {day["calendarDate"]: one["value"] for day in status for one in day["metrics"] if one["type"] == "HRV"}
    assert found("hrv_rmssd_ms") == {day: value for day, value in hrv.items() if value and value > 0}
