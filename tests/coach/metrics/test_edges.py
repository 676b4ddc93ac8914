"""Where each rule begins and ends: a value on the line, and one a step beyond it."""

import math

import numpy as np
import pytest

from coach.formats.recording import Pause
from coach.metrics import bests, body, clean, effort, fitness, grid, intervals, motion, prediction, quality, route
from coach.metrics.arrays import rolling_mean, smoothed
from coach.metrics.distances import covered_m, distance_of, moving_of
from coach.metrics.load import Evidence, by_effort, by_heart_rate, measure
from coach.metrics.peaks import DISTANCES_M, FASTEST_S, ON_FOOT_M, POWER_S, _beyond, steady_pulse_bpm
from coach.metrics.prepare import mask_sentences
from coach.metrics.sports import sport
from coach.metrics.thresholds import heart_profile
from tests.coach.metrics.recordings import KNOWN, recording, streams


def test_smoothing_is_centred_and_cut_at_both_ends() -> None:
    assert smoothed(np.array([0.0, 0, 0, 9, 0, 0, 0]), window=3).tolist() == [0, 0, 3, 3, 3, 0, 0]
    assert smoothed(np.array([0.0, 3, 0]), window=2).tolist() == [1.5, 1.0, 1.5]
    assert smoothed(np.array([0.0, 3, 0]), window=1).tolist() == [0, 3, 0]
    assert rolling_mean(np.arange(4.0), window=0).size == 0
    assert rolling_mean(np.arange(4.0), window=4).tolist() == [1.5]
    assert rolling_mean(np.arange(4.0), window=5).size == 0


@pytest.mark.parametrize(
    ("spans", "fits"), [((120, 300, 1200), True), ((119, 300, 1200), False), ((120, 300, 1201), False)]
)
def test_critical_power_is_of_two_to_twenty_minutes(spans: tuple[int, ...], fits: bool) -> None:
    found = bests.critical_power({span: 250 + 20_000 / span for span in spans})
    assert (found is not None) == fits
    assert found is None or (round(found.cp_w), round(found.w_prime_j)) == (250, 20_000)


def t_share(value: float, freedom: int) -> float:
    """Return the share of Student's t within ± value, by adding up thin slices of its density."""
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(freedom * math.pi)
    steps = 20_000
    wide = value / steps
    slices = ((1 + ((number + 0.5) * wide) ** 2 / freedom) ** (-(freedom + 1) / 2) for number in range(steps))
    return 2 * scale * wide * sum(slices)


@pytest.mark.parametrize("freedom", range(1, 16))
def test_the_table_of_student_holds_95_percent(freedom: int) -> None:
    assert t_share(body.student_t95(freedom), freedom) == pytest.approx(0.95, abs=5e-5)


def test_beyond_the_table_the_next_known_value_counts() -> None:
    freedoms = (0, 1, 16, 20, 21, 30, 31, 60, 61)
    values = (12.706, 12.706, 2.086, 2.086, 2.042, 2.042, 2.000, 2.000, 1.960)
    assert tuple(map(body.student_t95, freedoms)) == values


def test_a_slope_needs_a_point_more_than_a_line() -> None:
    assert body.slope(np.arange(3), np.array([1.0, 2, 4]), least_points=1) is not None
    assert body.slope(np.arange(2), np.array([1.0, 2]), least_points=1) is None


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [
        ("heart_rate_bpm", 25, 250), ("power_w", 0, 2000), ("cadence_rpm", 0, 250), ("altitude_m", -450, 9000),
        ("speed_mps", 0, 60), ("latitude_deg", -90, 90), ("longitude_deg", -180, 180), ("temperature_c", -60, 70),
    ],
)  # fmt: skip
def test_what_a_stream_may_hold(name: str, least: float, most: float) -> None:
    given = np.array([least - 0.01, least, 5.0 if most < 100 else 30.0, most, most + 0.01])
    kept, counts = clean.plausible({name: given})
    assert np.isfinite(kept[name]).tolist() == [False, True, True, True, False]
    assert counts == {name: 2}


def test_a_distance_is_what_was_covered_since_the_start() -> None:
    assert covered_m({"distance_m": np.array([np.nan, 100, 400, 1100, 1100])}) == 1000
    assert covered_m({"distance_m": np.full(3, np.nan)}) is None
    assert covered_m({}) is None


