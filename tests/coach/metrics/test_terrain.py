"""Climbing and graded speed."""

import numpy as np
import pytest

from coach.metrics import terrain

WALK = np.array([100.0, 102, 101, 104, 103, 107, 106, 105, 100, 103, 110])


def test_ascent_counts_only_what_leaves_the_reference() -> None:
    assert terrain.climbed_m(WALK, hysteresis_m=3) == (14, 4)
    assert terrain.climbed_m(WALK, hysteresis_m=0)[0] == 19


def test_ascent_backwards_is_descent() -> None:
    steps = np.array([100.0, 150, 120, 180, 90])
    up, down = terrain.climbed_m(steps, hysteresis_m=2)
    assert terrain.climbed_m(steps[::-1], hysteresis_m=2) == (down, up)


def test_satellite_noise_on_the_flat_is_no_climb(random: np.random.Generator) -> None:
    noise = 200 + random.normal(0, 1.5, 3600)
    found = terrain.ascent_m(noise, barometric=False)
    assert found is not None
    assert found[0] < 5


def test_ascent_of_a_steady_climb_is_kept() -> None:
    climb = np.linspace(100, 600, 3600)
    for barometric in (True, False):
        found = terrain.ascent_m(climb, barometric=barometric)
        assert found is not None
        assert found[0] == pytest.approx(500, rel=0.01)


def test_no_altitude_no_ascent() -> None:
    assert terrain.ascent_m(np.empty(0), barometric=True) is None
    assert terrain.ascent_m(np.array([100.0]), barometric=True) is None
    assert terrain.ascent_m(np.full(10, np.nan), barometric=False) is None


def test_cost_of_grades() -> None:
    factors = terrain.cost_factor(np.array([-0.2, -0.1, 0.0, 0.1, 0.2]))
    assert [round(float(factor), 3) for factor in factors] == [0.5, 0.598, 1.0, 1.658, 2.502]


def test_cost_is_held_beyond_the_steepest_measured_grade() -> None:
    assert terrain.cost_factor(np.array([0.9])) == terrain.cost_factor(np.array([0.45]))


def test_grades_of_a_ramp() -> None:
    distance = np.arange(0, 2000, 3.0)
    for barometric in (True, False):
        found = terrain.grades(distance, distance * 0.05, barometric=barometric)
        assert np.allclose(found[60:-60], 0.05, atol=1e-6)
        assert terrain.mean_cost_factor(distance, found) == pytest.approx(
            float(terrain.cost_factor(np.array([0.05]))[0]), rel=0.02
        )


def test_standing_still_and_gaps_have_no_grade() -> None:
    assert not terrain.grades(np.full(50, 100.0), np.arange(50.0), barometric=True).any()
    assert not terrain.grades(np.arange(50.0), np.full(50, np.nan), barometric=True).any()
    assert terrain.grades(np.empty(0), np.empty(0), barometric=True).size == 0
    assert terrain.mean_cost_factor(np.full(5, 10.0), np.zeros(5)) is None
    assert terrain.mean_cost_factor(np.empty(0), np.empty(0)) is None


def test_flat_running_is_its_own_graded_speed() -> None:
    assert np.array_equal(terrain.graded_speed_mps(np.full(3, 3.5), np.zeros(3)), np.full(3, 3.5))
