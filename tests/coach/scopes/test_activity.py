"""Activity: what kind of session it was, exact facts, and charts that keep the peaks."""

from datetime import timedelta
from typing import Any

import numpy as np
import pytest

from coach import scopes
from coach.models import Activity, Athlete
from coach.scopes.facts import Facts
from tests.coach.metrics.recordings import streams
from tests.coach.scopes.rows import TODAY, activity, athlete, with_streams

RIDE = {
    "sport": "cycling",
    "timer_s": 3600.0,
    "distance_m": 30_000.0,
    "power_avg_w": 190.0,
    "normalized_power_w": 200.0,
    "intensity_factor": 0.8,
    "variability_index": 1.05,
    "heart_rate_avg_bpm": 140.0,
    "efficiency_factor": 1.43,
    "load": 64.0,
    "load_from": "power",
}


def facts_of(row: Activity) -> Facts:
    return scopes.facts_for("activity", row.athlete, str(row.pk))


def intervals() -> dict[str, np.ndarray]:
    repeats = np.tile(np.repeat([310.0, 130.0], [240, 180]), 5)
    watts = np.concatenate([np.full(600, 150.0), repeats, np.full(300, 140.0)])
    return {"time_s": np.arange(float(watts.size)), "power_w": watts}


def test_a_ride_with_power(ana: Athlete) -> None:
    facts = facts_of(activity(ana, **RIDE))
    assert facts["np"].display == "200 W"
    assert facts["speed"].display == "30.0 km/h"
    assert facts["kind"].display == "steady session"
    assert facts["load_from"].display == "power"
    assert facts.missing == ()


def test_a_ride_without_power_says_that_it_is_missing(ana: Athlete) -> None:
    facts = facts_of(activity(ana, sport="cycling", load_from="heart_rate", heart_rate_avg_bpm=140))
    assert facts.missing == ("power_avg",)
    assert facts["power_avg"].display == "–"


def test_a_run_has_a_pace_and_no_missing_power(ana: Athlete) -> None:
    facts = facts_of(activity(ana, heart_rate_avg_bpm=150, cadence_avg_rpm=88, graded_speed_mps=3.25, ascent_m=200))
    assert facts["pace"].display == "5:27 /km"
    assert facts["graded_pace"].display == "5:08 /km"
    assert facts["steps"].display == "176 spm"
    assert facts.missing == ()


def test_intervals_are_found_and_named(ana: Athlete) -> None:
    row = with_streams(activity(ana, **RIDE | {"variability_index": 1.3}), intervals())
    facts = facts_of(row)
    assert facts["kind"].display == "interval session"
    assert facts["interval_count"].display == "5"
    assert facts["interval_power"].value == pytest.approx(310, abs=8)
    assert abs(float(facts["interval_length"].value or 0) - 240) <= 8


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"load": 45}, "easy session"),
        ({"load": 70}, "steady session"),
        ({"load": 90}, "hard session"),
        ({"load": 110, "timer_s": 7200}, "long session"),
        ({"load": 5, "timer_s": 500}, "short session"),
        ({"load_from": "estimate"}, "session without a measured intensity"),
    ],
)
def test_the_kind_of_a_run_is_a_rule(ana: Athlete, changes: dict[str, Any], word: str) -> None:
    assert facts_of(activity(ana, **changes))["kind"].display == word


def test_a_session_is_compared_with_the_newest_like_it(ana: Athlete) -> None:
    for days, efficiency in ((40, 1.30), (30, 1.50), (20, 1.40)):
        activity(ana, TODAY - timedelta(days=days), **RIDE | {"efficiency_factor": efficiency})
    facts = facts_of(activity(ana, **RIDE | {"efficiency_factor": 1.47}))
    assert facts["peer_day"].display == "6 November 2026"
    assert facts["peer_measure"].display == "effort per heartbeat"
    assert facts["peer_change"].display == "+5.0 %"
    assert (facts["peer_count"].display, facts["peer_rank"].display) == ("3", "2")


@pytest.mark.parametrize(
    "unlike",
    [
        {"sport": "running"},
        {"indoor": True},
        {"virtual": True},
        {"timer_s": 2600.0},
        {"load": 100.0},
        {"variability_index": 1.2},
        {"load_from": "heart_rate"},
        {"local_date": TODAY, "started_at": None},
    ],
)
def test_only_like_is_compared_with_like(ana: Athlete, unlike: dict[str, Any]) -> None:
    row = activity(ana, **RIDE)
    if "started_at" in unlike:
        unlike["started_at"] = row.started_at - timedelta(days=400)
    activity(ana, TODAY - timedelta(days=10), **RIDE | unlike)
    activity(athlete("mate"), TODAY - timedelta(days=10), **RIDE)
    assert facts_of(row).get("peer_day") is None


def test_streams_keep_their_peaks_in_few_points(ana: Athlete) -> None:
    made = streams(7200, power_w=200, heart_rate_bpm=140, speed_mps=8, altitude_m=100)
    made["power_w"][4321] = 1111
    made["heart_rate_bpm"][100:200] = np.nan
    row = with_streams(activity(ana, **RIDE, pauses=[{"start_s": 3000, "duration_s": 60}]), made)
    chart = facts_of(row).charts["streams"]
    power = next(series for series in chart["series"] if series["key"] == "power")
    assert len(chart["time_s"]) == len(power["values"]) == 220
    assert max(value for value in power["values"] if value) == 1111
    assert power["display_max"] == "1111 W"
    assert power["display_avg"] == "190 W"
    assert chart["pauses"] == [[3000, 60]]
    beats = next(series for series in chart["series"] if series["key"] == "heart_rate")
    assert None in beats["values"]


