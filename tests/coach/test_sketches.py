"""What a session looks like is stored by the job that changes it: its kind, its sketch, what each recording gave."""

import pytest

from coach import remarks, scopes, sketches, thresholds
from coach.models import Activity, Provenance, Sketch, Threshold
from coach.schedules import morning
from jobs import testing
from tests import factories
from tests.coach.outings import gpx, hand_in, tcx

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def data_folder(settings, tmp_path):
    settings.DATA = tmp_path


@pytest.fixture
def ana():
    return factories.athlete(birth_year=1990)


@pytest.fixture
def run(ana):
    hand_in(ana, ("run.gpx", gpx(bpm=140)))
    return Activity.objects.get()


def shown(row):
    facts = scopes.facts_for("activity", row.athlete, str(row.pk))
    return {fact.key: fact.display for fact in facts.facts}, facts.charts, facts.tables


def forget():
    """Leave the rows as a version left them that stored nothing of it."""
    Sketch.objects.all().delete()
    Activity.objects.update(session_type="", intervals={}, measured_with="of before")


def test_an_import_stores_what_the_session_looks_like(run):
    assert run.session_type == "easy"
    assert [line["key"] for line in run.sketch.drawn["lines"]] == ["pace", "heart_rate", "altitude"]


def test_what_an_older_version_stored_nothing_of_is_shown_alike(run):
    stored = shown(run)
    forget()
    assert shown(run) == stored


def test_the_morning_round_makes_up_for_what_an_older_version_did_not_store(run):
    stored = shown(run)
    forget()
    morning()
    testing.run_due()
    run = Activity.objects.get()
    assert (run.session_type, shown(run)) == ("easy", stored)
    assert run.sketch.drawn


def test_a_threshold_changes_the_kind_that_is_stored(ana, run):
    kinds = []
    for pace in (400, 250):  # s/km; the run was at 333
        Threshold.objects.update_or_create(
            athlete=ana, kind="threshold_pace_s_per_km", valid_from="2026-01-01", defaults={"value": pace}
        )
        thresholds.changed(ana)
        testing.run_due()
        kinds.append(Activity.objects.get().session_type)
    assert kinds == ["hard", "easy"]


def test_the_word_of_how_hard_it_felt_changes_the_kind_that_is_stored(ana):
    hand_in(ana, ("run.gpx", gpx()))
    pk = Activity.objects.get().pk
    kinds = [Activity.objects.get().session_type]
    for effort in (2, 9, None):
        remarks.say(ana, pk, {"effort": effort})
        kinds.append(Activity.objects.get().session_type)
    assert kinds == ["unmeasured", "easy", "hard", "unmeasured"]


def test_a_second_recording_is_drawn_too_and_says_what_it_gave(ana):
    hand_in(ana, ("run.tcx", tcx()))
    assert [line["key"] for line in Activity.objects.get().sketch.drawn["lines"]] == ["pace", "cadence"]
    hand_in(ana, ("run.gpx", gpx(bpm=140)), source="Phone")
    row = Activity.objects.get()
    assert "heart_rate" in [line["key"] for line in row.sketch.drawn["lines"]]
    gave = {origin.format: origin.gave for origin in Provenance.objects.all()}
    assert "cadence_rpm" in gave["tcx"]
    assert "heart_rate_bpm" in gave["gpx"]


def test_what_each_recording_gave_is_made_up_for_as_well(ana):
    hand_in(ana, ("run.tcx", tcx()))
    hand_in(ana, ("run.gpx", gpx(bpm=140)), source="Phone")
    before = list(Provenance.objects.order_by("pk").values_list("gave", flat=True))
    Provenance.objects.update(gave=[])
    forget()
    thresholds.changed(ana)
    testing.run_due()
    assert list(Provenance.objects.order_by("pk").values_list("gave", flat=True)) == before
    assert all(before)


def test_a_session_without_samples_has_no_sketch(ana, run):
    sketches.keep(run.pk, {}, is_new=False)
    assert not Sketch.objects.exists()
