"""One session from several devices: joined, split, asked about and dated, and remembered when it comes again."""

import threading

import pytest
from django.db import transaction

from coach import deciding, formats, originals, recordings, settling, thresholds, undo
from coach.models import Activity, Correction, Doubt, ImportFile, Provenance, Ruling, Threshold
from jobs import api, testing
from tests import factories
from tests.coach.outings import NOON, facts, gpx, hand_in, later, sessions, tcx, work
from tests.jobs.sessions import together

pytestmark = pytest.mark.django_db(transaction=True)

YEARS = 50 * 365 * 86_400


@pytest.fixture(autouse=True)
def data_folder(settings, tmp_path):
    settings.DATA = tmp_path


@pytest.fixture
def ana():
    return factories.athlete()


def activity_of(name: str) -> Activity:
    return Activity.objects.get(provenance__file__name=name)


def outcome(name: str) -> tuple[str, str]:
    return ImportFile.objects.values_list("outcome", "sentence").get(name=name)


def test_two_devices_make_one_activity_led_by_the_better_format(ana):
    hand_in(ana, ("phone.gpx", gpx(name="Canal", bpm=140)), source="Phone")
    before = activity_of("phone.gpx").pk
    hand_in(ana, ("watch.tcx", tcx()), source="Watch")
    activity = Activity.objects.get()
    assert activity.pk == before
    assert (activity.name, activity.source.name) == ("Canal", "Watch")
    assert activity.heart_rate_avg_bpm == 140
    assert outcome("watch.tcx") == ("joined", "The same session as “phone.gpx”, so both are one activity.")


def test_a_nearly_equal_recording_stands_aside_and_counts_nowhere(ana):
    hand_in(ana, ("run.tcx", tcx()))
    was = facts(ana)
    hand_in(ana, ("late.gpx", gpx(later(300), seconds=900)))
    assert facts(ana) == was
    assert Provenance.objects.get(file__name="late.gpx").activity is None
    assert outcome("late.gpx")[0] == "doubted"
    assert Doubt.objects.get().candidate == activity_of("run.tcx")


def test_an_indoor_run_without_distance_joins_one_that_has_it(ana):
    hand_in(ana, ("a.tcx", tcx(distance=False)), ("b.tcx", tcx(later(3))))
    assert sessions(ana) == {frozenset({"a.tcx", "b.tcx"})}
    assert Activity.objects.get().distance_m == 3600


@pytest.mark.parametrize("same", [True, False])
def test_an_answer_holds_when_the_files_come_again(ana, same):
    runs = [hand_in(ana, ("run.tcx", tcx())), hand_in(ana, ("late.gpx", gpx(later(300), seconds=900)))]
    deciding.answer(Doubt.objects.get(), same=same)
    decided = sessions(ana)
    assert len(decided) == 2 - same
    for run in runs:
        undo.ask(run, ana.user)
    work()
    assert not Provenance.objects.exists()
    hand_in(ana, ("late.gpx", gpx(later(300), seconds=900)), ("run.tcx", tcx()))
    assert sessions(ana) == decided
    assert not Doubt.objects.exists()


def test_what_was_split_off_stays_apart_when_it_comes_again(ana):
    hand_in(ana, ("a.tcx", tcx()))
    run = hand_in(ana, ("b.gpx", gpx()))
    deciding.split(Provenance.objects.get(file__name="b.gpx"))
    assert len(sessions(ana)) == 2
    undo.ask(run, ana.user)
    work()
    hand_in(ana, ("b.gpx", gpx()))
    assert len(sessions(ana)) == 2


def test_three_are_joined_and_the_middle_is_split_off_again(ana):
    hand_in(ana, *[(f"{name}.gpx", gpx(later(7200 * number))) for number, name in enumerate("abc")])
    deciding.join(activity_of("a.gpx"), activity_of("b.gpx"))
    deciding.join(activity_of("a.gpx"), activity_of("c.gpx"))
    assert sessions(ana) == {frozenset({"a.gpx", "b.gpx", "c.gpx"})}
    deciding.split(Provenance.objects.get(file__name="b.gpx"))
    assert sessions(ana) == {frozenset({"a.gpx", "c.gpx"}), frozenset({"b.gpx"})}


def test_the_latest_word_on_a_pair_counts(ana):
    hand_in(ana, ("a.tcx", tcx()), ("b.gpx", gpx()))
    for _ in range(2):
        deciding.split(Provenance.objects.get(file__name="b.gpx"))
        assert len(sessions(ana)) == 2
        deciding.join(activity_of("a.tcx"), activity_of("b.gpx"))
        assert len(sessions(ana)) == 1
    assert Ruling.objects.get().same


def test_what_fits_two_sessions_joins_the_chosen_one_alone(ana):
    hand_in(ana, ("a.tcx", tcx()), ("b.gpx", gpx(later(115))))
    deciding.split(Provenance.objects.get(file__name="b.gpx"))
    hand_in(ana, ("c.gpx", gpx(later(60), every=5)))
    deciding.answer(Doubt.objects.get(), same=True)
    assert sessions(ana) == {frozenset({"a.tcx", "c.gpx"}), frozenset({"b.gpx"})}


def test_an_edit_of_a_busy_source_is_refused_by_the_name_of_who_is_at_work(ana):
    hand_in(ana, ("a.tcx", tcx()), source="Watch")
    hand_in(ana, ("b.gpx", gpx()), source="Phone")
    hand_in(ana, ("next.gpx", gpx(later(86_400))), source="Phone", read=False)
    with pytest.raises(api.LaneBusy, match="An import is at work here"):
        deciding.split(Provenance.objects.get(file__name="a.tcx"))
    assert len(sessions(ana)) == 1
    assert not Ruling.objects.exists()
    assert api.holders(factories.source(ana, "Watch").lane) == []


