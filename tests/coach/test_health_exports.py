"""An Apple Health export comes in as an athlete hands it in: days, nights, workouts with their routes."""

import io
import zipfile
from datetime import UTC, datetime, timedelta, timezone

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from coach import health_exports, imports, preferred, undo, wellness
from coach.formats import apple
from coach.models import Activity, DayCurve, ImportFile, Measure, Night, Provenance
from jobs import api, testing
from tests import factories
from tests.traps import apple_xml as made

pytestmark = pytest.mark.django_db(transaction=True)

WINTER = timezone(timedelta(hours=1))
MORNING = datetime(2026, 3, 3, 6, 40, tzinfo=WINTER)


@pytest.fixture(autouse=True)
def data_folder(settings, tmp_path):
    settings.DATA = tmp_path
    return tmp_path


@pytest.fixture
def ana():
    return factories.athlete()


def hand_in(owner, *files, read=True):
    uploads = [SimpleUploadedFile(name, data) for name, data in files]
    run = imports.receive(factories.source(owner), uploads, by=owner.user)
    if read:
        testing.run_due()
    return run


def days(number):
    return [MORNING + timedelta(days=day) for day in range(number)]


def weeks_of(number):
    """Return records of so many days: a weight, two heart rates, steps by two sources and a night each."""
    return "".join(
        made.weight(day, 70 + number % 7 / 10, source="Scale")
        + made.heart(day, 60)
        + made.heart(day + timedelta(hours=3), 80)
        + made.quantity("StepCount", day, 100, "count", source=made.PHONE)
        + made.quantity("StepCount", day, 300, "count")
        + made.slept(day - timedelta(hours=8), 240, "AsleepCore")
        + made.slept(day - timedelta(hours=4), 230, "AsleepREM")
        for number, day in enumerate(days(number))
    )


def test_days_and_nights_are_stored_and_said(ana):
    run = hand_in(ana, ("export.zip", made.export(made.xml(weeks_of(10)))))
    file = run.files.get()
    assert file.outcome == "imported"
    assert file.sentence == "10 nights, 10 days of heart rate, 20 days of steps and 10 weights."
    assert [row.value for row in preferred.measures(ana, "steps")] == [300] * 10
    assert {row.asleep_min for row in preferred.nights(ana)} == {470}
    assert Measure.objects.filter(metric="heart_rate_bpm", value=70, samples=2).count() == 10
    assert imports.ticket_of(run).status == "succeeded"


def test_the_bare_xml_is_read_as_well(ana):
    run = hand_in(ana, ("export.xml", made.xml(weeks_of(2))))
    assert run.files.get().outcome == "imported"
    assert Night.objects.count() == 2


def test_a_workout_and_its_route_are_one_activity(ana):
    start = datetime(2026, 3, 3, 18, 0, tzinfo=WINTER)
    document = made.xml(
        made.workout(
            "Running",
            start,
            9,
            made.metadata("HKIndoorWorkout", "0"),
            made.statistic("DistanceWalkingRunning", "mi", sum=1.25),
            made.statistic("HeartRate", "count/min", average=151.2, maximum=178),
            made.route("route_1.gpx"),
            elapsed=12,
        )
    )
    run = hand_in(ana, ("export.zip", made.export(document, route_1=made.gpx(start, seconds=720))))
    activity = Activity.objects.get()
    assert (activity.sport, activity.time_zone) == ("running", "Europe/Berlin")
    assert {origin.format for origin in Provenance.objects.all()} == {"gpx", "row"}
    assert [file.name for file in run.files.all()][1:] == [
        "export.zip/workout-routes/route_1.gpx",
        "export.zip/workout of 2026-03-03 18:00, running",
    ]
    assert run.files.first().sentence == "1 workout and 1 route, each listed here."


