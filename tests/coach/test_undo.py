"""Undoing an import: what also came otherwise stays, what nobody needs is gone from the disk, and it resumes."""

from datetime import date

import pytest

from coach import imports, originals, undo
from coach.models import Activity, ImportFile, ImportRun, Insight, Measure, Night, Provenance, Source
from jobs import testing
from tests import factories
from tests.coach.outings import facts, gpx, hand_in, later, sessions, snapshot, tcx, work
from tests.coach.test_imports import zipped

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def data_folder(settings, tmp_path):
    settings.DATA = tmp_path
    return tmp_path


@pytest.fixture
def ana():
    return factories.athlete()


def take_back(what, owner):
    ticket = undo.ask(what, owner.user)
    work()
    return undo.api.ticket_of(ticket.id)


def kept(folder) -> int:
    return sum(path.is_file() for path in (folder / "originals").rglob("*"))


def test_the_others_data_is_as_if_it_had_never_come(ana):
    hand_in(ana, ("run.tcx", tcx()), source="Watch")
    before = snapshot(ana)
    run = hand_in(ana, ("phone.gpx", gpx(name="Canal", bpm=140)), source="Phone")
    assert facts(ana) != before["facts"]
    assert take_back(run, ana).status == "succeeded"
    assert snapshot(ana) == before


def test_the_file_that_had_joined_it_is_told_to_be_imported(ana):
    run = hand_in(ana, ("run.tcx", tcx()), source="Watch")
    hand_in(ana, ("phone.gpx", gpx()), source="Phone")
    assert ImportFile.objects.get(name="phone.gpx").outcome == "joined"
    take_back(run, ana)
    assert ImportFile.objects.values_list("outcome", "sentence").get() == ("imported", "")


def test_what_stood_aside_because_of_it_gets_its_place(ana):
    run = hand_in(ana, ("run.tcx", tcx()), source="Watch")
    hand_in(ana, ("late.gpx", gpx(later(300), seconds=900)), source="Phone")
    take_back(run, ana)
    assert sessions(ana) == {frozenset({"late.gpx"})}
    assert ImportFile.objects.values_list("outcome", flat=True).get() == "imported"


def test_bytes_that_another_import_brought_too_are_handed_over(ana, data_folder):
    first = hand_in(ana, ("a.gpx", gpx()), source="Watch")
    second = hand_in(ana, ("again.gpx", gpx()), source="Archive")
    made = facts(ana)
    take_back(first, ana)
    assert facts(ana) == [{**made[0], "source__name": "Archive"}]
    assert ImportFile.objects.values_list("name", "outcome", "sentence").get() == ("again.gpx", "imported", "")
    assert kept(data_folder) == 1
    take_back(second, ana)
    assert (facts(ana), kept(data_folder)) == ([], 0)


def test_what_is_handed_over_came_when_the_other_import_brought_it(ana):
    first = hand_in(ana, ("run.tcx", tcx()), source="Watch")
    hand_in(ana, ("late.gpx", gpx(later(300), seconds=900)), source="Phone")
    hand_in(ana, ("again.tcx", tcx()), source="Archive")
    take_back(first, ana)
    assert sessions(ana) == {frozenset({"late.gpx"})}
    assert dict(ImportFile.objects.values_list("name", "outcome")) == {"late.gpx": "imported", "again.tcx": "doubted"}


def test_nights_and_weights_go_with_their_file_or_to_the_one_that_brought_them_too(ana):
    run = hand_in(ana, ("days.gpx", gpx()))
    file = run.files.get()
    Night.objects.create(athlete=ana, file=file, provider="Watch", wake_date=date(2026, 5, 1))
    values = {"provider": "Scale", "metric": "weight_kg", "at": later(0), "local_date": date(2026, 5, 1), "value": 70}
    Measure.objects.create(athlete=ana, file=file, **values)
    again = hand_in(ana, ("again.gpx", gpx()), source="Archive")
    take_back(run, ana)
    assert (Night.objects.get().file.run, Measure.objects.get().file.run) == (again, again)
    take_back(again, ana)
    assert not Night.objects.exists()
    assert not Measure.objects.exists()


