"""The athlete's word counts: it sticks through undo and import, joins and splits, and changes the facts."""

import pytest

from coach import deciding, remarks, scopes, undo
from coach.models import Activity, Best, Correction, Provenance
from jobs import testing
from tests import factories
from tests.coach.outings import NOON, gpx, hand_in, later, tcx, work

pytestmark = pytest.mark.django_db(transaction=True)
WORDS = {"stated_type": "tempo", "effort": 7, "note": "Wind on the way back", "is_race": True, "is_ignored": False}


@pytest.fixture(autouse=True)
def data_folder(settings, tmp_path):
    settings.DATA = tmp_path


@pytest.fixture
def ana():
    return factories.athlete()


def only():
    return Activity.objects.get()


def words(row):
    return {name: getattr(row, name) for name in WORDS}


def test_what_was_said_holds_again_after_undo_and_import(ana):
    run = hand_in(ana, ("a.gpx", gpx()))
    remarks.say(ana, only().pk, WORDS)
    undo.ask(run, ana.user)
    work()
    assert not Activity.objects.exists()
    hand_in(ana, ("again.gpx", gpx()))
    assert words(only()) == WORDS


def test_what_was_said_of_one_holds_for_the_joined_session_and_for_each_part_of_it(ana):
    hand_in(ana, ("a.gpx", gpx()))
    remarks.say(ana, only().pk, WORDS)
    hand_in(ana, ("b.tcx", tcx()))
    assert words(only()) == WORDS
    remarks.say(ana, only().pk, {"note": "Both of it"})
    deciding.split(Provenance.objects.get(format="tcx"))
    assert sorted(Activity.objects.values_list("note", flat=True)) == ["Both of it", "Both of it"]


def test_a_word_said_of_one_part_alone_stays_with_it_after_a_split(ana):
    hand_in(ana, ("a.gpx", gpx()))
    remarks.say(ana, only().pk, {"note": "Alone"})
    hand_in(ana, ("b.tcx", tcx()))
    deciding.split(Provenance.objects.get(format="tcx"))
    assert {row.note for row in Activity.objects.filter(provenance__format="tcx")} == {""}
    assert {row.note for row in Activity.objects.filter(provenance__format="gpx")} == {"Alone"}


def test_what_is_taken_back_is_gone_for_good(ana):
    run = hand_in(ana, ("a.gpx", gpx()))
    remarks.say(ana, only().pk, WORDS)
    nothing = {"stated_type": "", "effort": None, "note": "", "is_race": False}
    remarks.say(ana, only().pk, nothing)
    assert not Correction.objects.exists()
    undo.ask(run, ana.user)
    work()
    hand_in(ana, ("again.gpx", gpx()))
    assert words(only()) == nothing | {"is_ignored": False}


def test_how_it_felt_is_the_load_where_nothing_else_says(ana):
    hand_in(ana, ("a.gpx", gpx(seconds=3600)))
    assert only().load_from == "estimate"
    remarks.say(ana, only().pk, {"effort": 7})
    assert (only().load_from, round(only().load)) == ("effort", 100)
    remarks.say(ana, only().pk, {"effort": 3})
    assert only().load == pytest.approx(300 / 7, abs=0.1)
    remarks.say(ana, only().pk, {"effort": None})
    assert only().load_from == "estimate"


def test_how_it_felt_changes_no_load_that_is_measured(ana):
    ana.thresholds.create(kind="threshold_pace_s_per_km", value=270, valid_from="2026-01-01")
    hand_in(ana, ("a.gpx", gpx(seconds=3600)))
    before = only().load
    assert only().load_from == "pace"
    remarks.say(ana, only().pk, {"effort": 10})
    assert (only().load, only().load_from) == (before, "pace")


def test_a_distance_put_right_changes_what_follows_from_it_and_sticks(ana):
    run = hand_in(ana, ("a.gpx", gpx(seconds=1200)))
    remarks.say(ana, only().pk, {"distance_m": 4000.0, "ascent_m": 55.0})
    assert (only().distance_m, only().ascent_m) == (4000.0, 55.0)
    assert Best.objects.get(measure="time", span=1000).value == pytest.approx(300, abs=1)
    undo.ask(run, ana.user)
    work()
    hand_in(ana, ("again.gpx", gpx(seconds=1200)))
    assert (only().distance_m, only().ascent_m) == (4000.0, 55.0)
    remarks.say(ana, only().pk, {"distance_m": None, "ascent_m": None})
    assert only().distance_m == pytest.approx(3600, abs=5)


def test_an_ignored_session_is_kept_and_counts_nowhere(ana):
    hand_in(ana, ("a.gpx", gpx(ana_day := NOON)), ("b.gpx", gpx(later(86_400), mps=4.0)))
    newest = Activity.objects.newest_first().first()
    remarks.say(ana, newest.pk, {"is_ignored": True})
    assert Activity.objects.count() == 2
    assert scopes.facts_for("records", ana, "running")["newest_best_on"].value == ana_day.date().isoformat()
    load = scopes.facts_for("load", ana, "current")
    assert load["last_session"].value == ana_day.date().isoformat()
    week = scopes.facts_for("week", ana, "2026-W18")
    assert week["sessions"].value == 1


def test_the_session_is_judged_by_what_it_was_meant_to_be(ana):
    hand_in(ana, ("a.gpx", gpx()))
    remarks.say(ana, only().pk, {"is_race": True})
    assert scopes.facts_for("activity", ana, str(only().pk))["kind"].display == "race"
    remarks.say(ana, only().pk, {"stated_type": "recovery"})
    facts = scopes.facts_for("activity", ana, str(only().pk))
    assert facts["kind"].display == "recovery session"
    assert facts["kind_found"].display


@pytest.mark.parametrize("word", [{"stated_type": "long"}, {"note": "Windy"}, {"effort": 4}, {"distance_m": 3000.0}])
def test_each_word_changes_the_fingerprint_of_the_session(ana, word):
    hand_in(ana, ("a.gpx", gpx()))

    def mark():
        facts = scopes.facts_for("activity", ana, str(only().pk))
        return facts.fingerprint(writer="w", language="en", units="metric")

    before = mark()
    remarks.say(ana, only().pk, word)
    assert mark() != before
    remarks.say(ana, only().pk, dict.fromkeys(word) | {key: "" for key in word if key in ("stated_type", "note")})
    assert mark() == before


def test_new_texts_are_asked_for(ana):
    hand_in(ana, ("a.gpx", gpx()))
    testing.run_due()
    remarks.say(ana, only().pk, {"note": "Windy"})
    from jobs.models import Job

    assert Job.objects.filter(kind="backfill", status__in=("ready", "waiting")).exists()


def test_nothing_is_said_of_what_is_gone_or_somebody_elses(ana):
    hand_in(ana, ("a.gpx", gpx()))
    with pytest.raises(remarks.Gone, match="not there any more"):
        remarks.say(factories.athlete("ben"), only().pk, {"note": "Mine"})
    assert only().note == ""


def test_a_note_is_cleaned_and_capped():
    assert remarks.cleaned(" a\x00b\r\n\u202ec \n") == "a b\nc"
    assert len(remarks.cleaned("x" * 5000)) == remarks.MOST_LETTERS
