"""Thresholds are suggested from efforts, and hold only when the athlete takes them."""

from datetime import timedelta

import pytest

from coach import remarks, suggesting, thresholds
from coach.metrics import suggested
from coach.models import Activity, Best, Suggestion, Threshold
from jobs import testing
from tests import factories
from tests.coach.outings import gpx, hand_in

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def ana():
    return factories.athlete()


def effort(owner, measure, span, value, *, days_ago=3, family="cycling", **more):
    row = factories.activity(owner, owner.today() - timedelta(days=days_ago), sport=family)
    Best.objects.create(
        activity=row, athlete=owner, family=family, measure=measure, span=span, value=value,
        local_date=row.local_date, **more,
    )  # fmt: skip
    return row


def open_ones(owner):
    suggesting.renew(owner)
    return {row.kind: row.value for row in suggesting.open_ones(owner)}


def test_each_threshold_has_its_rule(ana):
    effort(ana, "power", 1200, 312)
    effort(ana, "time", 5000, 1200, family="running")
    effort(ana, "pulse", 5, 188)
    effort(ana, "pulse", 1200, 171)
    assert open_ones(ana) == {"ftp_w": 296, "threshold_pace_s_per_km": 256, "hr_max_bpm": 188, "lthr_bpm": 171}
    sentences = [row.sentence for row in suggesting.open_ones(ana)]
    assert any(text.startswith("95 % of your best 20 minutes, 312 W on ") for text in sentences)
    assert not Threshold.objects.exists()


def test_threshold_pace_is_that_of_the_tables():
    assert suggested.threshold_pace_s_per_km(10_000, seconds=2481) == pytest.approx(255, abs=1)  # VDOT 50: 4:15


def test_an_easy_half_hour_is_no_test(ana):
    effort(ana, "pulse", 5, 188)
    effort(ana, "pulse", 1200, 150)
    assert "lthr_bpm" not in open_ones(ana)


@pytest.mark.parametrize("more", [{"doubt": "motor"}, {"days_ago": 91}])
def test_doubtful_and_old_efforts_suggest_nothing(ana, more):
    effort(ana, "power", 1200, 312, **more)
    assert open_ones(ana) == {}


def test_an_implausible_heart_rate_is_no_maximum(ana):
    effort(ana, "pulse", 5, 238)
    effort(ana, "pulse", 5, 186)
    assert open_ones(ana) == {"hr_max_bpm": 186}


@pytest.mark.parametrize(("held", "since", "suggests"), [(291, 30, False), (280, 30, True), (250, 1, False)])
def test_only_what_is_better_than_what_held_then_is_suggested(ana, held, since, suggests):
    effort(ana, "power", 1200, 312)
    since = ana.today() - timedelta(days=since)
    Threshold.objects.create(athlete=ana, kind="ftp_w", value=held, valid_from=since)
    assert ("ftp_w" in open_ones(ana)) == suggests


def test_a_better_effort_takes_the_place_of_the_suggestion_before(ana):
    effort(ana, "power", 1200, 300, days_ago=9)
    open_ones(ana)
    effort(ana, "power", 1200, 312)
    assert open_ones(ana) == {"ftp_w": 296}
    assert Suggestion.objects.count() == 1


def test_what_was_left_is_not_asked_again_until_it_is_better(ana):
    effort(ana, "power", 1200, 300, days_ago=9)
    open_ones(ana)
    suggesting.leave(suggesting.open_ones(ana)[0])
    assert open_ones(ana) == {}
    effort(ana, "power", 1200, 312)
    assert open_ones(ana) == {"ftp_w": 296}


def test_taking_one_makes_a_threshold_of_its_day_and_measures_again(ana):
    row = effort(ana, "power", 1200, 312)
    effort(ana, "pulse", 5, 188)
    open_ones(ana)
    for suggestion in suggesting.open_ones(ana):
        assert suggesting.take(suggestion).is_active
    held = {one.kind: (one.value, one.valid_from, one.estimated) for one in Threshold.objects.all()}
    assert held == {"ftp_w": (296, row.local_date, True), "hr_max_bpm": (188, row.local_date, False)}
    assert open_ones(ana) == {}
    testing.run_due()
    assert thresholds.changed(ana).status == "succeeded"


def test_an_import_brings_a_suggestion_and_ignoring_its_session_takes_it_away(ana, settings, tmp_path):
    settings.DATA = tmp_path
    from datetime import UTC, datetime

    hand_in(ana, ("a.gpx", gpx(datetime.now(UTC) - timedelta(days=2), seconds=1500, mps=4.0)))
    testing.run_due()
    assert [row.kind for row in suggesting.open_ones(ana)] == ["threshold_pace_s_per_km"]
    remarks.say(ana, Activity.objects.get().pk, {"is_ignored": True})
    testing.run_due()
    assert suggesting.open_ones(ana) == []
