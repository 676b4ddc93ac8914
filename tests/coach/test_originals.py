"""The bytes that were handed in: none is deleted that somebody needs, and none stays that nobody does."""

import json
import os
import threading
import time

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, transaction

from coach import arriving, imports, originals, schedules, undo
from coach.models import ImportFile, ImportRun, Measure, Night, Source
from jobs import api, testing
from tests import factories
from tests.coach.outings import gpx, hand_in, later, work
from tests.coach.test_columns import say
from tests.coach.test_health_exports import MORNING
from tests.traps import apple_xml

pytestmark = pytest.mark.django_db(transaction=True)
WAITS = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"


@pytest.fixture(autouse=True)
def data_folder(settings, tmp_path):
    settings.DATA = tmp_path
    return tmp_path


@pytest.fixture
def ana():
    return factories.athlete()


def until_it_waits(over):
    """Wait until somebody waits for a lock of ours, or until it is over all the same."""
    with connection.cursor() as cursor:
        for _ in range(500):
            cursor.execute(WAITS)
            if cursor.fetchone()[0] or over():
                return
            time.sleep(0.01)


def elsewhere(do):
    """Do it in another thread, with a connection of its own, to the end."""
    caught = []

    def guarded():
        try:
            do()
        except BaseException as error:
            caught.append(error)
        finally:
            connection.close()

    thread = threading.Thread(target=guarded)
    thread.start()
    thread.join(30)
    assert not thread.is_alive()
    assert caught == []


def begin(owner, data):
    """Keep the bytes of a file, as a request does, and return what then makes an import of it."""
    kept = imports.keep_all([arriving.posted(SimpleUploadedFile("ride.gpx", data))])
    return lambda: imports.begin(factories.source(owner, "Phone"), kept, by=None, way=ImportRun.Way.PAGE)


def test_bytes_that_come_in_while_the_same_are_undone_are_kept(ana):
    run = hand_in(ana, ("ride.gpx", gpx()))
    then = begin(ana, gpx())
    elsewhere(lambda: (undo.ask(run, ana.user), work()))
    then()
    work()
    assert ImportFile.objects.get().outcome == ImportFile.Outcome.IMPORTED


def test_bytes_that_came_in_pieces_while_the_same_are_undone_are_kept(ana, data_folder):
    run = hand_in(ana, ("ride.gpx", gpx()))
    (data_folder / "piece").write_bytes(gpx())
    sha256, _ = originals.adopt(data_folder / "piece")
    elsewhere(lambda: (undo.ask(run, ana.user), work()))
    assert originals.path_of(sha256).read_bytes() == gpx()


def test_one_claim_outlives_the_end_of_another(data_folder):
    (sha256, _), _ = originals.keep([b"ride"]), elsewhere(lambda: originals.keep([b"ride"]))
    originals.forget(sha256)
    assert originals.path_of(sha256).exists()


def test_what_is_imported_leaves_no_claim(ana, data_folder):
    hand_in(ana, ("ride.gpx", gpx()))
    assert list(originals.claims().iterdir()) == []


def test_what_a_killed_process_kept_goes_with_the_next_sweep(ana, data_folder):
    hand_in(ana, ("ride.gpx", gpx()))
    elsewhere(lambda: originals.keep([b"whose import never was"]))
    long_ago = time.time() - 3 * 86_400
    for claim in originals.claims().iterdir():
        os.utime(claim, (long_ago, long_ago))
    schedules.sweep()
    testing.run_due()
    assert [path.read_bytes() for path in data_folder.rglob("*") if path.is_file()] == [gpx()]


def test_what_somebody_is_about_to_import_outlives_the_sweep(ana):
    then = begin(ana, gpx())
    elsewhere(lambda: (schedules.sweep(), testing.run_due()))
    assert then().files.get().sha256
    work()
    assert ImportFile.objects.get().outcome == ImportFile.Outcome.IMPORTED


def test_files_for_a_source_that_was_taken_back_meanwhile_make_it_anew(ana):
    source = factories.source(ana, "Phone")
    Source.objects.filter(pk=source.pk).delete()
    run = imports.receive(source, [SimpleUploadedFile("ride.gpx", gpx())], by=ana.user)
    assert run.source.name == "Phone"
    work()
    assert ImportFile.objects.get().outcome == "imported"


def test_a_source_to_which_files_come_at_the_end_of_its_undoing_stays(ana):
    source = hand_in(ana, ("ride.gpx", gpx()), source="Phone").source
    ticket = undo.ask(source, ana.user)
    then = begin(ana, gpx(later(86_400)))
    thread = threading.Thread(target=lambda: (work(), connection.close()))
    with transaction.atomic():
        run = then()
        thread.start()
        until_it_waits(lambda: not api.ticket_of(ticket.id).is_active)
    thread.join(30)
    work()
    assert api.ticket_of(ticket.id).status == "succeeded"
    assert list(ImportRun.objects.all()) == [run]


NIGHT = {
    "calendarDate": "2026-08-01",
    "sleepStartTimestampGMT": "2026-07-31T22:55:00.0",
    "sleepEndTimestampGMT": "2026-08-01T07:05:00.0",
    "lightSleepSeconds": 15060,
}
DAYS = {
    "2026_sleepData.json": json.dumps([NIGHT]).encode(),
    "export.xml": apple_xml.xml(apple_xml.weight(MORNING, 70)),
    "weights.csv": b"Date;Weight kg\n2026-03-01;70.5\n",
}


@pytest.mark.parametrize("name", DAYS)
def test_days_that_come_in_while_the_same_are_undone_are_read_after_all(ana, name):
    first = hand_in(ana, (name, DAYS[name])).files.get()
    if name.endswith(".csv"):
        say(first)
    second = hand_in(ana, (name, DAYS[name]), source="Phone", read=False).files.get()
    taken_out = threading.Event()

    def take_out():
        with transaction.atomic():
            undo._take_out(first.pk, ImportRun.objects.filter(pk=first.run_id))
            taken_out.set()
            until_it_waits(lambda: ImportFile.objects.exclude(outcome="waiting").filter(pk=second.pk).exists())

    thread = threading.Thread(target=lambda: (take_out(), connection.close()))
    thread.start()
    assert taken_out.wait(30)
    work()
    thread.join(30)
    second.refresh_from_db()
    assert second.outcome == "imported"
    assert Measure.objects.filter(file=second).count() + Night.objects.filter(file=second).count() == 1
