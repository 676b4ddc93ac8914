"""The best efforts kept beside a session: exact, and marked where they are no record."""

import numpy as np
import pytest

from coach.formats.recording import Pause, Recording
from coach.metrics import peaks
from coach.metrics.peaks import Peak, peaks_of
from coach.metrics.prepare import prepare
from coach.metrics.sports import sport
from tests.coach.metrics.recordings import recording, streams


def found(given: Recording) -> dict[tuple[str, int], Peak]:
    made = prepare(given)
    return {(peak.measure, peak.span): peak for peak in peaks_of(given, made=made, sport=sport(given.sport))}


def run(seconds: int = 3600, *, altitude: np.ndarray | None = None, **changes: object) -> Recording:
    made = streams(seconds, speed_mps=4.0, altitude_m=100)
    if altitude is not None:
        made["altitude_m"] = altitude
    return recording(**{"sport": "running", "seconds": seconds, "streams": made} | changes)


def test_power_over_every_duration_that_fits() -> None:
    watts = np.full(1300, 200.0)
    watts[100:400] = 300
    kept = found(recording(seconds=1300, streams=streams(1300) | {"power_w": watts}))
    assert {span for measure, span in kept if measure == "power"} == {s for s in peaks.POWER_S if s <= 1300}
    assert kept["power", 300].value == pytest.approx(300)
    assert kept["power", 600].value == pytest.approx(250)
    assert kept["power", 300].doubt == ""


def test_a_masked_spike_of_power_never_counts() -> None:
    made = streams(1200, power_w=200)
    made["power_w"][500:504] = 21_733
    assert found(recording(seconds=1200, streams=made))["power", 1].value == pytest.approx(200)


def test_times_over_distances_are_elapsed_and_exact_between_samples() -> None:
    kept = found(run())
    assert kept["time", 1000].value == pytest.approx(250)
    assert kept["time", 10_000].value == pytest.approx(2500)
    assert ("time", 15_000) not in kept
    paused = streams(3600, speed_mps=4.0)
    paused["time_s"][100:] += 60
    slower = found(run(streams=paused, pauses=(Pause(start_s=100, duration_s=60),)))
    assert slower["time", 10_000].value == pytest.approx(2500)  # it lies behind the pause
    assert found(run(2600, streams={k: v[:2600] for k, v in paused.items()}))["time", 10_000].value > 2500


def test_the_fastest_stretch_may_begin_and_end_between_samples() -> None:
    time = np.array([0.0, 100.0, 150.0, 300.0])
    made = {"time_s": time, "distance_m": np.array([0.0, 300.0, 600.0, 1000.0])}
    # 400 m: the 300 m in 50 s and 100 m beside them, before at 3 m/s rather than after at 2.67.
    assert found(run(300, streams=made))["time", 400].value == pytest.approx(50 + 100 / 3, abs=0.01)


@pytest.mark.parametrize(
    ("changes", "doubt"),
    [
        ({}, ""),
        ({"virtual": True}, "virtual"),
        ({"sport": "cycling", "indoor": True}, "virtual"),
        ({"sport": "e_biking"}, "motor"),
    ],
)
def test_what_is_not_ones_own_way_is_marked(changes: dict[str, object], doubt: str) -> None:
    made = streams(3600, speed_mps=4.0, power_w=200)
    kept = found(run(**{"streams": made} | changes))
    assert kept["time", 10_000].doubt == doubt
    assert kept["power", 300].doubt == ("motor" if doubt == "motor" else "")  # power is one's own in a game


@pytest.mark.parametrize(
    ("kind", "grade", "doubt"),
    [
        ("running", -0.014, ""),
        ("running", -0.016, "downhill"),
        ("cycling", -0.004, ""),
        ("cycling", -0.006, "downhill"),
        ("running", 0.05, ""),
    ],
)
def test_a_stretch_down_a_hill_is_marked(kind: str, grade: float, doubt: str) -> None:
    altitude = 900 + np.arange(3600) * 4.0 * grade
    assert found(run(altitude=altitude, sport=kind))["time", 10_000].doubt == doubt


def test_a_flat_stretch_is_taken_before_a_faster_one_downhill() -> None:
    speed = np.concatenate((np.full(1000, 4.0), np.full(1000, 5.0)))
    altitude = np.concatenate((np.full(1000, 500.0), 500 - np.arange(1000) * 0.2))
    made = {"time_s": np.arange(2000.0), "distance_m": np.cumsum(speed) - 4.0, "altitude_m": altitude}
    kept = found(run(2000, streams=made))
    assert kept["time", 1000].doubt == ""
    assert 200 < kept["time", 1000].value <= 250


def test_a_jump_of_the_satellites_makes_no_record() -> None:
    made = streams(1000, speed_mps=3.0)
    made["distance_m"][500:] += 400
    kept = found(run(1000, streams=made))
    assert kept["time", 400] == Peak(measure="time", span=400, value=pytest.approx(133.33, abs=0.01))
    assert kept["time", 3000].doubt == "jump"


def test_nobody_runs_faster_than_anybody_ever_did() -> None:
    assert found(run(streams=streams(3600, speed_mps=7.0)))["time", 10_000].doubt == "jump"
    assert found(run(streams=streams(3600, speed_mps=7.0), sport="cycling"))["time", 10_000].doubt == ""


def test_the_heart_rate_of_an_even_half_hour() -> None:
    made = streams(3600, power_w=150, heart_rate_bpm=120)
    made["power_w"][1000:2800] = 260
    made["heart_rate_bpm"][1600:2800] = 165
    kept = found(recording(streams=made))
    assert kept["pulse", 1200].value == pytest.approx(165, abs=0.5)
    assert kept["pulse", 5].value == 165
    uneven = dict(made, power_w=np.where(np.arange(3600) // 120 % 2, 100.0, 330.0))
    assert ("pulse", 1200) not in found(recording(streams=uneven))


def test_a_single_beat_is_no_highest_heart_rate() -> None:
    made = streams(600, heart_rate_bpm=150)
    made["heart_rate_bpm"][300] = 230
    assert found(recording(seconds=600, streams=made))["pulse", 5].value == pytest.approx(166)


def test_nothing_of_what_has_no_samples() -> None:
    assert found(recording()) == {}
    assert found(run(streams=streams(1, speed_mps=4.0))) == {}
    still = streams(600, altitude_m=10) | {"distance_m": np.zeros(600)}
    assert found(run(600, streams=still)) == {}


def test_an_independent_slow_search_finds_the_same(random: np.random.Generator) -> None:
    speed = random.uniform(0, 6, 900)
    speed[random.integers(0, 900, 80)] = 0
    time = np.cumsum(random.integers(1, 4, 900)).astype(float)
    made = {"time_s": time, "distance_m": np.cumsum(speed * np.diff(time, prepend=time[0] - 1))}
    kept = found(run(900, streams=made))
    fine = np.arange(time[0], time[-1], 0.05)
    covered = np.interp(fine, time, made["distance_m"])
    for span in (400, 1000):
        ends = np.searchsorted(covered, covered + span)
        slow = min(fine[end] - fine[start] for start, end in enumerate(ends.tolist()) if end < fine.size)
        assert kept["time", span].value == pytest.approx(slow, abs=0.11)
