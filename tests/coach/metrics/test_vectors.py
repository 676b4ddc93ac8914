"""Every number that the reference prints beside a formula, at the digits printed there; and what its rivals give.

A rival's number is worked out here by hand, so that a formula which drifts into the rival's is seen at once.
"""

import statistics
from collections.abc import Sequence

import numpy as np
import pytest

from coach.metrics import bests, body, fitness, heart, power, prediction, recovery, terrain, zones
from coach.metrics.decoupling import decoupling_pct

HALF, MARATHON = 21_097.5, 42_195.0
SIX_WEEKS = [100.0] * 42
WEEK = [60.0, 0.0, 80.0, 40.0, 90.0, 0.0, 120.0]
MONTH = [50.0] * 21 + [80.0] * 7
NIGHTS = [420.0, 450.0, 500.0, 390.0, 480.0, 460.0, 510.0]
CLIMB = np.array([100.0, 102, 101, 104, 103, 107, 106, 105, 100, 103, 110])
HEART = {"rest_bpm": 50.0, "max_bpm": 190.0}


def beats(*parts: tuple[int, float]) -> np.ndarray:
    return np.concatenate([np.full(minutes * 60, bpm) for minutes, bpm in parts])


def alternating() -> np.ndarray:
    return np.tile(np.repeat([100.0, 300.0], 300), 6)


def ending(loads: Sequence[float]) -> tuple[float, float]:
    found = fitness.fitness(np.array(loads))
    return float(found.ctl[-1]), float(found.atl[-1])


def by_division(loads: Sequence[float], *, tau: float) -> float:
    """Return the level by the other convention, k = 1/τ."""
    level = 0.0
    for load in loads:
        level += (load - level) / tau
    return level


def season(mean_ln: float, sd_ln: float) -> np.ndarray:
    """Return sixty nights whose ln has exactly this mean and sample SD."""
    draw = np.sin(np.arange(60) * 1.7)
    draw = (draw - draw.mean()) / draw.std(ddof=1)
    nights: np.ndarray = np.exp(mean_ln + sd_ln * draw)
    return nights


def of_5_km(*, distance_m: float) -> float | None:
    """Predict from 5 km in 20:00, whose VDOT prints as 49.81."""
    return prediction.predicted_s(known(prediction.vdot(5000, seconds=1200)), distance_m=distance_m)


def known(value: float | None) -> float:
    assert value is not None
    return value


