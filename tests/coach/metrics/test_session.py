"""A whole recording is summarized honestly, whatever it lacks."""

import dataclasses

import numpy as np
import pytest

from coach.formats.recording import Lap, Pause, Recording
from coach.metrics.session import SessionMetrics, summarize
from coach.models import Activity
from tests.coach.metrics.recordings import KNOWN, recording, streams


def summary(given: Recording, **changes: float) -> SessionMetrics:
    return summarize(given, thresholds=KNOWN | changes, sex="m", age=40)


def ride(**levels: float) -> Recording:
    return recording(streams=streams(**levels))


def run(speed: float = 1000 / 300, **changes: object) -> Recording:
    made = streams(1800, speed_mps=speed, heart_rate_bpm=150, altitude_m=100)
    return recording(**{"sport": "running", "seconds": 1800, "streams": made, "distance_m": 1800 * speed} | changes)


def test_every_field_is_one_of_the_activity() -> None:
    columns = {field.name for field in Activity._meta.get_fields()}
    assert {field.name for field in dataclasses.fields(SessionMetrics)} <= columns


def test_an_hour_of_power() -> None:
    found = summary(ride(power_w=200, heart_rate_bpm=150, cadence_rpm=90))
    assert found.load == pytest.approx(64.0)
    assert found.load_from == "power"
    assert found.intensity_factor == pytest.approx(0.8)
    assert found.variability_index == pytest.approx(1.0)
    assert found.efficiency_factor == pytest.approx(200 / 150)
    assert found.decoupling_pct == pytest.approx(0.0, abs=1e-9)
    assert found.trimp == pytest.approx(108.10, abs=0.005)
    assert found.cadence_avg_rpm == 90
    assert found.flags == []


def test_half_an_hour_of_graded_pace() -> None:
    found = summary(run())
    assert found.load_from == "pace"
    assert found.load == pytest.approx(40.5, abs=0.05)
    assert found.graded_speed_mps == pytest.approx(1000 / 300)
    assert found.normalized_power_w is None


def test_running_uphill_counts_for_more() -> None:
    made = streams(1800, speed_mps=3, heart_rate_bpm=150)
    made["altitude_m"] = made["distance_m"] * 0.05
    uphill = summary(run(3, streams=made, barometric=True))
    assert (uphill.graded_speed_mps or 0) > 3.6
    assert uphill.load > summary(run(3)).load * 1.3


def test_a_treadmill_and_a_made_up_world_fall_to_heart_rate() -> None:
    assert summary(run(indoor=True)).load_from == "heart_rate"
    assert summary(run(virtual=True)).load_from == "heart_rate"


def test_heart_rate_load_is_the_scaled_impulse() -> None:
    found = summary(ride(heart_rate_bpm=150))
    assert found.load_from == "heart_rate"
    assert found.load == pytest.approx(63.34, abs=0.005)
    assert found.intensity_factor is None


def test_without_thresholds_values_are_none_and_the_load_is_an_estimate() -> None:
    found = summarize(ride(power_w=200, heart_rate_bpm=150), thresholds={}, sex="", age=None)
    assert found.load_from == "estimate"
    assert found.load == pytest.approx(50.0)
    assert found.normalized_power_w == pytest.approx(200)
    assert found.intensity_factor is found.trimp is None
    assert found.zone_seconds == {}
    assert any("estimated" in flag for flag in found.flags)
    assert any("set your maximum" in flag for flag in found.flags)


def test_an_age_gives_a_heart_rate_load_that_says_it_is_estimated() -> None:
    found = summarize(ride(heart_rate_bpm=150), thresholds={}, sex="f", age=40)
    assert found.load_from == "heart_rate"
    assert any("maximum, resting and threshold heart rate is estimated" in flag for flag in found.flags)


def test_zones_of_an_assumed_heart_rate_say_so_whatever_the_load_is_taken_from() -> None:
    found = summarize(ride(power_w=200, heart_rate_bpm=150), thresholds={"ftp_w": 250.0}, sex="f", age=40)
    assert found.load_from == "power"
    assert any("maximum, resting and threshold heart rate is estimated" in flag for flag in found.flags)


