"""Recovery: the published vectors, and that missing is never zero."""

import numpy as np
import pytest

from coach.metrics import recovery

WEEK = np.array([62.0, 70, 58, 66, 75, 61, 68])


def season(mean_ln, sd_ln, nights=53):
    """Return nights whose ln has exactly this mean and sample SD, before a week that has no part in the sum."""
    draw = np.sin(np.arange(nights) * 1.7)
    draw = (draw - draw.mean()) / draw.std(ddof=1)
    return np.exp(mean_ln + sd_ln * draw)


def test_the_week_of_the_vector():
    band = recovery.hrv_band(WEEK)
    assert round(band.week_ln, 3) == 4.182
    assert round(np.exp(band.week_ln), 1) == 65.5
    assert round(band.cv_pct, 2) == 2.12


def test_the_band_of_the_vector():
    band = recovery.hrv_band(season(4.20, 0.15, nights=60))
    assert (round(np.exp(band.low_ln), 1), round(np.exp(band.high_ln), 1)) == (59.6, 74.6)


def test_below_four_nights_the_week_says_nothing():
    values = np.concatenate((season(4.2, 0.15), WEEK))
    values[-7:-3] = np.nan
    assert recovery.hrv_band(values).week_ln is None
    assert recovery.hrv_band(values).position == ""


def test_below_fourteen_nights_there_is_no_band():
    assert recovery.hrv_band(WEEK).low_ln is None


@pytest.mark.parametrize(("week", "position"), [(40.0, "below"), (67.0, "within"), (110.0, "above")])
def test_the_week_lies_below_within_or_above(week, position):
    assert recovery.hrv_band(np.concatenate((season(4.2, 0.15), np.full(7, week)))).position == position


@pytest.mark.parametrize("scale", [0.5, 1.7])
def test_the_position_does_not_depend_on_the_scale(scale):
    values = np.concatenate((season(4.2, 0.15), WEEK))
    assert recovery.hrv_band(values * scale).position == recovery.hrv_band(values).position


@pytest.mark.parametrize("values", [np.empty(0), np.full(60, np.nan), np.array([60.0]), np.zeros(30)])
def test_nothing_measured_says_nothing(values):
    band = recovery.hrv_band(values)
    assert (band.week_ln, band.mean_ln, band.position) == (None, None, "")
    assert recovery.resting(values).delta_bpm is None


def test_a_raised_resting_heart_rate_is_flagged():
    found = recovery.resting(np.concatenate((np.tile([49.0, 50, 51], 18), np.full(7, 57.0))))
    assert round(found.week_bpm) == 57
    assert found.is_flagged


def test_a_rise_within_the_usual_spread_is_not():
    values = np.concatenate((np.tile([42.0, 50, 58], 18), np.full(7, 54.0)))
    assert recovery.resting(values).delta_bpm > 3
    assert not recovery.resting(values).is_flagged


def test_a_rise_below_three_beats_is_not():
    values = np.concatenate((np.tile([50.0, 50.5], 27), np.full(7, 52.5)))
    assert not recovery.resting(values).is_flagged


def test_the_debt_of_the_vector():
    nights = np.array([420.0, 450, 500, 390, 480, 460, 510])
    assert recovery.sleep_debt_min(nights, need_min=480) == 150


def test_a_missing_night_is_no_night_without_sleep():
    assert recovery.sleep_debt_min(np.array([420.0, np.nan]), need_min=480) == 60
    assert recovery.sleep_debt_min(np.array([np.nan]), need_min=480) is None


def test_who_sleeps_more_owes_nothing():
    assert recovery.sleep_debt_min(np.array([600.0, 470]), need_min=480) == 0


def test_bedtimes_are_compared_around_midnight():
    assert recovery.clock_spread_min(np.array([1430.0, 10, 1430, 10])) == pytest.approx(11.55, abs=0.01)


def test_two_bedtimes_are_too_few():
    assert recovery.clock_spread_min(np.array([1430.0, 10])) is None
