"""Archives: exports of Strava and Garmin, zips in zips, and what is made to break us."""

import json

import pytest

from coach import formats, imports, reading, shelf, special, unpacking
from coach.formats import archive
from coach.models import Activity, ImportFile, Measure, Night
from jobs import api, testing
from jobs.models import Job
from tests import factories
from tests.coach.archives import USER, garmin, gpx, gz, hand_in, outcomes, strava, summary
from tests.traps import fit_bytes, zip_bytes
from tests.traps import strava_csv as csv

pytestmark = pytest.mark.django_db(transaction=True)
Outcome = ImportFile.Outcome


@pytest.fixture(autouse=True)
def data_folder(settings, tmp_path):
    settings.DATA = tmp_path
    return tmp_path


@pytest.fixture
def ana():
    return factories.athlete()


# Strava


def test_the_rows_of_strava_name_its_files_and_stand_for_those_that_never_were(ana):
    rows = [
        {"name": "Named", "file": "activities/1.gpx.gz", "type": "Run"},
        {"name": "Typed in", "date": "Mar 4, 2022, 6:00:00 AM", "type": "E-Bike Ride"},
        {"name": "Lost", "file": "activities/3.fit.gz", "date": "Mar 5, 2022, 6:00:00 AM"},
        {"name": "When", "date": "never"},
    ]
    run = hand_in(ana, ("export.zip", strava(*rows, _1_gpx_gz=gz(gpx(1)), _9_gpx=gpx(9))))
    assert outcomes(run) == {
        "export.zip": "imported",
        "export.zip/activities.csv": "imported",
        "export.zip/activities/1.gpx.gz": "imported",
        "export.zip/activities/9.gpx": "imported",
        "export.zip/profile.csv": "ignored",
        "export.zip/activities.csv, row 3": "imported",
        "export.zip/activities.csv, row 4": "imported",
        "export.zip/activities.csv, row 5": "refused",
    }
    made = {activity.name: activity for activity in Activity.objects.all()}
    assert set(made) == {"Named", "", "Typed in", "Lost"}
    assert made["Named"].sport == "running"
    assert (made["Typed in"].sport, made["Typed in"].timer_s, made["Typed in"].distance_m) == (
        "e_biking",
        3600,
        30_000.5,
    )
    assert run.files.get(name__endswith="row 4").sentence.endswith(unpacking.NO_FILE)
    assert {file.parent.name for file in run.files.exclude(parent=None)} == {"export.zip"}


def test_the_row_of_a_broken_file_is_read_in_its_place_and_once_only(ana):
    rows = [{"name": "Broken", "file": "activities/1.fit.gz"}, {"name": "Whole", "file": "activities/2.gpx"}]
    run = hand_in(ana, ("export.zip", strava(*rows, _1_fit_gz=gz(b"noise" * 500), _2_gpx=gpx(2))))
    broken = run.files.get(name="export.zip/activities/1.fit.gz")
    assert broken.outcome == Outcome.REFUSED
    assert broken.sentence.endswith(reading.STANDS_IN)
    assert run.files.get(name="export.zip/activities.csv, row 2").outcome == Outcome.IMPORTED
    assert set(Activity.objects.values_list("name", flat=True)) == {"Broken", "Whole"}
    assert imports.retry(run, ana.user)
    testing.run_due()
    assert Activity.objects.count() == 2
    assert run.files.filter(name__contains="row").count() == 1


def test_a_damaged_member_of_a_zip_is_told_and_its_row_is_read(ana):
    data = bytearray(strava({"name": "Damaged", "file": "activities/1.gpx"}, _1_gpx=gpx(1)))
    at = data.find(b"activities/1.gpx") + len("activities/1.gpx") + 20
    data[at] ^= 0xFF
    run = hand_in(ana, ("export.zip", bytes(data)))
    assert run.files.get(name="export.zip/activities/1.gpx").sentence == archive.DAMAGED_INSIDE
    assert Activity.objects.get().name == "Damaged"


def test_a_table_in_an_unknown_shape_is_told_and_the_files_are_read(ana):
    data = zip_bytes.packed({"activities.csv": b"nuq,Dochvam\n1,2\n", "activities/1.gpx": gpx(1)})
    run = hand_in(ana, ("export.zip", data))
    assert outcomes(run)["export.zip/activities.csv"] == "refused"
    assert "Set Strava to English" in run.files.get(name__endswith="csv").sentence
    assert Activity.objects.count() == 1


