"""Repeated efforts are found where they are, and nowhere else."""

import numpy as np

from coach.metrics import intervals


def session(*parts: tuple[int, float], noise: np.random.Generator) -> np.ndarray:
    steady = np.concatenate([np.full(seconds, watts) for seconds, watts in parts])
    return steady + noise.normal(0, 12, steady.size)


def test_five_by_four_minutes(random: np.random.Generator) -> None:
    watts = session((900, 150.0), *[(240, 310.0), (180, 130.0)] * 5, (600, 140.0), noise=random)
    found = intervals.find(watts)
    assert found is not None
    assert found.count == 5
    assert abs(found.seconds - 240) <= 5
    assert abs(found.effort - 310) < 6
    assert abs(found.spans[0][0] - 900) <= 8


def test_running_repeats_by_speed(random: np.random.Generator) -> None:
    parts = [(900, 2.8), *[(90, 4.6), (90, 2.2)] * 8, (600, 2.7)]
    speed = np.concatenate([np.full(seconds, level) for seconds, level in parts])
    found = intervals.find(speed + random.normal(0, 0.15, speed.size))
    assert found is not None
    assert found.count == 8


def test_a_steady_ride_has_none(random: np.random.Generator) -> None:
    assert intervals.find(session((5400, 200.0), noise=random)) is None


def test_irregular_hills_are_no_intervals(random: np.random.Generator) -> None:
    lengths = [(60, 300.0), (300, 120.0), (400, 290.0), (90, 110.0), (150, 320.0), (500, 100.0), (900, 280.0)]
    assert intervals.find(session(*lengths, (300, 120.0), noise=random)) is None


def test_two_efforts_are_too_few(random: np.random.Generator) -> None:
    assert intervals.find(session((600, 150.0), *[(300, 300.0), (300, 140.0)] * 2, noise=random)) is None


def test_nothing_to_find_in_little() -> None:
    assert intervals.find(np.empty(0)) is None
    assert intervals.find(np.array([200.0])) is None
    assert intervals.find(np.full(4000, np.nan)) is None
    assert intervals.find(np.zeros(4000)) is None
