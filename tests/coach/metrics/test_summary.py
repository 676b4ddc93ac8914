"""A session of which only a summary is known gets sane values, and says where its load comes from."""

from datetime import UTC, datetime
from typing import Any

import pytest

from coach.formats import Recording
from coach.metrics import summary
from coach.metrics.session import SessionMetrics, summarize

HEART = {"hr_max_bpm": 190.0, "hr_rest_bpm": 50.0, "lthr_bpm": 170.0}


def measured(thresholds: dict[str, float] | None = None, **values: Any) -> SessionMetrics:
    plain: dict[str, Any] = {"format": "row", "sport": "cycling", "elapsed_s": 3700, "timer_s": 3600}
    recording = Recording(started_at=datetime(2022, 3, 3, 6, tzinfo=UTC), **{**plain, **values})
    return summarize(recording, thresholds=thresholds or {}, sex="m", age=None)


def test_what_the_summary_says_is_taken() -> None:
    found = measured(moving_s=3500, distance_m=30_000, ascent_m=300, device_summary={"avg_heart_rate_bpm": 140})
    assert (found.elapsed_s, found.timer_s, found.moving_s) == (3700, 3600, 3500)
    assert (found.distance_m, found.ascent_m, found.heart_rate_avg_bpm) == (30_000, 300, 140)
    assert found.zone_seconds == {}


def test_moving_time_never_exceeds_the_timer() -> None:
    assert measured(moving_s=9000).moving_s == 3600
    assert measured().moving_s == 3600


def test_the_average_heart_rate_gives_the_load_and_it_is_said() -> None:
    """60 minutes at 150 against an hour at threshold: the vector of hrTSS."""
    found = measured(HEART, device_summary={"avg_heart_rate_bpm": 150.0})
    assert found.trimp == pytest.approx(108.10, abs=0.01)
    assert found.load == pytest.approx(63.34, abs=0.01)
    assert found.load_from == "heart_rate"
    assert summary.FROM_MEAN in found.flags


def test_without_thresholds_the_load_is_an_estimate_and_the_reason_is_said() -> None:
    found = measured(device_summary={"avg_heart_rate_bpm": 150.0})
    assert (found.load_from, found.load, found.trimp) == ("estimate", 50, None)
    assert any("set your maximum or threshold heart rate" in flag for flag in found.flags)


def test_weighted_power_gives_the_load_of_a_ride() -> None:
    found = measured({"ftp_w": 250.0}, device_summary={"normalized_power_w": 200.0, "avg_power_w": 180.0})
    assert (found.load_from, found.power_avg_w, found.normalized_power_w) == ("power", 180, 200)
    assert found.load == pytest.approx(64.0)
    assert summary.FROM_WEIGHTED in found.flags


def test_a_run_is_judged_by_its_pace() -> None:
    found = measured({"threshold_pace_s_per_km": 270.0}, sport="running", timer_s=1800, distance_m=6000)
    assert found.load_from == "pace"
    assert found.load == pytest.approx(40.5, abs=0.1)
    assert not {summary.FROM_MEAN, summary.FROM_WEIGHTED} & set(found.flags)
