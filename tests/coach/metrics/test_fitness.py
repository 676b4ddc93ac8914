"""Fitness, fatigue, form and the week against vectors worked out by hand."""

import numpy as np
import pytest

from coach.metrics import fitness


def test_one_day_of_a_hundred() -> None:
    found = fitness.fitness(np.array([100.0]))
    assert (round(found.ctl[0], 2), round(found.atl[0], 2)) == (2.35, 13.31)


def test_six_weeks_of_a_hundred_then_a_week_of_rest() -> None:
    found = fitness.fitness(np.array([100.0] * 42 + [0.0] * 8))
    assert (round(found.ctl[41], 2), round(found.atl[41], 2)) == (63.21, 99.75)
    assert (round(found.ctl[48], 2), round(found.atl[48], 2)) == (53.51, 36.70)
    assert found.tsb[49] == pytest.approx(16.81, abs=0.005)


def test_form_is_of_the_morning_so_todays_load_never_moves_it() -> None:
    quiet = fitness.fitness(np.array([50.0, 50.0, 0.0]))
    hard = fitness.fitness(np.array([50.0, 50.0, 300.0]))
    assert quiet.tsb[2] == hard.tsb[2] == pytest.approx(quiet.ctl[1] - quiet.atl[1])
    assert quiet.tsb[0] == 0


def test_a_day_without_a_value_is_a_rest_day() -> None:
    gaps = fitness.fitness(np.array([80.0, np.nan, 80.0]))
    rest = fitness.fitness(np.array([80.0, 0.0, 80.0]))
    assert np.array_equal(gaps.ctl, rest.ctl)


def test_fitness_scales_with_load(random: np.random.Generator) -> None:
    loads = random.uniform(0, 150, 200)
    once, thrice = fitness.fitness(loads), fitness.fitness(loads * 3)
    assert np.allclose(thrice.ctl, once.ctl * 3)
    assert np.allclose(thrice.tsb, once.tsb * 3)


def test_fitness_of_no_days_is_empty() -> None:
    found = fitness.fitness(np.empty(0))
    assert found.ctl.size == found.atl.size == found.tsb.size == 0
    assert fitness.ramp(found.ctl) is None


def test_ramp_over_the_first_week() -> None:
    ctl = fitness.fitness(np.full(7, 100.0)).ctl
    assert round(fitness.ramp(ctl) or 0, 2) == 15.35


def test_ramp_compares_with_seven_days_before() -> None:
    assert fitness.ramp(np.arange(10.0)) == 7.0


def test_monotony_and_strain_use_the_sample_deviation() -> None:
    week = np.array([60.0, 0, 80, 40, 90, 0, 120])
    assert round(fitness.monotony(week) or 0, 3) == 1.227
    assert round(fitness.strain(week) or 0, 1) == 478.5


def test_equal_days_have_no_monotony() -> None:
    assert fitness.monotony(np.full(7, 50.0)) is None
    assert fitness.strain(np.zeros(7)) is None
    assert fitness.monotony(np.array([1.0, 2.0])) is None


def test_monotony_does_not_depend_on_the_size_of_the_loads(random: np.random.Generator) -> None:
    week = random.uniform(0, 100, 7)
    assert fitness.monotony(week * 5) == pytest.approx(fitness.monotony(week))


def test_load_ratio_uncoupled_and_classic() -> None:
    loads = np.array([50.0] * 21 + [80.0] * 7)
    assert round(fitness.load_ratio(loads) or 0, 2) == 1.60
    assert round(fitness.coupled_load_ratio(loads) or 0, 2) == 1.39


def test_load_ratio_needs_four_weeks_and_a_base() -> None:
    assert fitness.load_ratio(np.full(27, 50.0)) is None
    assert fitness.coupled_load_ratio(np.full(27, 50.0)) is None
    assert fitness.load_ratio(np.array([0.0] * 21 + [80.0] * 7)) is None
    assert fitness.coupled_load_ratio(np.zeros(28)) is None