def test_a_distance_without_a_timer_is_kept_and_half_a_metre_too() -> None:
    for metres, timer_s in ((500.0, 0.0), (0.5, 3600.0)):
        found, doubts = distance_of(recording(distance_m=metres), streams={}, sport=sport("running"), timer_s=timer_s)
        assert (found, doubts) == (metres, [])
    fastest = sport("running").fastest_mps
    for metres, kept in ((fastest * 10, True), (fastest * 10 + 1, False)):
        found, _ = distance_of(recording(distance_m=metres), streams={}, sport=sport("running"), timer_s=10.0)
        assert (found is not None) == kept


@pytest.mark.parametrize(
    ("fields", "moving"),
    [
        ({"sport": "swimming", "indoor": True}, 60.0),
        ({"sport": "swimming", "pool_length_m": 25.0}, 60.0),
        ({"sport": "swimming"}, 30.0),
        ({"sport": "running", "indoor": True}, 30.0),
    ],
)
def test_only_in_a_pool_the_whole_timer_moves(fields: dict[str, object], moving: float) -> None:
    made = {"time_s": np.arange(61.0), "speed_mps": np.where(np.arange(61) <= 30, 1.0, 0.0)}
    given = recording(streams=made, seconds=60, **fields)
    kind = sport(str(fields["sport"]))
    assert moving_of(given, streams=made, sport=kind, timer_s=60.0) == moving


def test_told_moving_time_counts_where_there_are_no_samples() -> None:
    for told, found in ((0.5, 0.5), (0.0, 60.0), (90.0, 60.0)):
        given = recording(seconds=60, moving_s=told)
        assert moving_of(given, streams={}, sport=sport("cycling"), timer_s=60.0) == found


@pytest.mark.parametrize(("told", "taken"), [(700.0, 700.0), (700.5, None), (0.5, 0.5), (0.0, None)])
def test_average_power_that_is_only_told_must_be_plausible(told: float, taken: float | None) -> None:
    given = recording(device_summary={"avg_power_w": told})
    assert effort.by_power(given, grid=grid.resample({})).power_avg_w == taken


def test_the_ramp_needs_eight_days_to_have_one_seven_days_ago() -> None:
    assert fitness.ramp(np.arange(8.0) + 5) == 7
    assert fitness.ramp(np.arange(7.0) + 5) == 11


def test_a_week_of_nearly_equal_days_has_a_monotony_and_of_equal_ones_none() -> None:
    assert fitness.monotony(np.array([50.0] * 6 + [50.001])) is not None
    assert fitness.monotony(np.full(7, 1e6)) is None


def spans(*lengths: tuple[int, bool]) -> np.ndarray:
    return np.concatenate([np.full(seconds, 1.0 if above else 0.0) for seconds, above in lengths])


def test_short_dips_are_joined_and_short_efforts_dropped() -> None:
    assert intervals.efforts_above(spans((5, False), (25, True), (5, False)), level=0.5) == [(5, 30)]
    assert intervals.efforts_above(spans((5, False), (24, True), (5, False)), level=0.5) == []
    assert intervals.efforts_above(spans((15, True), (9, False), (15, True)), level=0.5) == [(0, 39)]
    assert intervals.efforts_above(spans((30, True), (10, False), (30, True)), level=0.5) == [(0, 30), (40, 70)]
    assert intervals.efforts_above(np.full(40, 0.5), level=0.5) == []


def test_breaks_under_fifteen_percent_are_bridged() -> None:
    assert intervals.bridged([(1000, 1200), (1229, 1429), (1600, 1800)]) == [(1000, 1429), (1600, 1800)]
    assert intervals.bridged([(1000, 1200), (1230, 1430), (1600, 1800)]) == [(1000, 1200), (1230, 1430), (1600, 1800)]


def test_efforts_are_alike_within_thirty_percent_of_length_and_twelve_of_level() -> None:
    lengths = [(0, 200), (300, 500), (600, 800), (900, 1160), (1300, 1561)]
    assert intervals.alike(lengths, levels=[300.0] * 5) == lengths[:4]
    levels = [(100 * number, 100 * number + 50) for number in range(5)]
    assert intervals.alike(levels, levels=[300.0, 300, 300, 336, 337]) == levels[:4]


def test_three_efforts_need_two_and_a_half_minutes() -> None:
    short = spans((26, True), (22, False), (26, True), (22, False), (26, True)) * 200 + 100
    assert intervals.find(short) is None
    longer = spans((20, False), (40, True), (40, False), (40, True), (40, False), (40, True), (20, False)) * 200 + 100
    found = intervals.find(longer)
    assert found is not None
    assert found.count == 3


def evidence(**changes: object) -> Evidence:
    fields: dict[str, object] = {
        "sport": sport("cycling"), "timer_s": 3600.0, "outdoors": True, "normalized_power_w": None,
        "graded_speed_mps": None, "trimp": None, "heart_rate_s": 0.0, "heart": None, "sex": "m", "thresholds": {},
        "felt": None,
    }  # fmt: skip
    return Evidence(**(fields | changes))  # type: ignore[arg-type]