@pytest.mark.parametrize(
    ("given", "estimated", "said"),
    [
        ("ride", {"ftp_w"}, "The threshold power of that day is an estimate"),
        ("run", {"threshold_pace_s_per_km"}, "The threshold pace of that day is an estimate"),
        (
            "run",
            {"lthr_bpm", "hr_max_bpm"},
            "The maximum heart rate and threshold heart rate of that day are estimates",
        ),
        ("run", {"ftp_w"}, ""),
        ("ride", set(), ""),
    ],
)
def test_a_threshold_that_is_an_estimate_marks_what_rests_on_it(given: str, estimated: set[str], said: str) -> None:
    made = ride(power_w=200, heart_rate_bpm=150) if given == "ride" else run()
    found = summarize(made, thresholds=KNOWN, sex="m", age=40, estimated=estimated)
    assert [flag.partition(", and so")[0] for flag in found.flags] == ([said] if said else [])


def test_running_power_is_never_scored_against_cycling_power() -> None:
    made = streams(1800, power_w=300, heart_rate_bpm=150)
    found = summary(recording(sport="running", seconds=1800, streams=made))
    assert found.load_from == "heart_rate"
    assert found.power_avg_w == 300


def test_an_intensity_beyond_belief_falls_to_the_next_way() -> None:
    found = summary(ride(power_w=400, heart_rate_bpm=150))
    assert found.load_from == "heart_rate"
    assert any("check the threshold" in flag for flag in found.flags)


def test_power_spikes_are_masked_and_said() -> None:
    given = ride(power_w=200)
    given.streams["power_w"][100:104] = 21_733
    found = summary(given)
    assert found.normalized_power_w == pytest.approx(200)
    assert "4 implausible values of power left out." in found.flags


def test_the_timer_never_exceeds_the_elapsed_time() -> None:
    found = summary(recording(elapsed_s=1632.0, timer_s=2760.0))
    assert found.timer_s == found.elapsed_s == 1632.0


@pytest.mark.parametrize("timer_s", [0.0, -5.0, float("nan"), float("inf")])
def test_an_impossible_timer_counts_as_nothing(timer_s: float) -> None:
    found = summary(recording(timer_s=timer_s, elapsed_s=timer_s))
    assert (found.timer_s, found.load) == (0.0, 0.0)


def test_a_recording_without_samples_keeps_what_the_device_says() -> None:
    told = {"avg_heart_rate_bpm": 140.0, "max_heart_rate_bpm": 300.0, "avg_power_w": 180.0}
    found = summary(recording(distance_m=30_000.0, ascent_m=300.0, device_summary=told))
    assert found.heart_rate_avg_bpm == 140
    assert found.heart_rate_max_bpm is None
    assert found.power_avg_w == 180
    assert (found.distance_m, found.ascent_m, found.moving_s) == (30_000, 300, 3600)


def test_one_sample_is_enough_to_survive() -> None:
    found = summary(recording(streams=streams(1, power_w=200, heart_rate_bpm=140, altitude_m=10)))
    assert found.normalized_power_w is None
    assert found.heart_rate_avg_bpm == 140


def test_unmeasured_streams_give_none() -> None:
    hollow = {"time_s": np.arange(3600.0), "heart_rate_bpm": np.zeros(3600), "power_w": np.full(3600, np.nan)}
    found = summary(recording(streams=hollow))
    assert found.heart_rate_avg_bpm is found.power_avg_w is found.trimp is None
    assert found.load_from == "estimate"


def test_a_heart_rate_over_part_of_the_session_is_scaled_and_said() -> None:
    made = streams(heart_rate_bpm=150)
    made["heart_rate_bpm"][2400:] = np.nan
    found = summary(recording(streams=made))
    assert found.load == pytest.approx(63.34, rel=0.01)
    assert any("missing for part" in flag for flag in found.flags)
    made["heart_rate_bpm"][1000:] = np.nan
    assert summary(recording(streams=made)).load_from == "estimate"