LOAD_AND_POWER = [
    ("NP of constant 200 W", 200.0, 1, lambda: power.normalized_power_w(np.full(3600, 200.0))),
    ("NP of six times 300 s at 100 and 300 s at 300", 250.6, 1, lambda: power.normalized_power_w(alternating())),
    ("TSS of an hour at 200, FTP 250", 64.0, 1, lambda: power.stress_score(200, threshold=250, seconds=3600)),
    ("TSS of 5400 s at 210, FTP 250", 105.84, 2, lambda: power.stress_score(210, threshold=250, seconds=5400)),
    ("EF of 200 W at 140", 1.43, 2, lambda: power.efficiency_factor(200, heart_rate_bpm=140)),
    ("TRIMP of a man", 108.10, 2, lambda: heart.trimp(beats((60, 150)), sex="m", **HEART)),
    ("TRIMP of a woman", 121.50, 2, lambda: heart.trimp(beats((60, 150)), sex="f", **HEART)),
    ("TRIMP of two halves", 131.10, 2, lambda: heart.trimp(beats((30, 120), (30, 180)), sex="m", **HEART)),
    (
        "Edwards",
        160.0,
        0,
        lambda: heart.edwards(beats((10, 110), (20, 130), (15, 150), (10, 170), (5, 190)), max_bpm=200),
    ),
    ("hrTSS", 63.34, 2, lambda: heart.heart_stress_score(beats((60, 150)), lthr_bpm=170, sex="m", **HEART)),
    ("IF of 5:00 against 4:30", 0.90, 2, lambda: power.intensity_factor(1000 / 300, threshold=1000 / 270)),
    ("rTSS of half an hour of it", 40.5, 1, lambda: power.stress_score(1000 / 300, threshold=1000 / 270, seconds=1800)),
    ("CTL of a day of 100", 2.35, 2, lambda: ending([100.0])[0]),
    ("ATL of a day of 100", 13.31, 2, lambda: ending([100.0])[1]),
    ("CTL of 42 of them", 63.21, 2, lambda: ending(SIX_WEEKS)[0]),
    ("ATL of 42 of them", 99.75, 2, lambda: ending(SIX_WEEKS)[1]),
    ("CTL after a week of rest", 53.51, 2, lambda: ending([*SIX_WEEKS, *[0.0] * 7])[0]),
    ("ATL after a week of rest", 36.70, 2, lambda: ending([*SIX_WEEKS, *[0.0] * 7])[1]),
    ("TSB on the next day", 16.81, 2, lambda: float(fitness.fitness(np.array([*SIX_WEEKS, *[0.0] * 8])).tsb[-1])),
    ("ramp of the first week", 15.35, 2, lambda: fitness.ramp(fitness.fitness(np.full(7, 100.0)).ctl)),
    ("monotony", 1.227, 3, lambda: fitness.monotony(np.array(WEEK))),
    ("strain", 478.5, 1, lambda: fitness.strain(np.array(WEEK))),
    ("7/21 ratio", 1.60, 2, lambda: fitness.load_ratio(np.array(MONTH))),
    ("7/28 ratio", 1.39, 2, lambda: fitness.coupled_load_ratio(np.array(MONTH))),
    ("decoupling", 6.67, 2, lambda: decoupling_pct(np.full(3600, 200.0), beats((30, 140), (30, 150)))),
]
PREDICTION = [
    ("VDOT of 5 km in 20:00", 49.81, 2, lambda: prediction.vdot(5000, seconds=1200)),
    ("VDOT of 10 km in 40:00", 51.94, 2, lambda: prediction.vdot(10_000, seconds=2400)),
    ("VDOT of 10 km in 50:00", 40.01, 2, lambda: prediction.vdot(10_000, seconds=3000)),
    ("VDOT of a half in 1:30:00", 50.98, 2, lambda: prediction.vdot(HALF, seconds=5400)),
    ("VDOT of a marathon in 3:00:00", 53.53, 2, lambda: prediction.vdot(MARATHON, seconds=10_800)),
    ("49.81 over 10 km", 41 * 60 + 28, 0, lambda: of_5_km(distance_m=10_000)),
    ("49.81 over a half", 3600 + 31 * 60 + 50, 0, lambda: of_5_km(distance_m=HALF)),
    ("49.81 over a marathon", 3 * 3600 + 11 * 60 + 17, 0, lambda: of_5_km(distance_m=MARATHON)),
    ("Riegel: 10 km to a half", 5295, 0, lambda: prediction.riegel_s(2400, distance_m=10_000, target_m=HALF)),
    ("Riegel: 5 to 10 km", 2502, 0, lambda: prediction.riegel_s(1200, distance_m=5000, target_m=10_000)),
    ("Treff's index", 2.38, 2, lambda: zones.polarization_index(easy=0.80, moderate=0.05, hard=0.15)),
    ("ascent at 3 m", 14.0, 0, lambda: terrain.climbed_m(CLIMB, hysteresis_m=3)[0]),
    ("descent at 3 m", 4.0, 0, lambda: terrain.climbed_m(CLIMB, hysteresis_m=3)[1]),
]
RECOVERY = [
    ("ln rMSSD of the week", 4.182, 3, lambda: recovery.hrv_band(np.array([62.0, 70, 58, 66, 75, 61, 68])).week_ln),
    ("CV of the week", 2.12, 2, lambda: recovery.hrv_band(np.array([62.0, 70, 58, 66, 75, 61, 68])).cv_pct),
    ("band from", 59.6, 1, lambda: float(np.exp(known(recovery.hrv_band(season(4.20, 0.15)).low_ln)))),
    ("band to", 74.6, 1, lambda: float(np.exp(known(recovery.hrv_band(season(4.20, 0.15)).high_ln)))),
    ("sleep debt", 150.0, 0, lambda: recovery.sleep_debt_min(np.array(NIGHTS), need_min=480)),
]