def points(found: object) -> float:
    return round(getattr(found, "points", -1.0), 6)


def test_an_hour_at_seven_of_ten_is_a_hundred_points() -> None:
    assert points(by_effort(evidence(felt=7), [])) == 100
    assert points(by_effort(evidence(felt=1, timer_s=4200.0), [])) == round(100 / 6, 6)
    assert by_effort(evidence(felt=7, timer_s=0.0), []) is None


@pytest.mark.parametrize(("seconds", "counts"), [(1800.0, True), (1799.0, False), (1.0, False)])
def test_half_of_a_session_with_a_heart_rate_is_enough(seconds: float, counts: bool) -> None:
    heart = heart_profile(KNOWN, age=None)
    found = by_heart_rate(evidence(heart=heart, heart_rate_s=seconds, trimp=50.0), [])
    assert (found is not None) == counts
    assert found is None or found.flags != ()
    assert points(by_heart_rate(evidence(heart=heart, heart_rate_s=3240.0, trimp=50.0), [])) > 0
    whole = by_heart_rate(evidence(heart=heart, heart_rate_s=3240.0, trimp=50.0), [])
    assert whole is not None
    assert whole.flags == ()


def test_one_second_of_heart_rate_is_a_session_of_one_second() -> None:
    heart = heart_profile(KNOWN, age=None)
    assert by_heart_rate(evidence(heart=heart, heart_rate_s=1.0, timer_s=1.0, trimp=0.02), []) is not None


@pytest.mark.parametrize(("watts", "way"), [(350.0, "power"), (351.0, "estimate")])
def test_nobody_holds_more_than_forty_percent_above_threshold(watts: float, way: str) -> None:
    assert measure(evidence(normalized_power_w=watts, thresholds={"ftp_w": 250.0})).way == way


def test_speed_of_two_samples() -> None:
    assert motion.speed_from_distance(np.array([0.0, 4.0]), fastest_mps=12).tolist() == [4, 4]


def test_a_pause_ends_where_the_timer_goes_on() -> None:
    assert grid.paused(np.arange(6.0), [Pause(start_s=2, duration_s=2)]).tolist() == [0, 0, 1, 1, 0, 0]


def test_the_durations_and_distances_that_bests_are_kept_of() -> None:
    assert POWER_S == (1, 5, 10, 15, 30, 60, 120, 180, 300, 480, 600, 720, 1200, 1800, 2700, 3600, 5400, 7200)
    assert ON_FOOT_M == (400, 1000, 1609, 3000, 5000, 10_000, 15_000, 21_097, 42_195)
    assert DISTANCES_M["cycling"] == (10_000, 20_000, 40_000, 100_000)
    assert DISTANCES_M["swimming"] == (100, 200, 400, 800, 1500)


# World records of 2025 in seconds, of the road where there is none of the track.
RUN_S = {
    400: 43.03, 1000: 131.96, 1609: 223.13, 3000: 437.55, 5000: 755.36, 10_000: 1571.0, 15_000: 2440.0, 21_097: 3402.0,
    42_195: 7235.0,
}  # fmt: skip


@pytest.mark.parametrize(("metres", "seconds"), RUN_S.items())
def test_faster_than_anybody_ran_is_a_jump(metres: int, seconds: float) -> None:
    assert FASTEST_S[metres] <= seconds < FASTEST_S[metres] * 1.006 + 1
    assert _beyond(sport("running"), metres, FASTEST_S[metres]) == ""
    assert _beyond(sport("running"), metres, FASTEST_S[metres] - 0.5) == "jump"
    assert _beyond(sport("walking"), metres, FASTEST_S[metres] - 0.5) == "jump"


@pytest.mark.parametrize(("missing", "counts"), [(60, True), (61, False)])
def test_a_field_test_has_a_heart_rate_for_all_but_one_of_its_last_minutes(missing: int, counts: bool) -> None:
    beats = np.full(1800, 165.0)
    beats[600:700] = 175.0
    beats[-missing:] = np.nan
    found = steady_pulse_bpm(np.full(1800, 250.0), beats)
    assert (found is not None) == counts
    assert found is None or found == pytest.approx((100 * 175 + (1100 - missing) * 165) / (1200 - missing))


def test_a_field_test_lasts_thirty_minutes() -> None:
    assert steady_pulse_bpm(np.full(1799, 250.0), np.full(1799, 165.0)) is None
    before = np.concatenate([np.full(900, 100.0), np.full(1800, 250.0)])
    beats = np.concatenate([np.full(900, 120.0), np.full(600, 150.0), np.full(1200, 170.0)])
    assert steady_pulse_bpm(before, beats) == 170


