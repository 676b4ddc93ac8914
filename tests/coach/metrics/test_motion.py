"""Distance, speed and moving time."""

import numpy as np
import pytest

from coach.formats.recording import Pause
from coach.metrics import motion


def test_a_degree_of_latitude() -> None:
    steps = motion.steps_m(np.array([0.0, 1.0]), np.array([8.0, 8.0]))
    assert steps[0] == pytest.approx(111_195, abs=1)


def test_distance_from_positions_skips_what_is_missing() -> None:
    latitude = np.array([0.0, np.nan, 0.001])
    found = motion.distance_from_positions(latitude, np.array([0.0, np.nan, 0.0]))
    assert np.isnan(found[1])
    assert found[2] == pytest.approx(111.195, abs=0.01)
    assert np.isnan(motion.distance_from_positions(np.full(2, np.nan), np.full(2, np.nan))).all()


def test_a_distance_of_its_own_is_kept() -> None:
    own = {"distance_m": np.array([0.0, 5]), "latitude_deg": np.zeros(2), "longitude_deg": np.zeros(2)}
    assert motion.with_distance(own)["distance_m"].tolist() == [0, 5]
    assert "distance_m" in motion.with_distance({k: v for k, v in own.items() if k != "distance_m"})
    assert motion.with_distance({}) == {}


def test_speed_from_distance() -> None:
    speed = motion.speed_from_distance(np.arange(0, 100, 4.0), fastest_mps=12)
    assert np.allclose(speed, 4.0)
    jump = np.array([0.0, 4, 8, 1000, 1004, 1008, 1012, 1016, 1020, 1024, 1028])
    assert np.nanmax(motion.speed_from_distance(jump, fastest_mps=12)) <= 12
    assert np.isnan(motion.speed_from_distance(np.array([3.0]), fastest_mps=12)).all()


def test_moving_leaves_out_standing_and_pauses() -> None:
    time = np.arange(101.0)
    speed = np.where((time > 20) & (time <= 50), 0.0, 3.0)
    found = motion.moving_s(time, distance_m=None, speed_mps=speed, pauses=[Pause(start_s=60, duration_s=10)])
    assert found == 60


def test_gaps_are_judged_by_displacement_and_long_ones_left_out() -> None:
    time = np.array([0.0, 1, 21, 41, 100])
    covered = np.array([0.0, 3, 83, 84, 384])
    assert motion.moving_s(time, distance_m=covered) == 21
    assert motion.moving_s(time, distance_m=covered, speed_mps=np.full(5, 3.0)) == 21


def test_walkers_may_be_slower() -> None:
    time = np.arange(11.0)
    covered = time * 0.4
    assert motion.moving_s(time, distance_m=covered) == 0
    assert motion.moving_s(time, distance_m=covered, slowest_mps=motion.SLOW_MOVING_MPS) == 10


def test_without_speed_or_distance_moving_is_unknown() -> None:
    assert motion.moving_s(np.arange(5.0), distance_m=None) is None
    assert motion.moving_s(np.arange(1.0), distance_m=np.zeros(1)) is None
