"""When two recordings are of the same session, when they are not, and when somebody must be asked."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from coach.metrics.likeness import Seen, Verdict, judge

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
HERE, NEARBY, ELSEWHERE = (52.5, 13.4), (52.505, 13.4), (52.6, 13.4)
FIT = {"key": "a:0", "file": "a", "format": "fit", "started_at": NOON}
RIDE = Seen(**FIT, sport="cycling", elapsed_s=3700, timer_s=3600, distance_m=30_000, fix=HERE)  # type: ignore[arg-type]
GYM = Seen(**FIT, sport="training", elapsed_s=3600, timer_s=3600)  # type: ignore[arg-type]
RUN = Seen(**FIT, sport="running", elapsed_s=90, timer_s=90, distance_m=400)  # type: ignore[arg-type]


def other(one: Seen = RIDE, *, later_s: float = 0, **changes: object) -> Seen:
    values = {
        "key": "b:0",
        "file": "b",
        "format": "gpx",
        "started_at": one.started_at + timedelta(seconds=later_s),
        **changes,
    }
    return replace(one, **values)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("second", "verdict"),
    [
        pytest.param(other(), Verdict.EXACT, id="another export"),
        pytest.param(other(later_s=119), Verdict.SAME, id="a start within two minutes"),
        pytest.param(other(later_s=-119), Verdict.SAME, id="a start before"),
        pytest.param(other(timer_s=3540, elapsed_s=3640, distance_m=29_150), Verdict.SAME, id="every limit reached"),
        pytest.param(other(timer_s=3700), Verdict.EXACT, id="a format without a timer"),
        pytest.param(other(sport="generic"), Verdict.EXACT, id="a sport that was not said"),
        pytest.param(other(sport="e_biking"), Verdict.EXACT, id="another sport of the family"),
        pytest.param(other(distance_m=None), Verdict.SAME, id="no distance in one, the times agree"),
        pytest.param(other(distance_m=0.0), Verdict.SAME, id="a distance of nothing is none"),
        pytest.param(other(fix=NEARBY), Verdict.EXACT, id="a first fix a little further"),
        pytest.param(other(GYM, later_s=60), Verdict.SAME, id="indoors without a distance"),
        pytest.param(other(later_s=121), Verdict.DOUBT, id="a start beyond two minutes"),
        pytest.param(other(later_s=600, elapsed_s=3100, timer_s=3000, distance_m=25_000), Verdict.DOUBT, id="late"),
        pytest.param(other(distance_m=29_000), Verdict.DOUBT, id="another distance"),
        pytest.param(other(sport="running"), Verdict.DOUBT, id="another sport of the same ride"),
        pytest.param(other(later_s=60, distance_m=None), Verdict.DOUBT, id="no distance in one, a start apart"),
        pytest.param(other(fix=ELSEWHERE), Verdict.DOUBT, id="two places at once"),
        pytest.param(other(later_s=7200), Verdict.DOUBT, id="a clock two hours off, all else the same"),
        pytest.param(other(later_s=-3600 * 14), Verdict.DOUBT, id="a clock as far off as clocks can be"),
        pytest.param(other(later_s=7200, distance_m=30_100), Verdict.DIFFERENT, id="the same way home"),
        pytest.param(other(later_s=7200, format="fit"), Verdict.DIFFERENT, id="there and back, entered by hand"),
        pytest.param(other(later_s=86_400), Verdict.DIFFERENT, id="the next day"),
        pytest.param(other(later_s=3700), Verdict.DIFFERENT, id="the next lap"),
        pytest.param(other(elapsed_s=600, timer_s=600, distance_m=4000), Verdict.DIFFERENT, id="a part of it"),
        pytest.param(other(file="a", key="a:1", later_s=60), Verdict.DIFFERENT, id="the next session of the file"),
        pytest.param(other(file="a", key="a:1"), Verdict.EXACT, id="the same session twice in the file"),
    ],
)
def test_the_verdict(second: Seen, verdict: Verdict) -> None:
    first = GYM if second.sport == "training" else RIDE
    assert judge(first, second).verdict == verdict
    assert judge(second, first) == judge(first, second)


def test_two_hearts_are_asked_about() -> None:
    first = replace(RIDE, heart_rate_bpm=140)
    assert judge(first, other(heart_rate_bpm=154)).verdict == Verdict.EXACT
    assert judge(first, other(heart_rate_bpm=156)).why == "they agree, but the heart rates are not one person's"


def test_a_warm_up_is_not_the_gym_session_that_it_is_part_of() -> None:
    warm_up = other(RUN, later_s=-600, elapsed_s=900, timer_s=900, distance_m=None)
    assert judge(GYM, warm_up).verdict == Verdict.DIFFERENT
    assert judge(GYM, replace(warm_up, started_at=NOON)).verdict == Verdict.DIFFERENT


def test_short_repetitions_are_sessions_of_their_own() -> None:
    assert judge(RUN, other(RUN, later_s=100)).verdict == Verdict.DIFFERENT
    assert judge(RUN, other(RUN, timer_s=40, elapsed_s=40)).verdict == Verdict.DIFFERENT
    assert judge(RUN, other(RUN, later_s=3)).verdict == Verdict.EXACT


def test_a_doubt_says_what_does_not_fit() -> None:
    assert judge(RIDE, other(distance_m=29_000)).why == "they overlap, but the distance differs"
    assert judge(RIDE, other(later_s=300)).why == "they overlap, but the start differs"
    assert judge(RIDE, other(later_s=7200)).why == "they are alike, but the clock of one is off"
