"""Zones and how time splits over them."""

import numpy as np
import pytest

from coach.metrics import zones


def test_karvonen_zones() -> None:
    bounds = zones.karvonen_bounds_bpm(rest_bpm=50, max_bpm=190)
    assert bounds == pytest.approx((120, 134, 148, 162, 176))


def test_friel_zones_of_runners_and_riders() -> None:
    assert zones.friel_bounds_bpm(170) == pytest.approx((144.5, 153, 161.5, 170, 175.1, 180.2))
    assert zones.friel_bounds_bpm(100, cycling=True) == pytest.approx((81, 90, 94, 100, 103, 106))


def test_coggan_zones() -> None:
    assert zones.coggan_bounds_w(250) == pytest.approx((137.5, 187.5, 225, 262.5, 300, 375))


def test_pace_zones_are_speeds_that_rise() -> None:
    bounds = zones.friel_bounds_mps(4.0)
    assert [round(4.0 / bound, 2) for bound in bounds] == [1.29, 1.14, 1.06, 1.01, 0.97, 0.90]
    assert list(bounds) == sorted(bounds)


def test_a_value_on_a_bound_belongs_to_the_zone_above() -> None:
    assert zones.seconds_in(np.array([99.0, 100, 150, 200, np.nan]), bounds=(100, 200)) == [1, 2, 1]


def test_every_measured_second_is_in_one_zone(random: np.random.Generator) -> None:
    beats = random.uniform(60, 200, 500)
    beats[:40] = np.nan
    assert sum(zones.seconds_in(beats, bounds=zones.friel_bounds_bpm(170))) == 460
    assert zones.seconds_in(np.empty(0), bounds=(1, 2)) == [0, 0, 0]


def test_time_splits_into_easy_moderate_and_hard() -> None:
    assert zones.split_seconds([1, 2, 4, 8, 16, 32, 64]) == (3, 12, 112)
    assert zones.split_seconds([1, 2, 4, 8, 16, 32]) == (7, 24, 32)


def test_polarization_index() -> None:
    assert round(zones.polarization_index(easy=0.80, moderate=0.05, hard=0.15) or 0, 2) == 2.38
    assert zones.polarization_index(easy=1.0, moderate=0.0, hard=0.0) is None
