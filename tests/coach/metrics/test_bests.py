"""Best efforts, critical power and decoupling."""

import numpy as np
import pytest

from coach.metrics import bests
from coach.metrics.decoupling import decoupling_pct, is_steady
from coach.metrics.stretches import fastest, way_of


def test_critical_power_through_two_points() -> None:
    found = bests.critical_power({180: 400, 720: 320}, least_points=2)
    assert found is not None
    assert round(found.cp_w, 1) == 293.3
    assert round(found.w_prime_j / 1000, 1) == 19.2


def test_critical_power_needs_three_points_between_two_and_twenty_minutes() -> None:
    assert bests.critical_power({180: 400, 720: 320}) is None
    assert bests.critical_power({60: 500, 180: 400, 720: 320, 3600: 250}) is None
    assert bests.critical_power({180: 400, 360: 346, 720: 320}) is not None


def test_critical_power_refuses_a_senseless_fit() -> None:
    assert bests.critical_power({180: 300, 360: 310, 720: 320}) is None


def test_best_powers_are_the_highest_means() -> None:
    watts = np.concatenate([np.full(100, 100.0), np.full(20, 400.0), np.full(100, 100.0)])
    found = bests.best_powers_w(watts, durations_s=(5, 20, 40, 500))
    assert found == {5: 400.0, 20: 400.0, 40: 250.0}


def test_best_powers_never_grow_with_duration(random: np.random.Generator) -> None:
    found = bests.best_powers_w(random.uniform(0, 500, 3000), durations_s=(1, 10, 100, 1000))
    assert list(found.values()) == sorted(found.values(), reverse=True)


def test_best_powers_of_nothing_are_none() -> None:
    assert bests.best_powers_w(np.empty(0), durations_s=(1,)) == {}
    assert bests.best_powers_w(np.full(50, np.nan), durations_s=(1,)) == {}
    assert bests.best_powers_w(np.array([300.0]), durations_s=(1, 2)) == {1: 300.0}


def time_over(distance_m: float, *, time: list[float], covered: list[float]) -> float | None:
    way = way_of(np.array(time), np.array(covered), None, fastest_mps=100)
    found = fastest(way, distance_m=distance_m, steepest=-np.inf) if way else None
    return found.seconds if found else None


def test_best_times_are_elapsed_and_interpolated() -> None:
    time, covered = [0.0, 100, 200, 300, 400], [0.0, 300, 700, 1200, 1500]
    assert time_over(500, time=time, covered=covered) == pytest.approx(100.0)
    assert time_over(900, time=time, covered=covered) == pytest.approx(200.0)
    assert time_over(1500, time=time, covered=covered) == pytest.approx(400.0)
    assert time_over(1501, time=time, covered=covered) is None


def test_best_times_count_a_pause_between() -> None:
    time, covered = [0.0, 100, 700, 800], [0.0, 500, 500, 1000]
    assert time_over(1000, time=time, covered=covered) == pytest.approx(800.0)
    assert time_over(500, time=time, covered=covered) == pytest.approx(100.0)


@pytest.mark.parametrize("covered", [[], [0.0], [np.nan, np.nan], [7.0, 7.0, 7.0]])
def test_best_times_of_nothing_are_none(covered: list[float]) -> None:
    assert time_over(100, time=[float(second) for second in range(len(covered))], covered=covered) is None


def test_decoupling_of_a_drifting_heart() -> None:
    beats = np.concatenate([np.full(1800, 140.0), np.full(1800, 150.0)])
    assert round(decoupling_pct(np.full(3600, 200.0), beats) or 0, 2) == 6.67


def test_decoupling_is_free_of_scale_and_of_gaps(random: np.random.Generator) -> None:
    watts, beats = random.uniform(150, 250, 4000), random.uniform(120, 160, 4000)
    whole = decoupling_pct(watts, beats)
    assert decoupling_pct(watts * 3, beats) == pytest.approx(whole)
    beats[:100] = np.nan
    assert decoupling_pct(watts, beats) is not None


def test_decoupling_needs_both_halves() -> None:
    assert decoupling_pct(np.empty(0), np.empty(0)) is None
    assert decoupling_pct(np.array([200.0]), np.array([140.0])) is None
    assert decoupling_pct(np.zeros(100), np.full(100, 140.0)) is None
    assert decoupling_pct(np.full(100, 200.0), np.zeros(100)) is None
    half = np.concatenate([np.full(50, 140.0), np.full(50, np.nan)])
    assert decoupling_pct(np.full(100, 200.0), half) is None


def test_only_steady_sessions_of_forty_minutes_are_read() -> None:
    assert is_steady(variability=1.05, seconds=2400)
    assert not is_steady(variability=1.06, seconds=2400)
    assert not is_steady(variability=1.0, seconds=2399)
    assert not is_steady(variability=None, seconds=9000)