def test_an_implausible_spike_is_not_drawn(ana: Athlete) -> None:
    made = streams(100, power_w=200)
    made["power_w"][50] = 21_733
    series = facts_of(with_streams(activity(ana, **RIDE), made)).charts["streams"]["series"]
    assert series[0]["display_max"] == "200 W"


def test_runners_see_pace_first_and_upside_down(ana: Athlete) -> None:
    row = with_streams(activity(ana), streams(600, speed_mps=3.0, heart_rate_bpm=150, cadence_rpm=85))
    series = {one["key"]: one for one in facts_of(row).charts["streams"]["series"]}
    assert next(iter(series)) == "pace"
    assert series["pace"]["invert"]
    assert series["pace"]["display_max"] == "5:33 /km"
    assert series["cadence"]["display_max"] == "170 spm"


def test_miles_for_those_who_read_miles(db: None) -> None:
    joe = athlete("joe", units="imperial")
    row = with_streams(activity(joe), streams(600, speed_mps=3.0, altitude_m=100))
    series = {one["key"]: one for one in facts_of(row).charts["streams"]["series"]}
    assert series["pace"]["unit"] == "/mi"
    assert series["altitude"]["display_max"] == "328 ft"


def test_a_track_is_drawn_outdoors_only(ana: Athlete) -> None:
    made = streams(3000, speed_mps=3.0)
    made |= {"latitude_deg": np.linspace(47, 47.1, 3000), "longitude_deg": np.linspace(8, 8.1, 3000)}
    points = facts_of(with_streams(activity(ana), made)).charts["track"]["points"]
    assert len(points) == 220
    assert points[0][:2] == [47, 8]
    assert points[-1][:2] == [47.1, 8.1]
    for place in ({"indoor": True}, {"virtual": True}):
        assert "track" not in facts_of(with_streams(activity(ana, **place), made)).charts


def test_zones_carry_the_bounds_of_their_day(ana: Athlete) -> None:
    zones = {"power": [600, 1200, 1200, 600, 0, 0, 0], "power_bounds_w": [137.5, 187.5, 225, 262.5, 300, 375]}
    facts = facts_of(activity(ana, **RIDE, zone_seconds=zones))
    rows = facts.charts["zones"]["power"]
    assert (rows[0]["label"], rows[0]["seconds"], rows[0]["display"]) == ("Zone 1, under 138 W", 600, "10:00")
    assert rows[0]["share"] == pytest.approx(1 / 6)
    assert rows[1]["label"] == "Zone 2, 138–188 W"
    assert rows[-1]["label"] == "Zone 7, from 375 W"
    assert facts["easy_share"].display == "50 %"
    assert "heart_rate" not in facts.charts["zones"]


def test_laps_are_ticks_and_a_table(ana: Athlete) -> None:
    laps = [
        {"start_s": 0.0, "elapsed_s": 300.0, "timer_s": 300.0, "distance_m": 1000.0},
        {"start_s": 300.0, "elapsed_s": 330.0, "timer_s": 310.0, "distance_m": None},
    ]
    row = with_streams(activity(ana, laps=laps), streams(600, speed_mps=3.0))
    facts = facts_of(row)
    assert facts.charts["streams"]["laps"] == [300.0]
    assert facts.tables["laps"]["rows"] == [["1", "5:00", "1.00 km", "5:00 /km"], ["2", "5:10", "–", "–"]]


def test_every_table_row_fits_its_columns(ana: Athlete) -> None:
    zones = {"heart_rate": [1, 2, 3, 4, 5, 6], "heart_rate_bounds_bpm": [120, 134, 148, 162, 176]}
    row = with_streams(activity(ana, zone_seconds=zones), streams(600, speed_mps=3.0, heart_rate_bpm=150))
    tables = facts_of(row).tables
    assert {"streams", "zones"} <= tables.keys()
    for table in tables.values():
        assert all(len(own) == len(table["columns"]) for own in table["rows"])


def test_a_recording_of_nothing_says_so(ana: Athlete) -> None:
    facts = facts_of(activity(ana, timer_s=0, moving_s=0, elapsed_s=0, distance_m=None, load=0))
    assert "upload" in facts.insufficient


def test_a_recording_of_one_sample_survives(ana: Athlete) -> None:
    row = with_streams(activity(ana, timer_s=1, distance_m=None), streams(1, heart_rate_bpm=100))
    assert "streams" not in facts_of(row).charts


def test_somebody_elses_activity_does_not_exist(ana: Athlete) -> None:
    row, own = activity(athlete("mate")), activity(ana)
    for subject in (str(row.pk), f"0{own.pk}", "0", "x", "-1", "", "9" * 30):
        with pytest.raises(scopes.UnknownSubject, match="no such activity"):
            scopes.facts_for("activity", ana, subject)


def test_an_activity_takes_three_queries(ana: Athlete, django_assert_max_num_queries: Any) -> None:
    for days in range(1, 60):
        activity(ana, TODAY - timedelta(days=days), **RIDE)
    row = with_streams(activity(ana, **RIDE), intervals())
    with django_assert_max_num_queries(3):
        scopes.facts_for("activity", ana, str(row.pk))
