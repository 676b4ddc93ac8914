"""What the product computes at once is what plain loops find, on made streams with gaps, pauses and holes."""

import numpy as np
import pytest

from coach.formats.recording import Pause
from coach.metrics import bests, decoupling, fitness, heart, motion, power, zones
from coach.metrics.grid import Grid, resample
from coach.metrics.stretches import fastest, way_of
from tests.coach.metrics import slow

SEEDS = range(12)
STEPS_S = (1, 1, 1, 1, 1, 1, 2, 3, 9, 10, 11, 40, 700)
PAUSES = ((100.0, 60.0), (400.0, 7.0), (405.0, 30.0), (1500.0, 0.0))
ANYTHING = -np.inf  # no grade is steeper


def made(seed: int, *, samples: int = 900) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Return times with gaps, and streams of which each has holes of its own."""
    random = np.random.default_rng(seed)
    time = np.cumsum(random.choice(STEPS_S, samples, p=weights())).astype(float)
    streams = {
        "power_w": np.round(random.uniform(0, 500, samples)),
        "heart_rate_bpm": np.round(random.uniform(90, 190, samples)),
    }
    for values in streams.values():
        values[random.random(samples) < 0.05] = np.nan
        first = int(random.integers(0, samples - 120))
        values[first : first + int(random.integers(1, 120))] = np.nan
    return time, streams


def weights() -> list[float]:
    rare = [0.004] * 7
    return [*[(1 - sum(rare)) / 6] * 6, *rare]


def quick(time: np.ndarray, streams: dict[str, np.ndarray]) -> Grid:
    pauses = [Pause(start_s=start, duration_s=length) for start, length in PAUSES]
    return resample({"time_s": time, **streams}, pauses=pauses)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_grid(seed: int) -> None:
    time, streams = made(seed)
    once = quick(time, streams)
    again = slow.grid(list(time), {name: list(values) for name, values in streams.items()}, pauses=PAUSES)
    assert once.time_s.tolist() == again["time_s"]
    for name in streams:
        assert np.array_equal(once[name], np.array(again[name]), equal_nan=True), name


@pytest.mark.parametrize("seed", SEEDS)
def test_normalized_power_bests_and_zones(seed: int) -> None:
    grid = quick(*made(seed))
    watts, beats = grid["power_w"], grid["heart_rate_bpm"]
    assert power.normalized_power_w(watts) == pytest.approx(slow.normalized_power_w(list(watts)))
    found = bests.best_powers_w(watts, durations_s=(1, 5, 60, 300, 5000))
    for seconds in (1, 5, 60, 300, 5000):
        assert found.get(seconds) == pytest.approx(slow.best_power_w(list(watts), seconds))
    bounds = zones.friel_bounds_bpm(160)
    assert zones.seconds_in(beats, bounds=bounds) == slow.zone_seconds(list(beats), bounds)
    on_the_bounds = tuple(np.unique(slow.known(list(beats)))[5:11])
    assert zones.seconds_in(beats, bounds=on_the_bounds) == slow.zone_seconds(list(beats), on_the_bounds)


@pytest.mark.parametrize("seed", SEEDS)
def test_decoupling_and_impulse(seed: int) -> None:
    grid = quick(*made(seed))
    watts, beats = grid["power_w"], grid["heart_rate_bpm"]
    assert decoupling.decoupling_pct(watts, beats) == pytest.approx(slow.decoupling_pct(list(watts), list(beats)))
    impulse = slow.trimp(list(beats), rest_bpm=95, max_bpm=180, factor=0.86, exponent=1.67)
    assert heart.trimp(beats, rest_bpm=95, max_bpm=180, sex="f") == pytest.approx(impulse)


@pytest.mark.parametrize("values", [[], [150.0], [np.nan], [np.nan] * 50, [150.0, np.nan], [np.nan, 150.0]])
def test_decoupling_of_next_to_nothing(values: list[float]) -> None:
    array = np.array(values)
    assert decoupling.decoupling_pct(array, array) == slow.decoupling_pct(values, values)


@pytest.mark.parametrize("seed", SEEDS)
def test_best_times_over_distances(seed: int) -> None:
    random = np.random.default_rng(seed)
    time = np.cumsum(random.choice((1, 1, 2, 5, 60), 250)).astype(float)
    covered = np.cumsum(random.choice((0.0, 0.0, 2.0, 5.0, 9.0), 250)) - random.choice((0.0, 0.0, 3.0), 250)
    covered[random.random(250) < 0.1] = np.nan
    way = way_of(time, covered, None, fastest_mps=100)
    assert way is not None
    for wanted in (1.0, 50.0, 333.0, 5000.0):
        found = fastest(way, distance_m=wanted, steepest=ANYTHING)
        expected = slow.best_time_s(list(time), list(covered), wanted)
        assert (found and found.seconds) == (expected and pytest.approx(expected))


@pytest.mark.parametrize("seed", SEEDS)
def test_fitness_is_the_weighted_sum_of_all_days(seed: int) -> None:
    loads = np.random.default_rng(seed).choice((0.0, 0.0, 50.0, 120.0), 150)
    found = fitness.fitness(loads)
    assert np.allclose(found.ctl, slow.level(list(loads), tau_days=42))
    assert np.allclose(found.atl, slow.level(list(loads), tau_days=7))
    assert np.allclose(found.tsb[1:], (found.ctl - found.atl)[:-1])


@pytest.mark.parametrize("seed", SEEDS)
def test_moving_time(seed: int) -> None:
    random = np.random.default_rng(seed)
    time = np.cumsum(random.choice((1, 1, 1, 2, 29, 30, 31, 200), 400)).astype(float)
    speed = random.choice((0.0, 0.3, 0.5, 0.51, 4.0), 400)
    pauses = [Pause(start_s=start, duration_s=length) for start, length in PAUSES]
    for slowest in (0.5, 0.3):
        found = motion.moving_s(time, distance_m=None, speed_mps=speed, pauses=pauses, slowest_mps=slowest)
        assert found == slow.moving_s(list(time), list(speed), pauses=PAUSES, slowest_mps=slowest)