def test_predictions_reach_from_a_sprint_to_two_days() -> None:
    worth = prediction.vdot(400, seconds=60) or 0
    assert prediction.predicted_s(worth, distance_m=400) == pytest.approx(60, abs=0.01)
    assert prediction.predicted_s(20, distance_m=5_000_000) == 48 * 3600
    assert prediction.predicted_s(50, distance_m=0) is None
    assert prediction.riegel_s(60, distance_m=0, target_m=400) is None


def test_one_value_is_spoken_of_as_one() -> None:
    assert mask_sentences({"power_w": 1, "heart_rate_bpm": 2, "steps": 3}) == [
        "1 implausible value of power left out.",
        "2 implausible values of heart rate left out.",
    ]


@pytest.mark.parametrize(("silent", "said"), [(60, True), (59, False)])
def test_a_sensor_silent_for_a_twentieth_is_a_dropout(silent: int, said: bool) -> None:
    watts = np.random.default_rng(3).uniform(100, 300, 1200)
    watts[:silent] = np.nan
    found = quality.dropouts({"time_s": np.arange(1200.0), "power_w": watts}, [])
    assert (found is not None) == said
    longer = np.concatenate([np.full(60, np.nan), np.random.default_rng(3).uniform(100, 300, 1141)])
    assert quality.dropouts({"time_s": np.arange(1201.0), "power_w": longer}, []) is None


@pytest.mark.parametrize(("seconds", "spikes"), [(5.0, True), (5.01, False)])
def test_a_jump_counts_between_neighbours_of_five_seconds(seconds: float, spikes: bool) -> None:
    made = {"time_s": np.array([0.0, seconds]), "heart_rate_bpm": np.array([60.0, 60.0 + 40 * seconds + 1])}
    assert (quality.spikes(made, []) is not None) == spikes


def test_two_samples_of_one_value_hold_it() -> None:
    assert quality.longest_hold_s(np.array([0.0, 600]), np.array([140.0, 140])) == 600
    assert quality.longest_hold_s(np.array([0.0]), np.array([140.0])) == 0


METRE_DEG = 1 / 111_195.08


def line(*, metres: float, north_m: float = 0.0) -> dict[str, np.ndarray]:
    along = np.linspace(0, metres, 200) * METRE_DEG
    return {"latitude_deg": along + north_m * METRE_DEG, "longitude_deg": np.full(200, 8.0)}


def test_a_route_is_kept_from_half_a_kilometre_and_needs_both_coordinates() -> None:
    assert len(route.route_of(recording(), line(metres=500.5))) == 16
    assert route.route_of(recording(), line(metres=499.5)) == []
    holes = line(metres=2000)
    holes["longitude_deg"][::2] = np.nan
    assert route.route_of(recording(), holes) == pytest.approx(
        np.array(route.route_of(recording(), line(metres=2000))), abs=2e-4
    )
    assert route.route_of(recording(), streams(60, latitude_deg=50.0)) == []


@pytest.mark.parametrize(("apart_m", "same"), [(149.0, True), (151.0, False)])
def test_routes_are_the_same_within_150_metres_on_average(apart_m: float, same: bool) -> None:
    one = [[50 + number / 100, 8.0] for number in range(16)]
    other = [[north + apart_m * METRE_DEG, east] for north, east in one]
    assert route.is_same_route(one, other) == same


@pytest.mark.parametrize(("apart_m", "same"), [(599.0, True), (601.0, False)])
def test_and_within_600_at_each_place(apart_m: float, same: bool) -> None:
    one = [[50 + number / 100, 8.0] for number in range(16)]
    other = [list(place) for place in one]
    other[7][0] += apart_m * METRE_DEG
    assert route.is_same_route(one, other) == same


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"normalized_power_w": 200.0}, "Power cannot be scored yet"),
        ({"sport": sport("running"), "graded_speed_mps": 3.0}, "Pace cannot be scored yet"),
    ],
)
def test_an_estimate_says_which_threshold_would_end_it(changes: dict[str, object], said: str) -> None:
    flags = measure(evidence(**changes)).flags
    assert flags[0].startswith(said)
    assert "estimated" in flags[-1]


def test_an_estimate_blames_no_threshold_for_what_was_not_measured() -> None:
    assert len(measure(evidence()).flags) == 1
    assert len(measure(evidence(sport=sport("running"), graded_speed_mps=3.0, outdoors=False)).flags) == 1
