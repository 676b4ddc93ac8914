"""What is kept of a session's samples: its lines in few points, its parts, its way, its efforts, and its kind."""

import numpy as np
import pytest

from coach.metrics.kind import KINDS, kind_of
from coach.metrics.session import summarize
from coach.metrics.sketch import Sketch, sketch
from coach.metrics.sports import sport
from coach.metrics.thin import MOST_POINTS
from coach.models.activity import FOUND_TYPES
from coach.scopes.activity.kind import WORDS
from tests.coach.metrics.recordings import recording, streams

RIDE, RUN = sport("cycling"), sport("running")


def of(made: dict[str, np.ndarray], *, on: object = RIDE, indoors: bool = False) -> Sketch:
    return sketch(made, pauses=(), sport=on, indoors=indoors)


def line(found: Sketch, key: str) -> dict[str, object]:
    return next(one for one in found.drawn["lines"] if one["key"] == key)


def test_a_long_session_is_drawn_in_as_few_points_as_a_short_one_and_keeps_its_peak():
    made = streams(36_000, power_w=200)
    made["power_w"][20_001] = 900
    found = of(made)
    power = line(found, "power")
    assert len(found.drawn["time_s"]) == len(power["values"]) == MOST_POINTS
    assert (power["most"], max(power["values"])) == (900, 900)
    assert len(power["parts"]) == len(found.drawn["from_s"]) == 12


def test_a_pace_is_kept_in_seconds_a_metre_and_its_most_is_a_speed():
    pace = line(of(streams(600, speed_mps=4.0), on=RUN), "pace")
    assert pace["most"] == pytest.approx(4.0)
    assert pace["values"][100] == pytest.approx(0.25)


def test_standing_still_is_a_gap_in_the_pace():
    made = streams(600, speed_mps=3.0)
    made["speed_mps"][200:300] = 0.0
    pace = line(of(made, on=RUN), "pace")
    assert None in pace["values"]


def test_a_way_is_kept_outdoors_only():
    made = streams(3000, speed_mps=3.0)
    made |= {"latitude_deg": np.linspace(47, 47.1, 3000), "longitude_deg": np.linspace(8, 8.1, 3000)}
    assert of(made).drawn["way"][0] == [47, 8, 0]
    assert len(of(made).drawn["way"]) == MOST_POINTS
    assert "way" not in of(made, indoors=True).drawn


@pytest.mark.parametrize("made", [{}, streams(1, heart_rate_bpm=100), {"time_s": np.arange(600.0)}])
def test_of_nothing_measured_nothing_is_drawn(made):
    assert of(made) == Sketch()


def test_repeated_efforts_are_kept_with_what_they_were_measured_by():
    watts = np.concatenate([np.full(600, 150.0), np.tile(np.repeat([310.0, 130.0], [240, 180]), 5)])
    found = of({"time_s": np.arange(float(watts.size)), "power_w": watts}).intervals
    assert (found["count"], found["of"]) == (5, "power_w")
    assert found["effort"] == pytest.approx(310, abs=8)
    assert [begin for begin, _ in found["spans_s"]] == pytest.approx([600 + 420 * place for place in range(5)], abs=10)
    assert all(end - begin == pytest.approx(240, abs=15) for begin, end in found["spans_s"])


def test_the_kinds_have_a_word_each_on_the_screen_and_in_the_rows():
    assert set(KINDS) == set(WORDS) == set(FOUND_TYPES)


@pytest.mark.parametrize(
    ("load", "timer_s", "load_from", "has_intervals", "kind"),
    [
        (45, 3600, "pace", False, "easy"),
        (70, 3600, "pace", False, "steady"),
        (90, 3600, "pace", False, "hard"),
        (90, 3600, "pace", True, "intervals"),
        (110, 7200, "pace", False, "long"),
        (5, 500, "pace", True, "short"),
        (60, 3600, "estimate", False, "unmeasured"),
    ],
)
def test_the_kind_of_a_run(load, timer_s, load_from, has_intervals, kind):
    found = kind_of(family="running", timer_s=timer_s, load=load, load_from=load_from, has_intervals=has_intervals)
    assert found == kind


def test_a_summary_of_a_recording_says_its_kind_and_carries_its_sketch():
    found = summarize(recording(streams=streams(3600, power_w=200)), thresholds={"ftp_w": 250}, sex="", age=None)
    assert found.session_type == "steady"
    assert [one["key"] for one in found.sketch["lines"]] == ["power"]
