"""Trends: a line with its interval, of one sport and device, or none where the points are too few."""

from datetime import timedelta
from typing import Any

import numpy as np
import pytest

from coach import scopes
from coach.metrics.trend import line
from coach.models import Athlete, Best, ImportFile, ImportRun, Provenance
from coach.scopes.facts import Facts
from tests.coach.scopes.rows import TODAY, activity, athlete

DAY = timedelta(days=1)


def trends(owner: Athlete, subject: str = "90d") -> Facts:
    return scopes.facts_for("trends", owner, subject)


def rides(owner: Athlete, values: list[float], *, every: int = 7, **changes: Any) -> None:
    """Make a ride each so many days, the last one today, with these efforts per heartbeat."""
    for back, value in enumerate(reversed(values)):
        fields = {"sport": "cycling", "efficiency_factor": value, "heart_rate_avg_bpm": 140} | changes
        activity(owner, TODAY - back * every * DAY, **fields)


def test_a_line_has_the_slope_and_interval_of_the_textbook() -> None:
    days = np.array([0.0, 1, 2, 3, 4, 5])
    found = line(days, np.array([1.0, 2.1, 2.9, 4.2, 4.8, 6.1]))
    assert found is not None
    # 17.45 / 17.5; residuals of .1082 squared, so a standard error of .0393, and t of 4 degrees of freedom is 2.776.
    assert found.per_day == pytest.approx(0.99714, abs=5e-6)
    assert found.margin == pytest.approx(0.03932 * 2.776, abs=1e-4)
    assert found.at(2.5) == pytest.approx(np.mean([1.0, 2.1, 2.9, 4.2, 4.8, 6.1]))
    assert found.half_width(0) > found.half_width(2.5)
    assert found.is_clear


def test_a_steady_rise_is_clear(ana: Athlete) -> None:
    rides(ana, [1.40, 1.41, 1.43, 1.44, 1.46, 1.47, 1.49])
    facts = trends(ana)
    assert facts["cycling_efficiency_trend"].display == "rising"
    assert facts["cycling_efficiency_slope"].display == "+0.064"
    assert (facts["cycling_efficiency_start"].display, facts["cycling_efficiency_end"].display) == ("1.40", "1.49")
    assert facts["cycling_efficiency_n"].display == "6 to 11"


def test_noise_is_called_noise(ana: Athlete) -> None:
    rides(ana, [1.40, 1.50, 1.38, 1.52, 1.41, 1.49, 1.44])
    facts = trends(ana)
    assert facts["cycling_efficiency_trend"].display == "no clear change"
    assert facts["clear_count"].value < facts["line_count"].value


def test_fewer_than_six_points_make_no_line(ana: Athlete) -> None:
    rides(ana, [1.4, 1.41, 1.42, 1.43, 1.44], every=3)
    assert "fewer than six" in trends(ana).insufficient.lower()
    activity(ana, TODAY - 20 * DAY, sport="cycling", efficiency_factor=1.39, heart_rate_avg_bpm=140)
    assert trends(ana)["cycling_efficiency_slope"].value


@pytest.mark.parametrize("other", [{"indoor": True}, {"virtual": True}, {"sport": "running"}, {"sport": "e_biking"}])
def test_sports_and_places_are_not_mixed(ana: Athlete, other: dict[str, Any]) -> None:
    rides(ana, [1.4, 1.41, 1.42, 1.43])
    rides(ana, [2.0, 2.1, 2.2], **other)
    assert trends(ana).get("cycling_efficiency_slope") is None


def test_devices_are_not_mixed(ana: Athlete) -> None:
    rides(ana, [1.40, 1.41, 1.42, 1.43, 1.44, 1.45, 1.9, 1.9, 1.9])
    run = ImportRun.objects.create(source=ana.sources.get())
    for number, row in enumerate(ana.activities.order_by("started_at")):
        file = ImportFile.objects.create(run=run, name="a.fit", size=1, sha256=f"{row.pk:064}")
        Provenance.objects.create(
            activity=row, athlete=ana, file=file, sha256=file.sha256, session=0, format="fit",
            device="Edge 530" if number < 6 else "Watch",
        )  # fmt: skip
    facts = trends(ana)
    assert facts["cycling_efficiency_end"].display == "1.45"
    lines = facts.charts["trends"]["lines"]
    assert next(one for one in lines if one["key"] == "cycling_efficiency")["made_of"].endswith("by Edge 530")


@pytest.mark.parametrize(
    "unlike", [{"timer_s": 600}, {"variability_index": 1.3}, {"is_race": True}, {"is_ignored": True}]
)
def test_what_is_short_uneven_raced_or_ignored_is_no_point(ana: Athlete, unlike: dict[str, Any]) -> None:
    rides(ana, [1.4, 1.41, 1.42, 1.43, 1.44])
    activity(ana, TODAY - DAY, sport="cycling", efficiency_factor=1.5, heart_rate_avg_bpm=140, **unlike)
    assert trends(ana).get("cycling_efficiency_slope") is None


