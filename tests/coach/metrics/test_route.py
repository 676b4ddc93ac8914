"""Two ways are the same when they keep close to each other from end to end, in the same direction."""

import numpy as np
import pytest

from coach.metrics.route import PLACES, is_same_route, route_of
from tests.coach.metrics.recordings import recording


def way(*, seconds: int = 1200, step: float = 3e-5, east: float = 0.0, **changes: object) -> list[list[float]]:
    north = 47 + np.arange(seconds) * step
    made = {"time_s": np.arange(float(seconds)), "latitude_deg": north, "longitude_deg": np.full(seconds, 8.0 + east)}
    given = recording(streams=made, **changes)
    return route_of(given, given.streams)


def test_places_lie_evenly_along_the_way() -> None:
    places = way()
    assert len(places) == PLACES
    assert places[0] == [47.0, 8.0]
    assert np.diff([place[0] for place in places]) == pytest.approx(0.0024, abs=1.1e-4)


def test_the_same_way_at_another_speed_is_the_same_route() -> None:
    assert is_same_route(way(), way(seconds=600, step=6e-5, east=0.0005))


def test_the_way_back_and_a_way_beside_it_are_others() -> None:
    assert not is_same_route(way(), way()[::-1])
    assert not is_same_route(way(), way(east=0.005))
    assert not is_same_route(way(), [])


def test_indoors_in_a_game_and_round_a_room_there_is_no_route() -> None:
    assert way(indoor=True) == way(virtual=True) == way(step=1e-6) == []
