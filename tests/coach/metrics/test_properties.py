"""What holds of every formula whatever the numbers: nothing, one sample, gaps, scale, and which way it goes."""

import math
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from coach.metrics import bests, body, fitness, heart, intervals, motion, power, prediction, recovery, terrain, zones
from coach.metrics.arrays import mean, rolling_mean, smoothed
from coach.metrics.decoupling import decoupling_pct
from coach.metrics.grid import resample
from coach.metrics.peaks import steady_pulse_bpm
from coach.metrics.stretches import fastest, way_of
from coach.metrics.suggested import threshold_pace_s_per_km
from coach.metrics.trend import line

HEART = {"rest_bpm": 50.0, "max_bpm": 190.0}


def time_over(values: np.ndarray) -> float | None:
    way = way_of(np.arange(float(values.size)), values, None, fastest_mps=1000)
    found = fastest(way, distance_m=10, steepest=-np.inf) if way else None
    return found.seconds if found else None


FORMULAS: Mapping[str, Callable[[np.ndarray], Any]] = {
    "mean": mean,
    "rolling mean": lambda values: rolling_mean(np.nan_to_num(values), window=3),
    "smoothing": lambda values: smoothed(np.nan_to_num(values), window=3),
    "normalized power": power.normalized_power_w,
    "coasting": lambda values: power.normalized(power.with_coasting(values)),
    "best powers": lambda values: bests.best_powers_w(values, durations_s=(1, 30)),
    "best time": time_over,
    "impulse": lambda values: heart.trimp(values, **HEART),
    "heart stress": lambda values: heart.heart_stress_score(values, lthr_bpm=170, **HEART),
    "edwards": lambda values: heart.edwards(values, max_bpm=190),
    "decoupling": lambda values: decoupling_pct(values, values),
    "steady pulse": lambda values: steady_pulse_bpm(values, values),
    "zones": lambda values: zones.seconds_in(values, bounds=(100.0, 200.0)),
    "ascent": lambda values: terrain.ascent_m(values, barometric=True),
    "satellite ascent": lambda values: terrain.ascent_m(values, barometric=False),
    "grades": lambda values: terrain.grades(np.arange(float(values.size)), values, barometric=True),
    "cost": lambda values: terrain.mean_cost_factor(np.arange(float(values.size)), np.nan_to_num(values) / 1e4),
    "intervals": intervals.find,
    "distance": lambda values: motion.distance_from_positions(values / 10, values / 10)[np.isfinite(values)],
    "speed": lambda values: mean(motion.speed_from_distance(values, fastest_mps=12)),
    "moving": lambda values: motion.moving_s(np.arange(float(values.size)), distance_m=values),
    "grid": lambda values: mean(resample({"time_s": np.arange(float(values.size)), "power_w": values})["power_w"]),
    "fitness": lambda values: fitness.fitness(values).ctl,
    "ramp": lambda values: fitness.ramp(fitness.fitness(values).ctl),
    "band": lambda values: recovery.hrv_band(values).week_ln,
    "resting": lambda values: recovery.resting(values).delta_bpm,
    "sleep debt": lambda values: recovery.sleep_debt_min(values, need_min=480),
    "bedtimes": recovery.clock_spread_min,
    "slope": lambda values: body.slope(np.arange(float(values.size)), values),
    "line": lambda values: line(np.arange(float(values.size)), values),
}
LITTLE = {
    "nothing": np.empty(0),
    "one sample": np.array([150.0]),
    "two samples": np.array([150.0, 160.0]),
    "nothing measured": np.full(4000, np.nan),
    "one measured": np.concatenate([np.full(2000, np.nan), [150.0], np.full(2000, np.nan)]),
    "zeros": np.zeros(4000),
    "the same throughout": np.full(4000, 150.0),
    "every other one missing": np.where(np.arange(4000) % 2, 150.0, np.nan),
}


def numbers(found: Any) -> np.ndarray:
    """Return all numbers of a result, whatever it looks like."""
    if found is None:
        return np.empty(0)
    if isinstance(found, dict):
        found = list(found.values())
    if hasattr(found, "__slots__"):
        found = [getattr(found, name) for name in found.__slots__ if not isinstance(getattr(found, name), tuple)]
    return np.atleast_1d(np.array(found, dtype=float))


@pytest.mark.parametrize("given", LITTLE)
@pytest.mark.parametrize("name", FORMULAS)
def test_next_to_nothing_gives_none_or_numbers_and_never_fails(name: str, given: str) -> None:
    found = numbers(FORMULAS[name](LITTLE[given].copy()))
    assert np.isfinite(found).all(), found


ORDERLESS = ("mean", "impulse", "heart stress", "edwards", "zones", "sleep debt")
GAPLESS = ("normalized power", "best powers", *ORDERLESS)


@pytest.mark.parametrize("name", GAPLESS)
def test_unmeasured_seconds_change_nothing(name: str, random: np.random.Generator) -> None:
    values = random.uniform(100, 190, 2000)
    holes = np.insert(values, random.integers(0, 2000, 400), np.nan)
    assert numbers(FORMULAS[name](holes)) == pytest.approx(numbers(FORMULAS[name](values)))


