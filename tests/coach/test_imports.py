"""Imports: each file says what became of it, nothing is lost, and the same bytes make nothing twice."""

import io
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from coach import imports, originals, reading, recordings
from coach.models import Activity, ImportFile, Provenance
from jobs import api, testing
from jobs.models import Item, Job
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)

POINT = '<trkpt lat="{lat}" lon="13.4"><ele>40</ele><time>2026-05-0{day}T08:{minute:02}:{second:02}Z</time></trkpt>'


def gpx(day: int = 1, points: int = 120) -> bytes:
    """Return a track of a second a point, due north at about eleven kilometres an hour."""
    track = "".join(
        POINT.format(lat=52.5 + number * 0.00003, day=day, minute=number // 60, second=number % 60)
        for number in range(points)
    )
    return f'<gpx xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>{track}</trkseg></trk></gpx>'.encode()


def zipped(**members: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name.replace("__", "/").replace("_gpx", ".gpx"), data)
    return packed.getvalue()


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


def outcomes(run):
    return {file.name: file.outcome for file in run.files.all()}


def test_a_recording_becomes_an_activity_with_its_origin(ana):
    run = hand_in(ana, ("ride.gpx", gpx()))
    activity = Activity.objects.get()
    assert imports.ticket_of(run).status == "succeeded"
    assert (activity.time_zone, str(activity.local_date)) == ("Europe/Berlin", "2026-05-01")
    assert activity.timer_s == pytest.approx(119)
    assert activity.distance_m == pytest.approx(397, rel=0.01)
    origin = Provenance.objects.get()
    assert (origin.format, origin.session, origin.file.name) == ("gpx", 0, "ride.gpx")


def test_bad_files_end_with_a_sentence_and_the_others_are_imported(ana):
    run = hand_in(
        ana,
        ("empty.fit", b""),
        ("page.html", b"<html><body>Not found</body></html>"),
        ("good.gpx", gpx()),
        ("cut.gpx", gpx(day=2)[:-400]),
        ("noise.fit", bytes(range(256)) * 20),
    )
    assert imports.ticket_of(run).status == "partial"
    refused = run.files.filter(outcome=ImportFile.Outcome.REFUSED)
    assert {file.name for file in refused} == {"empty.fit", "page.html", "noise.fit"}
    for file in refused:
        assert file.sentence.endswith(".")
        with imports.original(file) as kept:
            kept.read()
    assert Activity.objects.count() == 2


def test_the_same_bytes_make_nothing_twice(ana):
    hand_in(ana, ("a.gpx", gpx()))
    again = hand_in(ana, ("b.gpx", gpx()), ("b.gpx", gpx()))
    assert set(outcomes(again).values()) == {ImportFile.Outcome.DUPLICATE}
    assert "1 May 2026" in again.files.first().sentence
    assert Activity.objects.count() == 1


def test_another_athlete_may_have_the_same_bytes(ana):
    hand_in(ana, ("a.gpx", gpx()))
    hand_in(factories.athlete("ben"), ("a.gpx", gpx()))
    assert Activity.objects.count() == 2


def test_the_files_of_a_zip_are_files_of_the_import(ana):
    run = hand_in(ana, ("rides.zip", zipped(may__one_gpx=gpx(1), may__two_gpx=gpx(2), readme_txt=b"hello")))
    assert outcomes(run) == {
        "rides.zip": "imported",
        "rides.zip/may/one.gpx": "imported",
        "rides.zip/may/two.gpx": "imported",
        "rides.zip/readme_txt": "refused",
    }
    assert imports.ticket_of(run).status == "partial"
    assert imports.progress(run).done == imports.progress(run).total == 4


def test_an_archive_in_an_archive_is_unpacked_whatever_its_name(ana):
    run = hand_in(ana, ("rides.zip", zipped(inner_gpx=zipped(one_gpx=gpx(1)), two_gpx=gpx(2))))
    assert outcomes(run) == {
        "rides.zip": "imported",
        "rides.zip/inner.gpx/one.gpx": "imported",
        "rides.zip/two.gpx": "imported",
    }


def test_a_zip_bomb_is_refused_and_leaves_nothing(ana, data_folder):
    run = hand_in(ana, ("bomb.zip", zipped(zeros_gpx=b"\0" * 50_000_000)), ("good.gpx", gpx()))
    assert outcomes(run) == {"bomb.zip": "refused", "good.gpx": "imported"}
    kept = sum(file.stat().st_size for file in data_folder.rglob("*") if file.is_file())
    assert kept < 200_000


@pytest.mark.parametrize("name", ["../../escape.gpx", "/etc/escape.gpx", "C:\\escape.gpx", "a/../../escape.gpx"])
def test_a_path_out_of_the_archive_is_refused_and_nothing_is_written(ana, data_folder, name):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("first.gpx", gpx(3))
        archive.writestr(name, gpx())
    run = hand_in(ana, ("tricky.zip", packed.getvalue()))
    assert run.files.get().outcome == "refused"
    assert not list(data_folder.rglob("*escape*"))
    assert not Activity.objects.exists()


def test_a_file_over_the_limit_is_refused_with_a_reason(ana, settings):
    settings.UPLOAD_FILE_BYTES = 1024 * 1024
    run = hand_in(ana, ("huge.fit", b"x" * 1_100_000), ("good.gpx", gpx()))
    assert outcomes(run) == {"huge.fit": "refused", "good.gpx": "imported"}
    assert "larger than 1 MB" in run.files.get(name="huge.fit").sentence
    assert imports.ticket_of(run).status == "partial"


def test_no_files_and_too_many_files_are_refused(ana, settings):
    settings.UPLOAD_FILES = 2
    with pytest.raises(imports.Refused, match="at least one"):
        imports.receive(factories.source(ana), [], by=ana.user)
    with pytest.raises(imports.Refused, match="takes 2"):
        hand_in(ana, *[(f"{number}.gpx", gpx()) for number in range(3)])
    assert not Job.objects.exists()


@pytest.mark.parametrize("name", ["\0nul.gpx", "x" * 400 + ".gpx", "‮exe.gpx", "\n\r.gpx", "<b>.gpx"])
def test_a_strange_name_is_cleaned_and_never_a_path(ana, name):
    run = hand_in(ana, (name, gpx()))
    kept = run.files.get()
    assert kept.outcome == "imported"
    assert kept.name.isprintable()
    assert len(kept.name) <= 300


def test_a_fault_of_ours_in_one_file_leaves_the_others(ana, monkeypatch):
    prepare = recordings.prepare

    def faulty(file, found):
        if file.name == "second.gpx":
            raise RuntimeError("a bug")
        return prepare(file, found)

    monkeypatch.setattr(recordings, "prepare", faulty)
    run = hand_in(ana, ("first.gpx", gpx(1)), ("second.gpx", gpx(2)), ("third.gpx", gpx(3)))
    assert outcomes(run) == {"first.gpx": "imported", "second.gpx": "refused", "third.gpx": "imported"}
    monkeypatch.undo()
    assert imports.progress(run).can_retry
    assert imports.retry(run, ana.user)
    testing.run_due()
    assert set(outcomes(run).values()) == {"imported"}
    assert imports.ticket_of(run).status == "succeeded"
    assert Activity.objects.count() == 3


def test_what_can_never_be_read_is_not_offered_again(ana):
    run = hand_in(ana, ("broken.gpx", b"<gpx></gpx>"))
    assert imports.ticket_of(run).can_retry
    assert not imports.progress(run).can_retry


def test_an_original_that_is_gone_is_told(ana):
    run = hand_in(ana, ("a.gpx", gpx()), read=False)
    originals.path_of(run.files.get().sha256).unlink()
    testing.run_due()
    assert run.files.get().sentence == reading.GONE


def test_a_stopped_import_keeps_what_was_read_and_goes_on_when_asked(ana, monkeypatch):
    prepare, seen = recordings.prepare, []

    def stopping(file, found):
        seen.append(file.name)
        if len(seen) == 2:
            raise api.Stopped("stop")
        return prepare(file, found)

    monkeypatch.setattr(recordings, "prepare", stopping)
    run = hand_in(ana, ("1.gpx", gpx(1)), ("2.gpx", gpx(2)), ("3.gpx", gpx(3)))
    assert imports.ticket_of(run).status == "cancelled"
    assert Activity.objects.count() == 1
    assert Item.objects.filter(status="cancelled").count() == 2
    assert "1 of 3 files were read" in imports.progress(run).rate_sentence
    assert imports.progress(run).can_retry
    assert imports.retry(run, ana.user)
    testing.run_due()
    assert Activity.objects.count() == 3
    assert seen == ["1.gpx", "2.gpx", "2.gpx", "3.gpx"]


def test_two_imports_of_a_source_run_one_after_the_other(ana):
    first = hand_in(ana, ("a.gpx", gpx(1)), read=False)
    second = hand_in(ana, ("b.gpx", gpx(2)), read=False)
    assert imports.ticket_of(first).status == "ready"
    assert imports.ticket_of(second).status == "waiting"


def test_an_original_downloads_byte_for_byte(ana):
    run = hand_in(ana, ("a.gpx", gpx()))
    with imports.original(run.files.get()) as kept:
        assert kept.read() == gpx()
