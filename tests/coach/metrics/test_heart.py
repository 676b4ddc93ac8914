"""Training impulse against Banister's and Edwards' worked examples."""

import numpy as np
import pytest

from coach.metrics import heart


def minutes(*parts: tuple[float, float]) -> np.ndarray:
    return np.concatenate([np.full(int(length * 60), float(bpm)) for length, bpm in parts])


@pytest.mark.parametrize(("sex", "points"), [("m", 108.10), ("f", 121.50), ("", 108.10)])
def test_an_hour_at_one_heart_rate(sex: str, points: float) -> None:
    found = heart.trimp(minutes((60, 150)), rest_bpm=50, max_bpm=190, sex=sex)
    assert round(found or 0, 2) == points


def test_impulse_is_summed_by_sample_not_taken_from_the_mean() -> None:
    found = heart.trimp(minutes((30, 120), (30, 180)), rest_bpm=50, max_bpm=190, sex="m")
    assert round(found or 0, 2) == 131.10


def test_impulse_ignores_order_and_gaps(random: np.random.Generator) -> None:
    beats = random.uniform(90, 180, 1000)
    shuffled = random.permutation(np.concatenate([beats, np.full(500, np.nan)]))
    whole = heart.trimp(beats, rest_bpm=50, max_bpm=190)
    assert heart.trimp(shuffled, rest_bpm=50, max_bpm=190) == pytest.approx(whole)


def test_a_heart_below_rest_or_above_maximum_counts_as_the_limit() -> None:
    assert heart.trimp(minutes((10, 40)), rest_bpm=50, max_bpm=190) == 0
    above = heart.trimp(minutes((10, 210)), rest_bpm=50, max_bpm=190)
    assert above == pytest.approx(heart.trimp(minutes((10, 190)), rest_bpm=50, max_bpm=190))


def test_one_sample_is_one_second() -> None:
    one = heart.trimp(np.array([150.0]), rest_bpm=50, max_bpm=190, sex="m")
    assert one == pytest.approx(108.10 / 3600, rel=1e-4)


def test_without_samples_or_reserve_there_is_no_impulse() -> None:
    assert heart.trimp(np.empty(0), rest_bpm=50, max_bpm=190) is None
    assert heart.trimp(np.full(9, np.nan), rest_bpm=50, max_bpm=190) is None
    assert heart.trimp(minutes((1, 100)), rest_bpm=190, max_bpm=190) is None
    assert heart.threshold_trimp(45, rest_bpm=50, max_bpm=190) is None
    assert heart.threshold_trimp(50, rest_bpm=50, max_bpm=190) is None
    assert heart.heart_stress_score(np.empty(0), lthr_bpm=170, rest_bpm=50, max_bpm=190) is None


def test_heart_stress_is_not_the_square_shortcut() -> None:
    score = heart.heart_stress_score(minutes((60, 150)), lthr_bpm=170, rest_bpm=50, max_bpm=190, sex="m")
    assert round(score or 0, 2) == 63.34


def test_an_hour_at_threshold_heart_rate_is_a_hundred_points() -> None:
    for sex in ("m", "f"):
        score = heart.heart_stress_score(minutes((60, 170)), lthr_bpm=170, rest_bpm=50, max_bpm=190, sex=sex)
        assert score == pytest.approx(100.0)


def test_edwards_weighs_five_bands() -> None:
    beats = minutes((10, 110), (20, 130), (15, 150), (10, 170), (5, 190), (30, 90))
    assert heart.edwards(beats, max_bpm=200) == pytest.approx(160)
    assert heart.edwards(np.empty(0), max_bpm=200) is None
