"""What the reader makes of sound FIT files."""

import numpy as np
import pytest

from coach import formats
from coach.formats import Recording
from coach.formats.recording import Lap, Pause
from tests.traps import fit_bytes as fit


def one(data: bytes) -> Recording:
    (recording,) = formats.read(data, name="a.fit")
    return recording


def test_a_run_has_its_start_its_totals_and_its_streams() -> None:
    file = fit.summary(fit.run(fit.begin()), elapsed=60, timer=60, total_distance=177.0, avg_heart_rate=142)
    recording = one(file.bytes())
    assert recording.started_at == fit.START
    assert (recording.format, recording.sport, recording.timer_s, recording.elapsed_s) == ("fit", "running", 60, 60)
    assert recording.distance_m == 177.0
    assert recording.device_summary["avg_heart_rate_bpm"] == 142
    assert recording.streams["time_s"].tolist() == list(range(60))
    assert recording.streams["distance_m"][-1] == 177.0
    assert recording.streams["latitude_deg"][0] == pytest.approx(52.5, abs=1e-7)
    assert recording.notes == ()


def test_big_endian_files_read_the_same() -> None:
    small, big = (
        one(fit.summary(fit.run(fit.begin(big_endian=end)), elapsed=60, timer=60).bytes()) for end in (False, True)
    )
    assert big.streams["distance_m"].tolist() == small.streams["distance_m"].tolist()


def test_the_device_is_named_as_one_would_say_it() -> None:
    file = fit.begin(product=3113)  # the number of a Forerunner 945
    assert one(fit.summary(fit.run(file), elapsed=60, timer=60).bytes()).device == "Garmin Forerunner 945"


def test_a_stop_and_a_start_make_a_pause_and_the_last_stop_does_not() -> None:
    file = fit.timer(fit.begin(), at_s=0, kind=fit.START_TIMER)
    fit.timer(fit.run(file, samples=30), at_s=29, kind=fit.STOP)
    fit.timer(file, at_s=89, kind=fit.START_TIMER)
    fit.timer(fit.run(file, samples=30, first=90), at_s=120, kind=fit.STOP_ALL)
    recording = one(fit.summary(file, elapsed=120, timer=60).bytes())
    assert recording.pauses == (Pause(start_s=29, duration_s=60),)
    assert (recording.timer_s, recording.elapsed_s) == (60, 120)


def test_a_pause_that_no_event_tells_is_found_in_the_gap() -> None:
    file = fit.run(fit.run(fit.begin(), samples=30), samples=30, first=90)
    recording = one(fit.summary(file, elapsed=120, timer=60).bytes())
    assert recording.pauses == (Pause(start_s=29, duration_s=60),)


def test_gaps_of_smart_recording_are_no_pauses() -> None:
    file = fit.begin()
    for second in range(0, 120, 12):
        fit.run(file, samples=1, first=second)
    assert one(fit.summary(file, elapsed=110, timer=110).bytes()).pauses == ()


def test_laps_have_their_place_and_their_distance() -> None:
    file = fit.run(fit.begin())
    start = fit.seconds(fit.START)
    file.add("lap", start_time=start, total_elapsed_time=30.0, total_timer_time=30.0, total_distance=90.0)
    file.add("lap", start_time=start + 30, total_elapsed_time=40.0, total_timer_time=40.0, total_distance=90.0)
    recording = one(fit.summary(file, elapsed=60, timer=60).bytes())
    assert recording.laps == (
        Lap(start_s=0, elapsed_s=30, timer_s=30, distance_m=90),
        Lap(start_s=30, elapsed_s=30, timer_s=30, distance_m=90),  # cut at the end of the recording
    )


@pytest.mark.parametrize(
    ("shift_min", "expected"), [(60, 60), (-150, -150), (0, 0), (345, 345), (7, None), (15 * 60, None), (-14e6, None)]
)
def test_only_a_plausible_offset_is_believed(shift_min: float, expected: int | None) -> None:
    end = fit.seconds(fit.START) + 60
    local = max(0, int(end + shift_min * 60))
    file = fit.run(fit.begin()).add("activity", timestamp=end, total_timer_time=60.0, local_timestamp=local)
    assert one(fit.summary(file, elapsed=60, timer=60).bytes()).utc_offset_min == expected


def test_a_heart_rate_of_zero_is_none() -> None:
    file = fit.run(fit.begin(), heart_rate=0)
    recording = one(fit.summary(file, elapsed=60, timer=60, avg_heart_rate=0, max_heart_rate=0).bytes())
    assert "heart_rate_bpm" not in recording.streams
    assert "avg_heart_rate_bpm" not in recording.device_summary


