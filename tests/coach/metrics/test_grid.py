"""The grid of one value a second of timer time."""

import numpy as np

from coach.formats.recording import Pause
from coach.metrics.grid import hold_for, resample


def test_one_hertz_passes_through() -> None:
    time = np.arange(100.0)
    grid = resample({"time_s": time, "power_w": time * 2})
    assert np.array_equal(grid["power_w"], time * 2)


def test_short_gaps_are_held_and_positions_interpolated() -> None:
    streams = {
        "time_s": np.array([0.0, 4, 8]),
        "power_w": np.array([100.0, 200, 300]),
        "distance_m": np.array([0.0, 40, 80]),
    }
    grid = resample(streams)
    assert grid["power_w"].tolist() == [100, 100, 100, 100, 200, 200, 200, 200, 300]
    assert grid["distance_m"].tolist() == [0, 10, 20, 30, 40, 50, 60, 70, 80]


def test_longer_gaps_are_left_out_and_the_rest_joined() -> None:
    streams = {"time_s": np.array([0.0, 1, 2, 13, 14]), "power_w": np.array([1.0, 2, 3, 4, 5])}
    grid = resample(streams)
    assert grid.time_s.tolist() == [0, 1, 2, 13, 14]
    assert grid["power_w"].tolist() == [1, 2, 3, 4, 5]


def test_a_gap_of_exactly_ten_seconds_is_held() -> None:
    grid = resample({"time_s": np.array([0.0, 10]), "power_w": np.array([1.0, 2])})
    assert grid["power_w"].tolist() == [1.0] * 10 + [2.0]


def test_pauses_are_cut_out() -> None:
    time = np.arange(20.0)
    grid = resample({"time_s": time, "power_w": time}, pauses=[Pause(start_s=5, duration_s=10)])
    assert grid["power_w"].tolist() == [0, 1, 2, 3, 4, 15, 16, 17, 18, 19]


def test_overlapping_pauses_count_once() -> None:
    time = np.arange(20.0)
    pauses = [
        Pause(start_s=2, duration_s=10),
        Pause(start_s=4, duration_s=2),
        Pause(start_s=15, duration_s=0),
    ]
    assert resample({"time_s": time, "power_w": time}, pauses=pauses).time_s.size == 10


def test_a_stream_that_stops_is_unmeasured_after() -> None:
    beats = np.where(np.arange(60) < 20, 140.0, np.nan)
    grid = resample({"time_s": np.arange(60.0), "heart_rate_bpm": beats})
    assert np.isfinite(grid["heart_rate_bpm"]).sum() == 20


def test_a_clock_that_jumps_costs_no_memory() -> None:
    time = np.array([0.0, 1, 2, 1.7e9, 1.7e9 + 1])
    assert resample({"time_s": time, "power_w": np.ones(5)}).time_s.size == 5


def test_nothing_and_one_sample() -> None:
    assert resample({}).time_s.size == 0
    assert resample({"time_s": np.empty(0)})["power_w"].size == 0
    one = resample({"time_s": np.array([0.0]), "power_w": np.array([250.0])})
    assert one["power_w"].tolist() == [250.0]
    assert not one.has("heart_rate_bpm")


def test_several_samples_a_second_keep_the_newest() -> None:
    grid = resample({"time_s": np.arange(0, 5, 0.25), "power_w": np.arange(20.0)})
    assert grid["power_w"].tolist() == [0, 4, 8, 12, 16]


def test_sparse_recordings_are_held_longer() -> None:
    assert hold_for(np.arange(0, 100, 5.0)) == 10
    assert hold_for(np.arange(0, 900, 15.0)) == 37.5
    assert hold_for(np.arange(0, 9000, 600.0)) == 60
    assert hold_for(np.empty(0)) == 10
