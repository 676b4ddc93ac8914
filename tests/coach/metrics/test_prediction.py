"""VDOT and Riegel against published tables."""

import pytest

from coach.metrics import prediction

HALF, MARATHON = 21_097.5, 42_195.0


@pytest.mark.parametrize(
    ("distance_m", "seconds", "value"),
    [
        (5_000, 1200, 49.81),
        (10_000, 2400, 51.94),
        (10_000, 3000, 40.01),
        (HALF, 5400, 50.98),
        (MARATHON, 10_800, 53.53),
    ],
)
def test_vdot_of_results(distance_m: float, seconds: float, value: float) -> None:
    assert round(prediction.vdot(distance_m, seconds=seconds) or 0, 2) == value


@pytest.mark.parametrize(("distance_m", "seconds"), [(10_000, 41 * 60 + 28), (HALF, 5510), (MARATHON, 3 * 3600 + 677)])
def test_vdot_predicts_other_distances(distance_m: float, seconds: float) -> None:
    value = prediction.vdot(5_000, seconds=1200)
    assert value is not None
    assert round(prediction.predicted_s(value, distance_m=distance_m) or 0) == seconds


def test_a_prediction_over_its_own_distance_is_the_result() -> None:
    value = prediction.vdot(10_000, seconds=2400) or 0
    assert prediction.predicted_s(value, distance_m=10_000) == pytest.approx(2400, abs=0.01)


def test_riegel() -> None:
    assert round(prediction.riegel_s(2400, distance_m=10_000, target_m=HALF) or 0) == 5295
    assert round(prediction.riegel_s(1200, distance_m=5_000, target_m=10_000) or 0) == 2502


def test_nothing_predicts_nothing() -> None:
    assert prediction.vdot(0, seconds=100) is None
    assert prediction.vdot(100, seconds=0) is None
    assert prediction.vdot(100, seconds=36_000) is None
    assert prediction.predicted_s(0, distance_m=5000) is None
    assert prediction.riegel_s(0, distance_m=1, target_m=1) is None