def test_power_of_zero_throughout_means_no_meter_and_voids_the_scores_of_the_device() -> None:
    file = fit.run(fit.begin(), power=0)
    recording = one(fit.summary(file, elapsed=60, timer=60, training_stress_score=1.8).bytes())
    assert "power_w" not in recording.streams
    assert "training_stress_score" not in recording.device_summary


def test_a_spike_stays_in_the_stream_but_voids_what_the_device_computed_from_it() -> None:
    file = fit.run(fit.run(fit.begin(), samples=59, power=180), samples=1, first=59, power=21_733)
    recording = one(fit.summary(file, elapsed=60, timer=60, normalized_power=773, avg_power=186).bytes())
    assert recording.streams["power_w"].max() == 21_733
    assert dict(recording.device_summary) == {"avg_power_w": 186}


def test_invalid_values_are_not_measured() -> None:
    file = fit.run(fit.begin(), samples=30, heart_rate=None, position_lat=None, position_long=None, temperature=None)
    fit.run(file, samples=30, first=30, temperature=21)
    streams = one(fit.summary(file, elapsed=60, timer=60).bytes()).streams
    for name in ("heart_rate_bpm", "latitude_deg", "temperature_c"):
        assert np.isnan(streams[name][:30]).all()
        assert not np.isnan(streams[name][30:]).any()


def test_positions_off_the_coast_of_africa_are_a_receiver_without_fix() -> None:
    file = fit.run(fit.begin(), position_lat=0, position_long=0)
    assert "latitude_deg" not in one(fit.summary(file, elapsed=60, timer=60).bytes()).streams


def test_altitudes_are_exact_decimals() -> None:
    file = fit.run(fit.begin(), altitude=62.2)
    assert one(fit.summary(file, elapsed=60, timer=60).bytes()).streams["altitude_m"][0] == 62.2


def test_cadence_has_its_fraction() -> None:
    file = fit.run(fit.begin(), cadence=84, fractional_cadence=0.5)
    assert one(fit.summary(file, elapsed=60, timer=60).bytes()).streams["cadence_rpm"][0] == 84.5


def test_a_ride_on_the_trainer_is_indoor_and_has_no_distance() -> None:
    file = fit.run(fit.begin(), position_lat=None, position_long=None, distance=0, power=200)
    recording = one(fit.summary(file, elapsed=60, timer=60, sport=fit.CYCLING, total_distance=0).bytes())
    assert recording.indoor
    assert recording.distance_m is None


@pytest.mark.parametrize(
    ("maker", "sub_sport"), [(fit.ZWIFT, fit.INDOOR_CYCLING), (fit.GARMIN, fit.VIRTUAL), (fit.ZWIFT, 0)]
)
def test_a_ride_through_a_made_up_world_is_virtual(maker: int, sub_sport: int) -> None:
    file = fit.run(fit.begin(maker=maker))
    assert one(fit.summary(file, elapsed=60, timer=60, sport=fit.CYCLING, sub_sport=sub_sport).bytes()).virtual


def test_who_moves_a_mile_on_the_trainer_is_in_a_made_up_world() -> None:
    file = fit.run(fit.run(fit.begin(), samples=30), samples=30, first=30, position_lat=52.6)
    recording = one(fit.summary(file, elapsed=60, timer=60, sport=fit.CYCLING, sub_sport=fit.INDOOR_CYCLING).bytes())
    assert recording.virtual


def test_a_barometer_is_told() -> None:
    start = fit.seconds(fit.START)
    file = fit.begin().add("device_info", timestamp=start, device_index=1, device_type=4, source_type=5)
    assert one(fit.summary(fit.run(file), elapsed=60, timer=60).bytes()).barometric


def test_distance_is_measured_on_the_ground_when_the_device_counted_none() -> None:
    file = fit.run(fit.begin(), distance=None)
    recording = one(fit.summary(file, elapsed=60, timer=60).bytes())
    assert recording.distance_m == pytest.approx(59 * 3, rel=0.01)


def test_an_activity_without_samples_keeps_its_totals() -> None:
    recording = one(fit.summary(fit.begin(), elapsed=1800, timer=1800, total_distance=5000.0).bytes())
    assert (recording.timer_s, recording.distance_m, dict(recording.streams)) == (1800, 5000, {})


def test_a_single_distance_far_above_its_neighbours_is_none() -> None:
    file = fit.run(
        fit.run(fit.run(fit.begin(), samples=30), samples=1, first=30, distance=90_000), samples=29, first=31
    )
    recording = one(fit.summary(file, elapsed=60, timer=60).bytes())
    assert np.isnan(recording.streams["distance_m"][30])
    assert recording.distance_m == 177