def test_a_table_alone_is_read_row_by_row(ana):
    run = hand_in(ana, ("activities.csv", csv.table({}, {"date": "Sep 6, 2021, 10:47:21 AM"}, {"date": "?"})))
    assert outcomes(run) == {
        "activities.csv": "imported",
        "activities.csv/row 2": "imported",
        "activities.csv/row 3": "imported",
        "activities.csv/row 4": "refused",
    }
    assert Activity.objects.count() == 2


def test_the_same_export_once_more_makes_nothing_and_follows_nothing(ana):
    data = strava({"file": "activities/1.gpx"}, {"name": "Typed in", "date": "Mar 4, 2022, 6:00:00 AM"}, _1_gpx=gpx(1))
    hand_in(ana, ("export.zip", data))
    Job.objects.all().delete()
    run = hand_in(ana, ("again.zip", data))
    assert (
        outcomes(run)["again.zip/activities/1.gpx"] == outcomes(run)["again.zip/activities.csv, row 3"] == "duplicate"
    )
    assert Activity.objects.count() == 2
    assert set(Job.objects.values_list("kind", flat=True)) == {"import"}


def test_bytes_that_are_there_are_not_decoded_to_say_so(ana, monkeypatch):
    data = zip_bytes.packed({"1.gpx": gpx(1), "2.gpx": gpx(2)})
    hand_in(ana, ("all.zip", data))
    monkeypatch.setattr(formats, "contents", None)
    run = hand_in(ana, ("again.zip", data))
    assert set(outcomes(run).values()) == {"imported", "duplicate"}


# Garmin

NIGHT = {
    "calendarDate": "2026-08-01",
    "sleepStartTimestampGMT": "2026-07-31T22:55:00.0",
    "sleepEndTimestampGMT": "2026-08-01T07:05:00.0",
    "lightSleepSeconds": 15060,
}


def test_an_account_of_garmin_gives_recordings_summaries_nights_and_values(ana):
    data = garmin(
        summary(1),
        summary(2, parent=True),
        uploaded={"a_1.gpx": gpx(1), "a_2.fit": b"noise" * 100},
        sleepData=json.dumps([NIGHT]).encode(),
        healthStatusData=json.dumps(
            [{"calendarDate": "2026-08-01", "metrics": [{"type": "HRV", "value": 59.0, "baselineLowerLimit": -1}]}]
        ).encode(),
        userBioMetrics=json.dumps(
            [{"metaData": {"calendarDate": "2026-08-01T06:30:00.0"}, "weight": {"weight": 71_986.3}}]
        ).encode(),
        HydrationLogFile=b"[{}]",
    )
    run = hand_in(ana, ("garmin.zip", data))
    ends = {name.rpartition("/")[2]: outcome for name, outcome in outcomes(run).items()}
    assert ends == {
        "garmin.zip": "imported",
        "a_0_summarizedActivities.json": "imported",
        "activity 1": "imported",
        "activity 2": "ignored",
        "a_1.gpx": "imported",
        "a_2.fit": "refused",
        "2026_sleepData.json": "imported",
        "2026_healthStatusData.json": "imported",
        "2026_userBioMetrics.json": "imported",
        "2026_HydrationLogFile.json": "ignored",
        "readme.json": "ignored",
    }
    assert Night.objects.get().asleep_min == 251
    assert dict(Measure.objects.values_list("metric", "value")) == {"hrv_rmssd_ms": 59, "weight_kg": 71.9863}
    assert Activity.objects.get(name="Summary 1").distance_m == 2000
    assert run.files.get(name__endswith="sleepData.json").sentence == "1 night."


def test_the_same_days_once_more_are_told(ana):
    hand_in(ana, ("sleep.json", json.dumps([NIGHT]).encode()))
    run = hand_in(ana, ("sleep.json", json.dumps([NIGHT]).encode()))
    assert outcomes(run) == {"sleep.json": "duplicate"}
    assert Night.objects.count() == 1


def test_files_of_the_watch_without_training_are_no_failure_in_an_archive_but_told_alone(ana):
    settings_file = fit_bytes.begin(kind=fit_bytes.SETTINGS).bytes()
    run = hand_in(ana, ("garmin.zip", garmin(uploaded={"a_1.gpx": gpx(1), "a_2.fit": settings_file})))
    assert [outcome for name, outcome in outcomes(run).items() if name.endswith("a_2.fit")] == ["ignored"]
    assert imports.ticket_of(run).status == "succeeded"
    assert outcomes(hand_in(ana, ("settings.fit", settings_file))) == {"settings.fit": "refused"}