def test_an_impossible_distance_is_left_out() -> None:
    found = summary(run(30.0))
    assert found.distance_m is None
    assert found.load_from == "heart_rate"
    assert any("impossible" in flag for flag in found.flags)


def test_an_endless_recording_is_cut() -> None:
    found = summary(recording(seconds=27 * 86_400))
    assert found.load == pytest.approx(1500)
    capped = summary(recording(sport="running", seconds=27 * 86_400))
    assert any("implausibly high" in flag for flag in capped.flags)


def test_ascent_is_the_devices_own_when_given() -> None:
    made = streams(altitude_m=0)
    made["altitude_m"] = np.linspace(0, 300, 3600)
    assert summary(recording(streams=made, ascent_m=280.0)).ascent_m == 280
    assert summary(recording(streams=made, barometric=True)).ascent_m == pytest.approx(300, abs=3)
    assert summary(recording(streams=made, indoor=True)).ascent_m is None


def test_zones_of_a_measured_threshold_are_friels_and_else_karvonens() -> None:
    friel = summary(ride(heart_rate_bpm=150, power_w=200)).zone_seconds
    assert friel["heart_rate"] == [0, 3600, 0, 0, 0, 0, 0]
    assert friel["power"] == [0, 0, 3600, 0, 0, 0, 0]
    assert friel["heart_rate_bounds_bpm"][0] == pytest.approx(0.81 * 170)
    known = {"hr_max_bpm": 190.0, "hr_rest_bpm": 50.0}
    karvonen = summarize(ride(heart_rate_bpm=150), thresholds=known, sex="m", age=None).zone_seconds
    assert karvonen["heart_rate"] == [0, 0, 0, 3600, 0, 0]


def test_a_run_outdoors_has_zones_of_its_graded_pace() -> None:
    """5:00 against a threshold of 4:30 is 111 % of its seconds, between 114 and 106: the third zone."""
    found = summary(run()).zone_seconds
    assert found["pace"] == [0, 0, 1800, 0, 0, 0, 0]
    assert [round(1000 / bound) for bound in found["pace_bounds_mps"]] == [348, 308, 286, 273, 262, 243]
    for indoors in ({"indoor": True}, {"virtual": True}, {"sport": "walking"}):
        assert "pace" not in summary(run(**indoors)).zone_seconds
    assert "pace" not in summarize(run(), thresholds={"lthr_bpm": 170}, sex="m", age=None).zone_seconds


def test_zones_of_pace_are_of_the_grade_too() -> None:
    made = streams(1800, speed_mps=1000 / 300, heart_rate_bpm=150)
    made["altitude_m"] = made["distance_m"] * 0.06
    uphill = summary(run(streams=made, barometric=True)).zone_seconds["pace"]
    assert sum(uphill[:3]) < 60
    assert sum(uphill) == 1800


def test_laps_and_pauses_are_kept_as_plain_data() -> None:
    given = recording(
        laps=(Lap(start_s=0, elapsed_s=600, timer_s=590, distance_m=2000),),
        pauses=(Pause(start_s=100, duration_s=10),),
        notes=("The end of the file is missing; everything before it was kept.",),
    )
    found = summary(given)
    assert found.laps == [{"start_s": 0, "elapsed_s": 600, "timer_s": 590, "distance_m": 2000, "trigger": ""}]
    assert found.pauses == [{"start_s": 100, "duration_s": 10}]
    assert found.flags[0].startswith("The end of the file")


def test_variable_runs_and_rides_have_no_decoupling() -> None:
    given = ride(power_w=200, heart_rate_bpm=150)
    given.streams["power_w"][::2] = 0
    assert summary(given).decoupling_pct is not None  # even over every 30 s: still steady
    given.streams["power_w"][:1800] = 50
    assert summary(given).decoupling_pct is None


def test_a_session_needs_no_thresholds_that_agree() -> None:
    found = summary(ride(heart_rate_bpm=150), hr_rest_bpm=200.0)
    assert found.load_from == "estimate"
