"""A table is asked about once; what is said of it is remembered, and the table is read again."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from coach import columns, imports
from coach.formats import table
from coach.models import ImportFile, Layout, Measure, Night
from jobs import api, testing
from jobs.models import Job
from tests import factories
from tests.coach.test_imports import gpx

pytestmark = pytest.mark.django_db(transaction=True)

WEIGHTS = b"Datum;Gewicht\n01.03.2026;70,5\n02.03.2026;70,7\n"
MORE = b"Datum;Gewicht\n03.03.2026;70,4\n"


@pytest.fixture(autouse=True)
def data_folder(settings, tmp_path):
    settings.DATA = tmp_path


@pytest.fixture
def ana():
    return factories.athlete()


def hand_in(owner, *files, read=True):
    uploads = [SimpleUploadedFile(name, data) for name, data in files]
    run = imports.receive(factories.source(owner), uploads, by=owner.user)
    if read:
        testing.run_due()
    return run


def say(file, **changed):
    file.refresh_from_db()
    preview = columns.preview(file)
    mapping = table.Mapping.of(preview.mapping.stored() | changed)
    assert mapping.troubles() == []
    columns.say(file, preview, mapping, by=file.run.source.athlete.user)
    testing.run_due()
    file.refresh_from_db()


def values():
    return sorted(Measure.objects.values_list("value", flat=True))


def test_a_table_is_asked_about_and_read_once_it_is_said(ana):
    run = hand_in(ana, ("weights.csv", WEIGHTS), ("ride.gpx", gpx()))
    file = run.files.get(name="weights.csv")
    assert (file.outcome, file.sentence) == ("asked", columns.ASK)
    assert imports.ticket_of(run).status == "partial"
    assert not Measure.objects.exists()
    say(file, weight_unit="kg")
    assert (file.outcome, file.sentence) == ("imported", "2 weights.")
    assert values() == [70.5, 70.7]
    assert imports.ticket_of(run).status == "succeeded"


def test_the_next_table_with_the_same_heads_is_read_without_asking(ana):
    say(hand_in(ana, ("weights.csv", WEIGHTS)).files.get(), weight_unit="lb")
    run = hand_in(ana, ("more.csv", MORE))
    assert run.files.get().outcome == "imported"
    assert values() == [pytest.approx(value * 0.45359237) for value in (70.4, 70.5, 70.7)]
    other = hand_in(ana, ("other.csv", MORE.replace(b"Gewicht", b"Puls")))
    assert other.files.get().outcome == "asked"
    assert hand_in(factories.athlete("ben"), ("more.csv", MORE)).files.get().outcome == "asked"


def test_what_is_remembered_but_does_not_fit_is_asked_about_again(ana):
    slashes = b"Date,Weight kg\n03/04/2026,70\n"
    say(hand_in(ana, ("a.csv", slashes)).files.get(), date_order="dmy")
    run = hand_in(ana, ("b.csv", slashes.replace(b"03/04", b"03/24")))
    assert run.files.get().outcome == "asked"
    assert run.files.get().sentence == f"{columns.NO_FIT} {columns.ASK}"


def test_a_table_is_told_by_row_what_could_not_be_read(ana):
    run = hand_in(ana, ("a.csv", WEIGHTS + b"some day;70\nanother;71\n"))
    say(run.files.get(), weight_unit="kg")
    assert run.files.get().sentence == "2 weights. 2 of 4 rows have no date that can be read; the first is row 4."


def test_when_no_row_can_be_read_it_is_asked_again(ana):
    run = hand_in(ana, ("a.csv", b"Date,Weight kg\n24/03/2026,70\n25/03/2026,71\n"))
    say(run.files.get(), date_order="mdy")
    file = run.files.get()
    assert file.outcome == "asked"
    assert file.sentence == (
        f"{columns.NO_ROW} 2 of 2 rows have no date that can be read; the first is row 2. {columns.ASK}"
    )
    say(file, date_order="dmy")
    assert file.outcome == "imported"


def test_values_outside_of_limits_are_told(ana):
    run = hand_in(ana, ("a.csv", WEIGHTS.replace(b"70,5", b"7050")))
    say(run.files.get(), weight_unit="kg")
    assert run.files.get().sentence == "1 weight. 1 value outside of what a body can have was left out."


def test_what_was_said_can_be_put_right_afterwards(ana):
    run = hand_in(ana, ("weights.csv", WEIGHTS), ("broken.gpx", b"<gpx></gpx>"))
    file = run.files.get(name="weights.csv")
    say(file, weight_unit="lb")
    say(file, weight_unit="kg")
    assert values() == [70.5, 70.7]
    assert file.outcome == "imported"
    assert imports.ticket_of(run).can_retry  # of the other file


def test_it_is_read_even_when_the_import_is_long_forgotten(ana):
    run = hand_in(ana, ("weights.csv", WEIGHTS))
    Job.objects.filter(kind="import").delete()
    say(run.files.get(), weight_unit="kg")
    assert run.files.get().outcome == "imported"


def test_nothing_is_said_while_the_source_is_busy(ana):
    file = hand_in(ana, ("weights.csv", WEIGHTS)).files.get()
    hand_in(ana, ("ride.gpx", gpx()), read=False)
    preview = columns.preview(file)
    with pytest.raises(api.LaneBusy):
        columns.say(file, preview, preview.mapping, by=ana.user)
    assert not Layout.objects.exists()
    assert ImportFile.objects.get(pk=file.pk).mapping == {}


def test_the_same_table_twice_makes_nothing_twice(ana):
    say(hand_in(ana, ("weights.csv", WEIGHTS)).files.get(), weight_unit="kg")
    run = hand_in(ana, ("again.csv", WEIGHTS))
    assert run.files.get().outcome == "duplicate"
    assert values() == [70.5, 70.7]


def test_sleep_makes_nights(ana):
    text = b"date,sleep,bed time,wake time\n2026-03-02,7:10,23:05,06:40\n"
    say(hand_in(ana, ("sleep.csv", text)).files.get())
    night = Night.objects.get()
    assert (night.provider, f"{night.wake_date}", night.asleep_min, night.in_bed_min) == (
        "My table", "2026-03-02", 430, 455,
    )  # fmt: skip


def test_deleting_the_import_takes_its_rows_along(ana):
    run = hand_in(ana, ("weights.csv", WEIGHTS))
    say(run.files.get(), weight_unit="kg")
    run.delete()
    assert not Measure.objects.exists()


@pytest.mark.parametrize("data", [b"<gpx></gpx>", b"hello", b"%PDF-1.4\n1,2\n"])
def test_other_files_have_no_columns(ana, data):
    file = hand_in(ana, ("a.bin", data)).files.get()
    assert columns.preview(file) is None