@pytest.mark.parametrize("name", ORDERLESS)
def test_the_order_of_seconds_changes_nothing(name: str, random: np.random.Generator) -> None:
    values = random.uniform(100, 190, 2000)
    shuffled = random.permutation(values)
    assert numbers(FORMULAS[name](shuffled)) == pytest.approx(numbers(FORMULAS[name](values)))


SCALED = ("mean", "rolling mean", "smoothing", "normalized power", "best powers", "fitness", "ramp")


@pytest.mark.parametrize("name", SCALED)
@pytest.mark.parametrize("factor", [0.5, 3.0])
def test_twice_the_values_give_twice_the_result(name: str, factor: float, random: np.random.Generator) -> None:
    values = random.uniform(50, 300, 1500)
    once, scaled = numbers(FORMULAS[name](values)), numbers(FORMULAS[name](values * factor))
    assert scaled == pytest.approx(once * factor)


GROWING = ("mean", "normalized power", "impulse", "heart stress", "edwards", "fitness")


@pytest.mark.parametrize("name", GROWING)
def test_a_harder_second_never_gives_less(name: str, random: np.random.Generator) -> None:
    values = random.uniform(60, 180, 1200)
    more = values.copy()
    more[random.integers(0, 1200, 200)] += 9.0
    before, after = numbers(FORMULAS[name](values)), numbers(FORMULAS[name](more))
    assert (after >= before).all()
    assert after.sum() > before.sum()


def rising(values: list[float]) -> bool:
    return all(one < other for one, other in pairwise(values))


def test_uphill_costs_more_the_steeper_it_is() -> None:
    assert rising(terrain.cost_factor(np.linspace(-0.18, 0.45, 60)).tolist())


def test_faster_is_worth_more_and_predicts_shorter_times() -> None:
    worth = [prediction.vdot(10_000, seconds=seconds) or 0 for seconds in range(4000, 1700, -100)]
    assert rising(worth)
    assert rising([-(prediction.predicted_s(value, distance_m=21_097.5) or 0) for value in worth])
    assert rising([prediction.predicted_s(50, distance_m=far) or 0 for far in (1500, 5000, 10_000, 42_195)])
    assert rising([prediction.riegel_s(1200, distance_m=5000, target_m=far) or 0 for far in (1500, 5000, 10_000)])
    assert rising([-(threshold_pace_s_per_km(5000, seconds=seconds) or 0) for seconds in (1500, 1300, 1100)])


def test_a_vdot_predicts_the_result_it_comes_from() -> None:
    for metres in (1500.0, 5000.0, 42_195.0):
        for speed in (3.0, 4.5):
            value = prediction.vdot(metres, seconds=metres / speed)
            assert prediction.predicted_s(value or 0, distance_m=metres) == pytest.approx(metres / speed, abs=0.01)


def of_riders(lthr_bpm: float) -> tuple[float, ...]:
    return zones.friel_bounds_bpm(lthr_bpm, cycling=True)


@pytest.mark.parametrize("bounds", [zones.friel_bounds_bpm, of_riders, zones.coggan_bounds_w, zones.friel_bounds_mps])
def test_bounds_rise_and_scale_with_the_threshold(bounds: Callable[[float], tuple[float, ...]]) -> None:
    assert rising(list(bounds(200.0)))
    assert np.allclose(np.array(bounds(400.0)), 2 * np.array(bounds(200.0)))


def test_a_polarised_split_has_more_of_both_ends() -> None:
    assert rising(
        [zones.polarization_index(easy=0.8, moderate=0.2 - hard, hard=hard) or 0 for hard in (0.05, 0.1, 0.15)]
    )
    assert zones.polarization_index(easy=0.8, moderate=0.2, hard=0.0) is None


def test_ascent_less_descent_is_where_it_ended_within_the_hysteresis(random: np.random.Generator) -> None:
    heights = 300 + np.cumsum(random.normal(0, 1.5, 5000))
    for hysteresis in (0.0, 2.0, 3.0):
        up, down = terrain.climbed_m(heights, hysteresis_m=hysteresis)
        assert abs((up - down) - (heights[-1] - heights[0])) <= hysteresis + 1e-6
    ups = [terrain.climbed_m(heights, hysteresis_m=hysteresis)[0] for hysteresis in (0.0, 1.0, 2.0, 3.0, 8.0)]
    assert rising([-up for up in ups])


def test_critical_power_gives_back_the_line_it_was_made_from() -> None:
    for cp_w, w_prime_j in ((180.0, 9000.0), (320.0, 25_000.0)):
        found = bests.critical_power({seconds: cp_w + w_prime_j / seconds for seconds in (120, 300, 720, 1200)})
        assert found is not None
        assert (found.cp_w, found.w_prime_j) == (pytest.approx(cp_w), pytest.approx(w_prime_j))


def test_even_loads_settle_where_they_are() -> None:
    settled = fitness.fitness(np.full(700, 80.0))
    assert settled.ctl[-1] == pytest.approx(80, abs=1e-4)
    assert settled.tsb[-1] == pytest.approx(0, abs=1e-4)
    assert math.isclose(fitness.load_ratio(np.full(28, 80.0)) or 0, 1.0)