def test_a_route_in_pieces_is_one_recording(ana):
    start = datetime(2026, 3, 3, 18, 0, tzinfo=WINTER)
    document = made.xml(made.workout("Running", start, 20, made.route("b.gpx", "a.gpx")))
    later = start + timedelta(minutes=10)
    packed = made.export(document, a=made.gpx(later, latitude=52.6), b=made.gpx(start))
    hand_in(ana, ("export.zip", packed))
    origin = Provenance.objects.get(format="gpx")
    assert origin.file.name == "export.zip/workout-routes/b.gpx and 1 more"
    assert origin.activity.elapsed_s == pytest.approx(1199, abs=2)


def test_a_route_without_its_workout_is_a_recording_by_itself(ana):
    document = made.xml(weeks_of(1))
    run = hand_in(ana, ("export.zip", made.export(document, lost=made.gpx(MORNING))))
    assert [origin.format for origin in Provenance.objects.all()] == ["gpx"]
    assert run.files.first().sentence.endswith("1 route, listed here.")


def test_the_same_export_makes_nothing_twice_and_a_newer_one_counts(ana):
    packed = made.export(made.xml(weeks_of(5)))
    hand_in(ana, ("export.zip", packed))
    again = hand_in(ana, ("export.zip", packed))
    assert again.files.get().outcome == "duplicate"
    assert Night.objects.count() == 5
    hand_in(ana, ("export.zip", made.export(made.xml(weeks_of(6)))))
    assert preferred.nights(ana).count() == 6


def test_undoing_one_of_two_equal_exports_loses_nothing(ana):
    start = datetime(2026, 3, 3, 18, 0, tzinfo=WINTER)
    document = made.xml(weeks_of(3), made.workout("Running", start, 10, made.route("a.gpx")))
    packed = made.export(document, a=made.gpx(start))
    first, second = hand_in(ana, ("export.zip", packed)), hand_in(ana, ("again.zip", packed))
    assert {file.name: file.outcome for file in second.files.all()} == {
        "again.zip": "duplicate",
        "again.zip/workout-routes/a.gpx": "duplicate",
        "again.zip/workout of 2026-03-03 18:00, running": "duplicate",
    }
    undo.ask(first, ana.user)
    testing.run_due()
    assert Activity.objects.get().sport == "running"
    assert preferred.nights(ana).count() == 3
    undo.ask(second, ana.user)
    testing.run_due()
    assert not Activity.objects.exists()
    assert not Night.objects.exists()


@pytest.mark.parametrize("part_bytes", [1, 2000, 100_000])
def test_in_parts_of_any_size_the_same_is_stored(ana, monkeypatch, part_bytes):
    monkeypatch.setattr(apple.package, "CHUNK_BYTES", 997)
    whole = apple.steps
    monkeypatch.setattr(apple, "steps", lambda chunks, state: whole(chunks, state=state, part_bytes=part_bytes))
    run = hand_in(ana, ("export.zip", made.export(made.xml(weeks_of(10)))))
    assert run.files.get().sentence == "10 nights, 10 days of heart rate, 20 days of steps and 10 weights."
    assert {row.asleep_min for row in Night.objects.all()} == {470}
    assert set(Measure.objects.filter(metric="steps").values_list("value", flat=True)) == {100, 300}
    assert set(Measure.objects.filter(metric="heart_rate_bpm").values_list("value", "samples")) == {(70, 2)}
    assert DayCurve.objects.count() == 10