@pytest.mark.parametrize(
    ("printed", "digits", "compute"),
    [row[1:] for row in (*LOAD_AND_POWER, *PREDICTION, *RECOVERY)],
    ids=[row[0] for row in (*LOAD_AND_POWER, *PREDICTION, *RECOVERY)],
)
def test_the_printed_vector(printed: float, digits: int, compute) -> None:  # type: ignore[no-untyped-def]
    assert round(known(compute()), digits) == printed


@pytest.mark.parametrize(
    ("grade", "factor"), [(-0.2, 0.500), (-0.1, 0.598), (0.0, 1.0), (0.1, 1.658), (0.2, 2.502), (0.9, 5.396)]
)
def test_the_cost_of_a_grade(grade: float, factor: float) -> None:
    """Beyond .45 the cost is that of .45, worked out by hand."""
    assert round(float(terrain.cost_factor(np.array([grade]))[0]), 3) == factor


def test_the_bounds_of_zones() -> None:
    assert [round(bound) for bound in zones.karvonen_bounds_bpm(rest_bpm=50, max_bpm=190)][1:3] == [134, 148]
    assert [round(bound, 1) for bound in zones.friel_bounds_bpm(170)[:3]] == [144.5, 153.0, 161.5]
    assert [round(bound) for bound in zones.friel_bounds_bpm(170)[3:]] == [170, 175, 180]
    assert [round(bound) for bound in zones.friel_bounds_bpm(100, cycling=True)] == [81, 90, 94, 100, 103, 106]
    assert [round(bound, 1) for bound in zones.coggan_bounds_w(250)] == [137.5, 187.5, 225.0, 262.5, 300.0, 375.0]


def test_critical_power_of_two_bests() -> None:
    found = bests.critical_power({180: 400, 720: 320}, least_points=2)
    assert found is not None
    assert (round(found.cp_w, 1), round(found.w_prime_j / 1000, 1)) == (293.3, 19.2)


def test_the_trend_of_weights() -> None:
    found = body.trend_kg(np.arange(6), np.array([80.0, 80.6, 79.8, 80.2, 79.4, 79.0]))
    printed = ["80.06", "80.034", "80.0506", "79.9855", "79.887"]
    assert [f"{value:.{len(text) - 3}f}" for value, text in zip(found[1:], printed, strict=True)] == printed


def test_the_week_of_nights_in_milliseconds() -> None:
    week = recovery.hrv_band(np.array([62.0, 70, 58, 66, 75, 61, 68])).week_ln
    assert round(float(np.exp(known(week))), 1) == 65.5


# What the reference prints beside, so that nobody takes it for ours


def test_one_over_tau_is_the_other_convention() -> None:
    assert (round(by_division([100.0], tau=42), 2), round(by_division([100.0], tau=7), 2)) == (2.38, 14.29)
    rested = [*SIX_WEEKS, *[0.0] * 7]
    assert (round(by_division(rested, tau=42), 2), round(by_division(rested, tau=7), 2)) == (53.77, 33.94)
    assert round(ending([100.0])[0], 2) != round(by_division([100.0], tau=42), 2)


def test_the_population_deviation_is_another_monotony() -> None:
    rival = statistics.fmean(WEEK) / statistics.pstdev(WEEK)
    assert (round(rival, 3), round(rival * sum(WEEK), 1)) == (1.325, 516.9)


def test_impulse_from_the_mean_and_the_square_shortcut_are_other_numbers() -> None:
    mean = np.full(3600, beats((30, 120), (30, 180)).mean())
    assert round(known(heart.trimp(mean, sex="m", **HEART)), 2) == 108.10
    assert round((150 / 170) ** 2 * 100, 2) == 77.85


def test_pace_in_minutes_a_kilometre_would_grow_when_slower() -> None:
    def rival(pace_s: float) -> float:
        return 1800 * pace_s * (pace_s / 270) / (270 * 3600) * 100

    def ours(pace_s: float) -> float:
        return known(power.stress_score(1000 / pace_s, threshold=1000 / 270, seconds=1800))

    assert rival(330) > rival(300)
    assert ours(330) < ours(300)


def test_naive_ascent_and_deficits_alone_are_other_numbers() -> None:
    assert terrain.climbed_m(CLIMB, hysteresis_m=0)[0] == 19
    assert sum(max(480 - night, 0) for night in NIGHTS) == 200