def test_the_range_ends_on_the_last_day_with_data(ana: Athlete) -> None:
    for back in range(400, 471, 7):
        activity(ana, TODAY - back * DAY)
    facts = trends(ana)
    assert facts.as_of == TODAY - 400 * DAY
    assert facts["until"].value == (TODAY - 400 * DAY).isoformat()
    assert facts["running_volume_slope"].value is not None


def test_volume_is_hours_a_week_with_empty_weeks_as_nothing(ana: Athlete) -> None:
    for week in range(12):
        if week != 5:
            activity(ana, TODAY - 7 * week * DAY, timer_s=3600.0)
    activity(ana, TODAY - 80 * DAY, timer_s=3600.0)
    points = next(one for one in trends(ana).charts["trends"]["lines"] if one["key"] == "running_volume")["points"]
    assert [value for _, value in points].count(0) == 1
    assert trends(ana)["running_volume_end"].unit == "s"


def test_weeks_before_the_first_session_ever_are_no_points(ana: Athlete) -> None:
    for back in range(0, 49, 7):
        activity(ana, TODAY - back * DAY)
    assert trends(ana)["running_volume_n"].display == "6 to 11"
    assert trends(ana)["running_volume_trend"].display == "no clear change"


def test_pace_is_that_at_the_usual_heart_rate(ana: Athlete) -> None:
    for back in range(8):
        changes = {"graded_speed_mps": 3.0 + 0.01 * (7 - back), "heart_rate_avg_bpm": 150.0, "efficiency_factor": 1.2}
        activity(ana, TODAY - 7 * back * DAY, **changes)
    activity(ana, TODAY - 3 * DAY, graded_speed_mps=4.5, heart_rate_avg_bpm=175.0)
    facts = trends(ana)
    assert facts["running_pace_slope"].display == "−4.7 s/km"
    assert facts["running_pace_trend"].display == "falling"
    assert facts["running_pace_end"].display == "5:26 /km"
    assert facts["running_pace_n"].value == "6 to 11"


def test_vdot_takes_the_best_of_each_fourteen_days(ana: Athlete) -> None:
    for back in range(0, 84, 7):
        row = activity(ana, TODAY - back * DAY)
        slow = back % 14 != 0
        Best.objects.create(
            activity=row, athlete=ana, family="running", measure="time", span=5000,
            value=1500 if slow else 1200 + back, local_date=row.local_date,
        )  # fmt: skip
    facts = trends(ana)
    assert facts["running_vdot_end"].value == pytest.approx(49.81, abs=0.1)
    assert facts["running_vdot_trend"].display == "rising"


def test_fitness_agrees_with_the_load_page(ana: Athlete) -> None:
    for back in range(150):
        activity(ana, TODAY - back * DAY, load=40 + back % 3)
    facts = trends(ana)
    assert facts["fitness_end"].display == scopes.facts_for("load", ana, "current")["ctl"].display


def test_the_facts_claim_no_cause_and_the_pictures_agree_with_them(ana: Athlete) -> None:
    rides(ana, [1.40, 1.41, 1.43, 1.44, 1.46, 1.47, 1.49])
    facts = trends(ana)
    picture = next(one for one in facts.charts["trends"]["lines"] if one["key"] == "cycling_efficiency")
    assert picture["n"] == 7
    assert picture["end"] == facts["cycling_efficiency_end"].display
    assert picture["change"].startswith(facts["cycling_efficiency_slope"].display)
    row = next(row for row in facts.tables["trends"]["rows"] if row[0].startswith("Cycling: effort"))
    assert row[2:4] == [picture["end"], facts["cycling_efficiency_slope"].display]
    assert not any("because" in fact.meaning for fact in facts.facts)


def test_one_more_point_of_the_same_changes_no_fingerprint_and_a_moved_line_does(ana: Athlete) -> None:
    def mark() -> str:
        return trends(ana).fingerprint(writer="w", language="en", units="metric")

    rides(ana, [1.4] * 10, every=6, load=0.0, timer_s=1800.0)
    before = mark()
    activity(
        ana, TODAY, sport="cycling", efficiency_factor=1.4, heart_rate_avg_bpm=140, load=0.0, timer_s=1200.0
    ).delete()
    assert mark() == before
    activity(ana, TODAY, sport="cycling", efficiency_factor=1.9, heart_rate_avg_bpm=140, load=0.0)
    assert mark() != before


def test_only_ones_own_sessions_and_known_ranges(ana: Athlete) -> None:
    rides(athlete("mate"), [1.4] * 10)
    assert "Upload" in trends(ana).insufficient
    for subject in ("", "91d", "90", "current"):
        with pytest.raises(scopes.UnknownSubject, match="no range"):
            trends(ana, subject)


def test_trends_take_five_queries(ana: Athlete, django_assert_max_num_queries: Any) -> None:
    rides(ana, [1.4, 1.5] * 20, every=3)
    with django_assert_max_num_queries(5):
        trends(ana, "365d")