# Archives in archives


def test_a_folder_of_archives_of_recordings_is_read(ana, data_folder):
    deep = zip_bytes.packed({"c.gpx": gpx(3)})
    middle = zip_bytes.packed({"b.gpx": gpx(2), "deep.zip": deep})
    run = hand_in(ana, ("all.zip", zip_bytes.packed({"2026/a.gpx": gpx(1), "2025/middle.zip": middle})))
    assert outcomes(run) == {
        "all.zip": "imported",
        "all.zip/2026/a.gpx": "imported",
        "all.zip/2025/middle.zip/b.gpx": "imported",
        "all.zip/2025/middle.zip/deep.zip/c.gpx": "imported",
    }
    assert len([path for path in data_folder.rglob("*") if path.is_file()]) == 4  # archives inside are not kept


def test_an_archive_inside_too_many_others_is_refused_and_the_rest_is_read(ana):
    data = gpx(9)
    for depth in range(5):
        data = zip_bytes.packed({f"{depth}.gpx": gpx(depth), f"{depth}.zip": data})
    run = hand_in(ana, ("all.zip", data))
    assert Activity.objects.count() == 3
    assert [file.sentence for file in run.files.filter(outcome=Outcome.REFUSED)] == [unpacking.DEEP]


def test_an_export_inside_an_archive_is_read_as_what_it_is(ana):
    inner = strava({"name": "Named", "file": "activities/1.gpx"}, _1_gpx=gpx(1))
    run = hand_in(ana, ("all.zip", zip_bytes.packed({"export.zip": inner, "b.gpx": gpx(2)})))
    assert "all.zip/export.zip/activities.csv" in outcomes(run)
    assert set(Activity.objects.values_list("name", flat=True)) == {"Named", ""}


def test_exports_inside_exports_end_somewhere(ana):
    data = gpx(9)
    for depth in range(6):
        data = zip_bytes.packed(
            {"activities.csv": csv.table(), f"activities/{depth}.zip": data, f"{depth}.gpx": gpx(depth)}
        )
    hand_in(ana, ("all.zip", data))
    assert Activity.objects.count() == 3


def test_what_opens_an_archive_is_decided_in_one_place():
    assert special.of(["x/Activities.CSV", "x/activities/1.gpx"]).name == "strava"
    assert special.of([f"{USER}/a.json"]).name == "garmin"
    assert special.of(["a.gpx"]) is None


# Stopping and starting again


def test_an_archive_that_is_stopped_while_it_is_unpacked_leaves_nothing_and_goes_on_when_asked(
    ana, data_folder, monkeypatch
):
    keep, seen = shelf.Shelf.keep, []

    def stopping(self, name, chunks, **more):
        seen.append(name)
        if len(seen) == 3:
            raise api.Stopped("stop")
        return keep(self, name, chunks, **more)

    monkeypatch.setattr(shelf.Shelf, "keep", stopping)
    data = zip_bytes.packed({f"{number}.gpx": gpx(number) for number in range(5)})
    run = hand_in(ana, ("all.zip", data))
    assert outcomes(run) == {"all.zip": "waiting"}
    assert len([path for path in data_folder.rglob("*") if path.is_file()]) == 1
    assert imports.retry(run, ana.user)
    testing.run_due()
    assert Activity.objects.count() == 5
    assert imports.ticket_of(run).status == "succeeded"


def test_an_import_of_many_files_asks_little_of_the_database_for_each(ana, django_assert_max_num_queries):
    few, many = (zip_bytes.packed({f"{n}.gpx": gpx(n) for n in range(start, end)}) for start, end in ((0, 2), (20, 42)))
    hand_in(ana, ("first.zip", few))
    counts = []
    for name, data in (("few.zip", few), ("many.zip", many)):
        hand_in(ana, (name, data), read=False)
        with django_assert_max_num_queries(2000) as asked:
            testing.run_due(most=1)
        counts.append(len(asked))
        testing.run_due()
    # Eight of them are the queue's and the file's own; the others match the recording with those that are there.
    assert (counts[1] - counts[0]) / 20 <= 27


def test_an_archive_of_files_that_are_there_counts_them_and_not_itself(ana):
    hand_in(ana, ("1.gpx", gpx(1)), ("2.gpx", gpx(2)))
    run = hand_in(ana, ("all.zip", zip_bytes.packed({"1.gpx": gpx(1), "2.gpx": gpx(2)})))
    assert imports.progress(run).counts == {"unpacked": 1, "duplicate": 2}