@pytest.mark.parametrize("saves", [1, 2, 5, 9])
def test_cut_short_and_asked_for_again_it_goes_on_where_it_was(ana, monkeypatch, saves):
    monkeypatch.setattr(apple.package, "CHUNK_BYTES", 997)
    whole, add, made_saves = apple.steps, wellness.add, []
    monkeypatch.setattr(apple, "steps", lambda chunks, state: whole(chunks, state=state, part_bytes=2000))

    def stopping(file, contents):
        made_saves.append(file.state.get("offset", 0))
        if len(made_saves) == saves:
            raise api.Stopped("stop")
        return add(file, contents)

    monkeypatch.setattr(wellness, "add", stopping)
    run = hand_in(ana, ("export.zip", made.export(made.xml(weeks_of(10)))))
    assert imports.ticket_of(run).status == "cancelled"
    before = ImportFile.objects.get().state.get("offset", 0)
    assert imports.retry(run, ana.user)
    testing.run_due()
    assert made_saves[saves] == before
    assert run.files.get().sentence == "10 nights, 10 days of heart rate, 20 days of steps and 10 weights."
    assert set(Measure.objects.filter(metric="steps").values_list("value", flat=True)) == {100, 300}
    assert set(Measure.objects.filter(metric="heart_rate_bpm").values_list("value", "samples")) == {(70, 2)}


def test_an_export_beside_recordings_is_an_archive_like_any_other(ana):
    packed = made.export(made.xml(weeks_of(2)))
    mixed = zip_with(packed, "rides/one.gpx.gz", b"no recording")
    run = hand_in(ana, ("all.zip", mixed))
    assert {file.name: file.outcome for file in run.files.all()} == {
        "all.zip": "imported",
        "all.zip/apple_health_export/export.xml": "imported",
        "all.zip/apple_health_export/export_cda.xml": "refused",
        "all.zip/rides/one.gpx.gz": "refused",
    }
    assert Night.objects.count() == 2


def test_an_archive_whose_export_is_another_document_is_an_archive(ana):
    run = hand_in(ana, ("other.zip", made.export(b"<other/>", route=made.gpx(MORNING))))
    assert run.files.get(name__endswith="route.gpx").outcome == "imported"


def zip_with(packed, name, data):
    file = io.BytesIO(packed)
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr(name, data)
    return file.getvalue()


def test_a_stop_is_met_between_two_pieces(ana, monkeypatch):
    monkeypatch.setattr(apple.package, "CHUNK_BYTES", 997)
    checked = []

    def check(run):
        checked.append(run)
        if len(checked) == 3:
            raise api.Stopped("stop")

    monkeypatch.setattr(api.Run, "check", check)
    run = hand_in(ana, ("export.zip", made.export(made.xml(weeks_of(10)))))
    assert imports.ticket_of(run).status == "cancelled"
    assert not Measure.objects.exists()


def test_progress_is_told_in_bytes_and_per_cent(ana, monkeypatch):
    told = []
    monkeypatch.setattr(apple.package, "CHUNK_BYTES", 997)
    monkeypatch.setattr(api.Run, "progress", lambda run, done, total, note="": told.append((done, total, note)))
    document = made.xml(weeks_of(10))
    hand_in(ana, ("export.zip", made.export(document)))
    of_bytes = [row for row in told if row[1] == len(document)]
    assert of_bytes[0] == (0, len(document), "Reading your Apple Health export: 0 %")
    assert [row[0] for row in of_bytes] == sorted(row[0] for row in of_bytes)
    assert len(of_bytes) >= len(document) // 997


def test_a_fault_of_ours_ends_this_file_alone(ana, monkeypatch):
    monkeypatch.setattr(health_exports, "_save", lambda *_: 1 / 0)
    run = hand_in(ana, ("export.zip", made.export(made.xml(weeks_of(1)))), ("a.gpx", made.gpx(MORNING)))
    assert {file.name: file.outcome for file in run.files.all()} == {"export.zip": "refused", "a.gpx": "imported"}
    monkeypatch.undo()


def test_deleting_the_import_takes_its_days_along(ana):
    run = hand_in(ana, ("export.zip", made.export(made.xml(weeks_of(3)))))
    run.delete()
    assert not Measure.objects.exists()
    assert not Night.objects.exists()
    assert not DayCurve.objects.exists()


def test_an_export_with_nothing_to_keep_says_so(ana):
    run = hand_in(ana, ("export.zip", made.export(made.xml())))
    assert run.files.get().sentence == health_exports.NOTHING
    assert MORNING.astimezone(UTC)
