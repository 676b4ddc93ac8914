"""What is assumed of an athlete, what efforts suggest, and the line through points: each by its own formula."""

import numpy as np
import pytest

from coach.metrics import quality, sports, suggested, trend
from coach.metrics.prediction import oxygen_cost, vdot
from coach.metrics.stretches import fastest, way_of
from coach.metrics.thresholds import estimates_sentence, heart_profile, max_from_age_bpm


def test_a_threshold_heart_rate_is_assumed_at_85_percent_of_reserve() -> None:
    found = heart_profile({"hr_max_bpm": 190.0, "hr_rest_bpm": 50.0}, age=None)
    assert found is not None
    assert (found.lthr_bpm, found.estimated) == (169.0, ("threshold",))


def test_a_maximum_is_assumed_from_the_threshold_before_the_age() -> None:
    found = heart_profile({"lthr_bpm": 171.0}, age=40)
    assert found is not None
    assert (found.max_bpm, found.rest_bpm, found.estimated) == (190.0, 60.0, ("maximum", "resting"))


@pytest.mark.parametrize(("age", "known"), [(4, False), (5, True), (110, True), (111, False), (None, False)])
def test_an_age_that_can_be_gives_a_maximum_and_is_said(age: int | None, known: bool) -> None:
    found = heart_profile({}, age=age)
    assert (found is not None) == known
    assert found is None or found.max_bpm == max_from_age_bpm(age or 0)
    assert max_from_age_bpm(40) == 180
    assert found is None or found.sentence.startswith("The maximum, resting and threshold heart rate is estimated")


def test_what_is_measured_is_never_replaced_by_an_age() -> None:
    for age in (20, 80):
        found = heart_profile({"hr_max_bpm": 187.0, "hr_rest_bpm": 44.0, "lthr_bpm": 168.0}, age=age)
        assert found is not None
        assert (found.max_bpm, found.rest_bpm, found.lthr_bpm, found.sentence) == (187.0, 44.0, 168.0, "")


@pytest.mark.parametrize("wrong", [{"lthr_bpm": 50.0}, {"lthr_bpm": 45.0}, {"lthr_bpm": 191.0}, {"hr_max_bpm": 50.0}])
def test_heart_rates_that_contradict_each_other_say_nothing(wrong: dict[str, float]) -> None:
    given = {"hr_max_bpm": 190.0, "hr_rest_bpm": 50.0, "lthr_bpm": 170.0} | wrong
    assert heart_profile(given, age=40) is None
    assert heart_profile(given | {"lthr_bpm": 190.0, "hr_max_bpm": 190.0}, age=40) is not None


def test_only_what_a_load_rests_on_is_called_an_estimate() -> None:
    assert estimates_sentence({"estimate"}, estimated={"ftp_w"}) == ""
    assert estimates_sentence({"power", "heart_rate"}, estimated={"ftp_w", "hr_rest_bpm"}) == (
        "The threshold power and resting heart rate of that day are estimates, and so are the load and the zones that "
        "rest on them."
    )


def test_threshold_pace_is_where_running_costs_88_percent() -> None:
    for metres, seconds in ((5000, 1200), (10_000, 3000), (21_097, 5400)):
        pace = suggested.threshold_pace_s_per_km(metres, seconds=seconds) or 0
        worth = vdot(metres, seconds=seconds) or 0
        assert oxygen_cost(60_000 / pace) == pytest.approx(0.88 * worth)
    assert suggested.threshold_pace_s_per_km(0, seconds=1200) is None
    assert suggested.ftp_w(312) == pytest.approx(296.4)


@pytest.mark.parametrize(("bpm", "most", "hard"), [(161.5, 190.0, True), (161.0, 190.0, False), (180.0, None, False)])
def test_a_test_is_hard(bpm: float, most: float | None, hard: bool) -> None:
    assert suggested.is_hard(bpm, max_bpm=most) == hard


def test_walkers_and_swimmers_move_slower_than_others() -> None:
    slow = {name for name, kind in sports.SPORTS.items() if kind.slowest_moving_mps == 0.3}
    assert slow == {"walking", "hiking", "swimming"}
    assert {sports.sport(name).slowest_moving_mps for name in ("running", "cycling", "unheard")} == {0.5}


def test_the_line_runs_through_the_middle_of_its_points() -> None:
    days = np.arange(0.0, 70, 10)
    found = trend.line(days, 50 + 0.2 * days)
    assert found is not None
    assert (found.at(0), found.at(60)) == (pytest.approx(50), pytest.approx(62))
    assert (found.centre, found.level) == (30, pytest.approx(56))
    noisy = trend.line(days, np.array([50.0, 53, 51, 57, 55, 62, 60]))
    assert noisy is not None
    assert noisy.half_width(30) == pytest.approx(noisy.error)
    assert noisy.half_width(0) == pytest.approx(noisy.half_width(60))
    assert noisy.half_width(0) > noisy.half_width(20) > noisy.half_width(30)
    assert trend.line(days[:5], days[:5]) is None


def test_two_samples_are_a_way() -> None:
    way = way_of(np.array([0.0, 100]), np.array([0.0, 400]), None, fastest_mps=12)
    assert way is not None
    found = fastest(way, distance_m=200, steepest=-np.inf)
    assert found is not None
    assert (found.seconds, found.doubt) == (50.0, "")
    jumped = fastest(
        way_of(np.array([0.0, 10]), np.array([0.0, 400]), None, fastest_mps=12) or way, distance_m=200, steepest=0
    )
    assert jumped is not None
    assert jumped.doubt == "jump"


@pytest.mark.parametrize(
    ("seconds", "words"), [(119.0, "119 s"), (120.0, "2 min"), (7199.0, "120 min"), (7200.0, "2 h")]
)
def test_lengths_are_said_in_the_unit_they_are_felt_in(seconds: float, words: str) -> None:
    assert quality._minutes(seconds) == words
