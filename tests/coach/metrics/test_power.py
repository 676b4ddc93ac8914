"""Normalized power, stress and efficiency against vectors worked out by hand."""

import numpy as np
import pytest

from coach.metrics import power


def test_constant_power_is_its_own_normalized_power() -> None:
    assert power.normalized_power_w(np.full(3600, 200.0)) == pytest.approx(200.0, abs=1e-9)


def test_alternating_power_weighs_the_hard_parts() -> None:
    watts = np.tile(np.concatenate([np.full(300, 100.0), np.full(300, 300.0)]), 6)
    assert round(power.normalized_power_w(watts) or 0, 1) == 250.6


def test_normalized_power_needs_ten_minutes() -> None:
    assert power.normalized_power_w(np.full(599, 200.0)) is None
    assert power.normalized_power_w(np.full(600, 200.0)) == pytest.approx(200.0)


def test_zeros_count_and_unmeasured_seconds_do_not() -> None:
    half = np.concatenate([np.full(1800, 200.0), np.zeros(1800)])
    assert power.normalized_power_w(half) == pytest.approx(200 * 0.5**0.25, rel=0.01)
    gaps = np.where(np.arange(3600) % 2 == 0, 200.0, np.nan)
    assert power.normalized_power_w(gaps) == pytest.approx(200.0)


@pytest.mark.parametrize("watts", [np.empty(0), np.array([250.0]), np.full(4000, np.nan)])
def test_without_enough_power_there_is_no_normalized_power(watts: np.ndarray) -> None:
    assert power.normalized_power_w(watts) is None


def test_a_meter_that_falls_silent_for_a_while_means_coasting() -> None:
    watts = np.full(1000, 200.0)
    watts[100:220] = watts[500:700] = np.nan
    filled = power.with_coasting(watts)
    assert (filled[100:220] == 0).all()
    assert np.isnan(filled[500:700]).all()
    assert np.isnan(power.with_coasting(np.full(50, np.nan))).all()
    assert power.with_coasting(np.empty(0)).size == 0


def test_normalized_power_scales_with_power(random: np.random.Generator) -> None:
    watts = random.uniform(0, 400, 2000)
    once, twice = power.normalized_power_w(watts), power.normalized_power_w(watts * 2)
    assert once is not None
    assert twice == pytest.approx(once * 2)
    assert once >= np.mean(watts) * 0.99


def test_stress_of_an_hour_and_of_ninety_minutes() -> None:
    assert round(power.stress_score(200, threshold=250, seconds=3600) or 0, 1) == 64.0
    assert round(power.stress_score(210, threshold=250, seconds=5400) or 0, 2) == 105.84


def test_pace_stress_grows_when_faster_and_not_when_slower() -> None:
    threshold = 1000 / 270  # 4:30 a kilometre
    easy, hard = 1000 / 300, 1000 / 280
    assert round(power.intensity_factor(easy, threshold=threshold) or 0, 2) == 0.90
    score = power.stress_score(easy, threshold=threshold, seconds=1800)
    assert round(score or 0, 1) == 40.5
    assert (power.stress_score(hard, threshold=threshold, seconds=1800) or 0) > (score or 0)


def test_an_hour_at_threshold_is_a_hundred_points() -> None:
    assert power.stress_score(273.0, threshold=273.0, seconds=3600) == pytest.approx(100.0)


def test_variability_and_efficiency() -> None:
    assert round(power.efficiency_factor(200, heart_rate_bpm=140) or 0, 2) == 1.43
    assert power.variability_index(210, average_w=200) == pytest.approx(1.05)


def test_a_threshold_of_nothing_gives_nothing() -> None:
    assert power.intensity_factor(200, threshold=0) is None
    assert power.stress_score(200, threshold=0, seconds=60) is None
    assert power.variability_index(200, average_w=0) is None
    assert power.efficiency_factor(200, heart_rate_bpm=0) is None