@pytest.mark.parametrize(
    "began", [later(-YEARS), later(10 * 365 * 86_400), NOON.replace(year=2010, month=1, day=1, hour=0)]
)
def test_an_impossible_date_is_asked_about_and_never_charted(ana, began):
    run = hand_in(ana, ("unset.gpx", gpx(began, bpm=140)))
    assert not Activity.objects.exists()
    assert outcome("unset.gpx")[0] == "doubted"
    deciding.date(Doubt.objects.get(kind="date"), NOON)
    dated = facts(ana)
    assert dated[0]["started_at"] == NOON
    assert outcome("unset.gpx") == ("imported", "")
    undo.ask(run, ana.user)
    work()
    hand_in(ana, ("unset.gpx", gpx(began, bpm=140)))
    assert facts(ana) == dated
    assert Correction.objects.count() == 1


def test_a_recording_that_is_dated_joins_what_it_is_of(ana):
    hand_in(ana, ("run.tcx", tcx()), ("unset.gpx", gpx(later(-YEARS), bpm=140)))
    deciding.date(Doubt.objects.get(), later(20))
    assert sessions(ana) == {frozenset({"run.tcx", "unset.gpx"})}
    activity = Activity.objects.get()
    assert (activity.started_at, activity.heart_rate_avg_bpm) == (NOON, 140)


def test_a_date_that_cannot_be_is_no_answer(ana):
    hand_in(ana, ("unset.gpx", gpx(later(-YEARS))))
    with pytest.raises(deciding.Refused, match="No recording of yours"):
        deciding.date(Doubt.objects.get(), later(-YEARS))
    assert Doubt.objects.open().exists()


def test_what_the_athlete_said_of_a_session_holds_when_it_comes_again(ana):
    run = hand_in(ana, ("watch.tcx", tcx()))
    for field, value in (("note", "Headwind."), ("effort", 7), ("is_race", True)):
        Correction.objects.create(athlete=ana, key=Provenance.objects.get().key, field=field, value=value)
    undo.ask(run, ana.user)
    work()
    hand_in(ana, ("phone.gpx", gpx()), ("watch.tcx", tcx()))
    activity = Activity.objects.get()
    assert (activity.note, activity.effort, activity.is_race) == ("Headwind.", 7, True)


def test_charts_and_a_new_threshold_use_the_streams_of_every_recording(ana):
    hand_in(ana, ("watch.tcx", tcx()), ("phone.gpx", gpx(bpm=140)))
    for file in ImportFile.objects.all():
        originals.path_of(file.sha256).unlink()
    Threshold.objects.create(athlete=ana, kind=Threshold.Kind.HR_MAX, value=180, valid_from=NOON.date())
    Threshold.objects.create(athlete=ana, kind=Threshold.Kind.HR_REST, value=50, valid_from=NOON.date())
    thresholds.changed(ana)
    testing.run_due()
    activity = Activity.objects.get()
    assert activity.trimp > 0
    drawn = activity.sketch.drawn
    lines = {line["key"]: line["values"] for line in drawn["lines"]}
    assert (lines["heart_rate"][5], "cadence" in lines, "way" in drawn) == (140, True, True)


def test_two_imports_that_bring_one_session_at_once_make_one_activity(ana, monkeypatch):
    barrier, lock, met = threading.Barrier(2, timeout=20), settling.lock, threading.local()

    def meet(athlete):
        if not getattr(met, "once", False):
            met.once = True
            barrier.wait()
        lock(athlete)

    hand_in(ana, ("phone.gpx", gpx()), source="Phone", read=False)
    hand_in(ana, ("watch.tcx", tcx()), source="Watch", read=False)
    monkeypatch.setattr(settling, "lock", meet)
    together(lambda: testing.run_due(most=1), lambda: testing.run_due(most=1))
    assert sessions(ana) == {frozenset({"phone.gpx", "watch.tcx"})}
    assert not barrier.broken


def test_a_recording_that_an_older_version_stored_is_read_again_before_it_is_matched(ana):
    hand_in(ana, ("ride.gpx", gpx(sport="cycling")))
    Provenance.objects.update(header={})
    hand_in(ana, ("run.tcx", tcx()))
    assert Doubt.objects.get().sentence.endswith("they overlap, but the sport differs.")
    assert Provenance.objects.get(file__name="ride.gpx").header["sport"] == "cycling"


def test_a_file_that_was_taken_for_known_is_read_when_that_was_undone_meanwhile(ana):
    file = hand_in(ana, ("run.gpx", gpx()), read=False).files.get()
    with pytest.raises(api.Retry), transaction.atomic():
        recordings.store(file, [])
    hand_in(ana, ("again.gpx", gpx()))
    with transaction.atomic():
        assert recordings.store(file, [])[0] == "duplicate"


def test_matching_asks_the_database_little_however_long_the_history_is(ana, django_assert_max_num_queries):
    hand_in(ana, *[(f"{day}.gpx", gpx(later(86_400 * day), seconds=60)) for day in range(-30, -1)])
    run = hand_in(ana, ("run.gpx", gpx()), read=False)
    file = run.files.get()
    found = recordings.prepare(file, formats.read(gpx(), name="run.gpx"))
    with django_assert_max_num_queries(20), transaction.atomic():
        recordings.store(file, found)