def test_an_import_that_still_waits_is_stopped_first(ana, data_folder):
    run = hand_in(ana, ("a.gpx", gpx()), read=False)
    ticket = imports.ticket_of(run)
    take_back(run, ana)
    assert undo.api.ticket_of(ticket.id).status == "cancelled"
    assert (ImportRun.objects.count(), Activity.objects.count(), kept(data_folder)) == (0, 0, 0)


def test_an_import_that_was_stopped_on_the_way_loses_what_it_had_read(ana, monkeypatch):
    from coach import recordings

    prepare = recordings.prepare

    def stopping(file, found):
        if file.name == "2.gpx":
            undo.ask(file.run, ana.user)
            raise undo.api.Stopped("stop")
        return prepare(file, found)

    monkeypatch.setattr(recordings, "prepare", stopping)
    hand_in(ana, ("1.gpx", gpx()), ("2.gpx", gpx(later(86_400))))
    work()
    assert not Provenance.objects.exists()
    assert not ImportRun.objects.exists()


def test_an_archive_goes_with_its_members(ana, data_folder):
    hand_in(ana, ("alone.gpx", gpx()), source="Watch")
    before = snapshot(ana)
    run = hand_in(ana, ("rides.zip", zipped(one_gpx=gpx(), two_gpx=gpx(later(86_400)), three_txt=b"hello")))
    assert Activity.objects.count() == 2
    take_back(run, ana)
    assert snapshot(ana) == before
    assert kept(data_folder) == 1


def test_a_whole_source_goes_with_all_its_imports(ana):
    hand_in(ana, ("watch.tcx", tcx()), source="Watch")
    hand_in(ana, ("1.gpx", gpx(bpm=140)), source="Phone")
    hand_in(ana, ("2.gpx", gpx(later(86_400))), source="Phone")
    take_back(Source.objects.get(name="Phone"), ana)
    assert sessions(ana) == {frozenset({"watch.tcx"})}
    assert list(Source.objects.values_list("name", flat=True)) == ["Watch"]


def test_it_resumes_where_it_was_cut_short(ana, data_folder, monkeypatch):
    run = hand_in(ana, *[(f"{day}.gpx", gpx(later(day * 86_400))) for day in range(3)])
    forget, calls = originals.forget, []

    def faulty(sha256):
        calls.append(sha256)
        if len(calls) == 2:
            raise OSError("the disk is away")
        forget(sha256)

    monkeypatch.setattr(originals, "forget", faulty)
    undo.ask(run, ana.user)
    work()
    assert (Activity.objects.count(), kept(data_folder)) == (1, 2)
    testing.drain()
    assert (Activity.objects.count(), kept(data_folder), len(calls)) == (0, 0, 4)
    assert not ImportRun.objects.exists()


def test_an_undo_that_failed_is_tried_again_when_asked(ana, monkeypatch):
    run = hand_in(ana, ("a.gpx", gpx()))
    monkeypatch.setattr(originals, "forget", lambda sha256: 1 / 0)
    undo.ask(run, ana.user)
    testing.drain()
    assert undo.ticket(run).status == "failed"
    monkeypatch.undo()
    assert take_back(run, ana).status == "succeeded"
    assert not ImportRun.objects.exists()


def test_what_was_written_about_an_activity_that_is_gone_goes_too(ana):
    run = hand_in(ana, ("a.gpx", gpx()))
    subject = str(Activity.objects.get().pk)
    for scope in ("activity", "week"):
        Insight.objects.create(
            athlete=ana, scope=scope, subject=subject, fingerprint="f", writer="w", language="en", text={}, facts={}
        )
    take_back(run, ana)
    left = set(Insight.objects.values_list("scope", "subject"))
    assert ("week", subject) in left
    assert ("activity", subject) not in left


def test_another_athlete_keeps_the_same_bytes(ana, data_folder):
    ben = factories.athlete("ben")
    run = hand_in(ana, ("a.gpx", gpx()))
    hand_in(ben, ("a.gpx", gpx()))
    before = snapshot(ben)
    take_back(run, ana)
    assert (snapshot(ben), kept(data_folder)) == (before, 1)
