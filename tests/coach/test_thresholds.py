"""An edit of a threshold measures the history again, from its day on and no further."""

from datetime import date

import pytest

from coach import thresholds
from coach.models import Activity, Threshold
from jobs import testing
from tests import factories
from tests.coach import outings
from tests.coach.test_imports import gpx, hand_in

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def data_folder(settings, tmp_path):
    settings.DATA = tmp_path


@pytest.fixture
def ana():
    owner = factories.athlete(birth_year=1990)
    hand_in(owner, ("1.gpx", gpx(1, points=700)), ("5.gpx", gpx(5, points=700)))
    return owner


def loads():
    return dict(Activity.objects.values_list("local_date", "load"))


def give(owner, value, since):
    kind = Threshold.Kind.PACE
    Threshold.objects.update_or_create(athlete=owner, kind=kind, valid_from=since, defaults={"value": value})
    ticket = thresholds.changed(owner)
    testing.run_due()
    return ticket


def test_an_edit_changes_what_is_measured_from_its_day_on(ana):
    Activity.objects.update(sport="running")
    before = loads()
    give(ana, 300, date(2026, 5, 3))
    after = loads()
    assert after[date(2026, 5, 1)] == before[date(2026, 5, 1)]
    assert Activity.objects.get(local_date=date(2026, 5, 1)).measured_with != ""
    assert Activity.objects.get(local_date=date(2026, 5, 5)).measured_with != (
        Activity.objects.get(local_date=date(2026, 5, 1)).measured_with
    )


def test_the_same_thresholds_measure_nothing_again(ana):
    give(ana, 300, date(2026, 5, 1))
    again = thresholds.changed(ana)
    assert again.status == "succeeded"


def test_marking_a_threshold_as_an_estimate_marks_the_sessions_of_its_days_too():
    ben = factories.athlete("ben")
    outings.hand_in(ben, ("1.gpx", outings.gpx()), ("3.gpx", outings.gpx(outings.later(2 * 86_400))))
    row = Threshold.objects.create(athlete=ben, kind="threshold_pace_s_per_km", value=300, valid_from="2026-05-02")

    def marked():
        thresholds.changed(ben)
        testing.run_due()
        return {row.local_date.day for row in Activity.objects.all() if "is an estimate" in str(row.flags)}

    assert marked() == set()
    assert Activity.objects.get(local_date=date(2026, 5, 3)).load_from == "pace"
    row.estimated = True
    row.save()
    assert marked() == {3}


def test_an_edit_during_the_work_is_done_afterwards(ana):
    first = thresholds.changed(ana)
    Threshold.objects.create(athlete=ana, kind=Threshold.Kind.PACE, value=310, valid_from=date(2026, 5, 1))
    second = thresholds.changed(ana)
    assert first.id == second.id
    testing.run_due()
    assert thresholds.changed(ana).status == "succeeded"
