"""Weight: the published trend, gaps, and an interval that knows how little it knows."""

import numpy as np
import pytest

from coach.metrics import body


def test_the_trend_of_the_vector():
    weights = np.array([80.0, 80.6, 79.8, 80.2, 79.4, 79.0])
    assert np.round(body.trend_kg(np.arange(6), weights), 4).tolist() == [80.0, 80.06, 80.034, 80.0506, 79.9855, 79.887]


def test_a_gap_counts_as_many_days():
    gap = body.trend_kg(np.array([0, 5]), np.array([80.0, 70.0]))[-1]
    daily = body.trend_kg(np.arange(6), np.array([80.0, 70, 70, 70, 70, 70]))[-1]
    assert gap == pytest.approx(daily)


def test_two_weights_of_one_day_move_nothing_twice():
    assert body.trend_kg(np.array([0, 0]), np.array([80.0, 90.0])).tolist() == [80.0, 80.0]


def test_a_straight_line_has_its_slope_and_no_doubt():
    found = body.slope(np.arange(10), 80 - 0.05 * np.arange(10))
    assert found.per_day == pytest.approx(-0.05)
    assert found.margin == pytest.approx(0, abs=1e-9)
    assert found.is_clear


def test_noise_is_not_clear():
    noisy = 80 + np.array([0.5, -0.6, 0.4, -0.3, 0.6, -0.5, 0.2, -0.3])
    assert not body.slope(np.arange(8), noisy).is_clear


def test_the_interval_is_that_of_student():
    days, values = np.arange(5), np.array([1.0, 2.0, 2.0, 4.0, 4.0])
    found = body.slope(days, values)
    assert found.per_day == pytest.approx(0.8)
    assert found.margin == pytest.approx(3.182 * 0.163299, rel=1e-4)


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_too_few_points_have_no_slope(count):
    assert body.slope(np.arange(count), np.ones(count)) is None


def test_points_of_one_day_have_no_slope():
    assert body.slope(np.zeros(6), np.arange(6.0)) is None


def test_missing_values_are_left_out():
    values = np.where(np.arange(12) % 3 == 0, np.nan, 80 - 0.1 * np.arange(12))
    assert body.slope(np.arange(12), values).per_day == pytest.approx(-0.1)


@pytest.mark.parametrize("factor", [2.0, 0.453592])
def test_scaling_the_weights_scales_the_slope(factor):
    days, values = np.arange(9), 80 + np.sin(np.arange(9))
    assert body.slope(days, values * factor).per_day == pytest.approx(body.slope(days, values).per_day * factor)
