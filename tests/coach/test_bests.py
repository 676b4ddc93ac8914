"""The best efforts beside each session follow it: import, join, split, undo and a new way to measure."""

import pytest

from coach import deciding, scale, thresholds, undo
from coach.models import Activity, Best, Provenance
from jobs import testing
from tests import factories
from tests.coach.outings import NOON, gpx, hand_in, later, tcx, work

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def data_folder(settings, tmp_path):
    settings.DATA = tmp_path


@pytest.fixture
def ana():
    return factories.athlete()


def times(owner):
    rows = Best.objects.filter(athlete=owner, measure="time").order_by("activity__started_at", "span")
    return [(row.span, round(row.value)) for row in rows]


def test_an_import_keeps_the_bests_of_each_session(ana):
    hand_in(ana, ("a.gpx", gpx()))
    assert times(ana) == [(400, 133), (1000, 333), (1609, 536), (3000, 1000)]
    row = Best.objects.filter(measure="time").first()
    assert (row.family, row.local_date, row.doubt) == ("running", Activity.objects.get().local_date, "")


def test_the_same_file_again_changes_nothing(ana):
    hand_in(ana, ("a.gpx", gpx()))
    before = list(Best.objects.order_by("pk").values_list("pk", flat=True))
    hand_in(ana, ("b.gpx", gpx()))
    assert list(Best.objects.order_by("pk").values_list("pk", flat=True)) == before


def test_a_joined_session_has_the_bests_of_the_whole_and_a_split_one_its_own(ana):
    hand_in(ana, ("a.gpx", gpx()), ("b.tcx", tcx()))
    assert Activity.objects.count() == 1
    assert times(ana) == [(400, 133), (1000, 333), (1609, 536), (3000, 1000)]
    deciding.split(Provenance.objects.get(format="gpx"))
    assert Best.objects.filter(measure="time").count() == 8
    assert {best.activity_id for best in Best.objects.all()} == set(Activity.objects.values_list("pk", flat=True))


def test_an_undone_import_leaves_no_best(ana):
    hand_in(ana, ("a.gpx", gpx()))
    run = hand_in(ana, ("b.gpx", gpx(later(86_400), mps=4.0)))
    undo.ask(run, ana.user)
    work()
    assert times(ana) == [(400, 133), (1000, 333), (1609, 536), (3000, 1000)]


def test_sessions_of_an_older_version_get_theirs_by_a_job_with_progress(ana, monkeypatch):
    monkeypatch.setattr(scale, "VERSION", 1)
    monkeypatch.setattr(thresholds, "VERSION", 1)
    hand_in(ana, ("a.gpx", gpx()), ("b.gpx", gpx(later(86_400))))
    thresholds.changed(ana)
    testing.run_due()
    Best.objects.all().delete()
    assert thresholds.changed(ana).status == "succeeded"
    monkeypatch.undo()
    ticket = thresholds.changed(ana)
    assert ticket.is_active
    testing.run_due()
    assert Best.objects.filter(measure="time").count() == 8
    assert thresholds.changed(ana).progress[:2] == (2, 2)


def test_a_best_is_of_the_day_its_session_is(ana):
    hand_in(ana, ("a.gpx", gpx(NOON)))
    assert set(Best.objects.values_list("local_date", flat=True)) == {NOON.date()}
