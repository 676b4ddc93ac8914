"""The real Apple Health exports and tables, handed in as an athlete does, against what is known of them."""

import json
from collections import Counter

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from coach import imports, preferred
from coach.models import Activity, DayCurve, Measure, Night
from jobs import testing
from tests import factories
from tests.coach.formats.test_samples import ROOT
from tests.coach.formats.test_samples import pytestmark as samples

pytestmark = [*samples, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def data_folder(settings, tmp_path):
    settings.DATA = tmp_path


@pytest.fixture
def ana():
    return factories.athlete()


def hand_in(owner, path):
    upload = SimpleUploadedFile(path.rpartition("/")[2], (ROOT / path).read_bytes())
    run = imports.receive(factories.source(owner), [upload], by=owner.user)
    testing.run_due()
    return run


def measured(owner, metric, provider):
    """Return the values of each local day."""
    found = {}
    for row in Measure.objects.filter(athlete=owner, metric=metric, provider=provider):
        found.setdefault(f"{row.local_date}", []).append(row.value)
    return found


def test_the_days_of_export_b_are_those_that_are_known(ana):
    run = hand_in(ana, "archives/apple_health_export_b.zip")
    known = json.loads((ROOT / "archives/apple_health_export_b.expected.json").read_text())
    slept = {f"{night.wake_date}": night for night in Night.objects.filter(provider="Apple Watch")}
    hearts, hrv = measured(ana, "resting_heart_rate_bpm", "Apple Watch"), measured(ana, "hrv_sdnn_ms", "Apple Watch")
    steps, weights = measured(ana, "steps", "Apple Watch"), measured(ana, "weight_kg", "Scale")
    wrong = []
    for day, said in known.items():
        if said.get("missing"):
            wrong += [f"{day}: a night that nobody slept"] * (day in slept)
            continue
        night = slept[day]
        found = {
            "asleep_min": night.asleep_min,
            "awake_min": night.stages.get("awake"),
            "resting_hr_bpm": hearts[day][0],
            "hrv_sdnn_mean_ms": sum(hrv[day]) / len(hrv[day]),
            "steps_watch": steps[day][0],
            "weight_kg": weights.get(day, [None])[0],
        }
        wrong += [
            f"{day}: {name} {found[name]}, not {said.get(name)}"
            for name in found
            if found[name] != pytest.approx(said.get(name), abs=0.006)
        ]
    assert not wrong, "\n".join(wrong)
    assert run.files.first().sentence == (
        "160 nights, 213 HRV values, 71 resting heart rates, 142 days of steps and 23 weights."
        " 15 workouts, each listed here."
    )


def test_the_workouts_of_export_b_are_those_that_are_known(ana):
    hand_in(ana, "archives/apple_health_export_b.zip")
    known = json.loads((ROOT / "archives/apple_health_export_b.expected.json").read_text())
    made = {f"{activity.local_date}": activity for activity in Activity.objects.all()}
    workouts = {day: said["workout"] for day, said in known.items() if "workout" in said}
    assert made.keys() == workouts.keys()
    for day, said in workouts.items():
        activity = made[day]
        assert activity.distance_m == pytest.approx(said["km"] * 1000, rel=0.005)
        assert activity.timer_s == pytest.approx(said["timer_min"] * 60, abs=1)
        assert activity.elapsed_s == pytest.approx(said["elapsed_min"] * 60, abs=1)
        assert activity.energy_kcal == pytest.approx(said["kcal"])
        assert activity.heart_rate_avg_bpm == pytest.approx(151.2, abs=0.5)


def test_the_sources_of_export_b_are_not_mixed(ana):
    hand_in(ana, "archives/apple_health_export_b.zip")
    assert {night.provider for night in preferred.nights(ana)} == {"Apple Watch"}
    assert {row.provider for row in preferred.measures(ana, "steps")} == {"Apple Watch"}
    assert {row.metric for row in preferred.hrv(ana)} == {"hrv_sdnn_ms"}


def test_export_a_has_its_workouts_routes_weights_and_heart_rates(ana):
    run = hand_in(ana, "archives/apple_health_export_a.zip")
    counted = Counter(Measure.objects.values_list("metric", "provider"))
    assert counted == {
        ("weight_kg", "MyFitnessPal"): 11,
        ("weight_kg", "FITIV Run"): 1,
        ("resting_heart_rate_bpm", "Apple Watch"): 3,
        ("vo2max_ml_kg_min", "Apple Watch"): 10,
        ("heart_rate_bpm", "Apple Watch"): 1,
    }
    assert DayCurve.objects.get().local_date.isoformat() == "2022-01-17"
    assert run.files.first().sentence.endswith("7 workouts and 19 routes, each listed here.")
    assert run.files.exclude(outcome__in=["imported", "joined"]).count() == 0


def test_a_workout_of_export_a_and_its_route_are_one_activity(ana):
    hand_in(ana, "archives/apple_health_export_a.zip")
    assert Activity.objects.count() == 7
    run = Activity.objects.get(local_date="2025-09-26")
    assert {origin.format for origin in run.provenance.all()} == {"gpx", "row"}
    assert (run.sport, run.distance_m) == ("running", pytest.approx(5963, rel=0.03))


def test_an_export_of_older_phones(ana):
    run = hand_in(ana, "apple/tdda__export6s3sample.xml")
    assert set(run.files.values_list("outcome", flat=True)) == {"imported"}
    assert run.files.first().sentence == "1 day of steps. 1 workout, listed here."


@pytest.mark.parametrize(
    "name", ["fitparse__compressed-speed-distance-records.csv", "fitparse__garmin-fenix-5-run-records.csv"]
)
def test_a_table_of_samples_is_refused_politely(ana, name):
    run = hand_in(ana, f"csv/{name}")
    assert run.files.get().outcome == "refused"
    assert "FIT, TCX or GPX" in run.files.get().sentence
