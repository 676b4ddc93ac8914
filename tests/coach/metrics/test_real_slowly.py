"""Real recordings: normalized power against every device that says its own, and plain loops beside what we compute."""

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from coach.formats import Unreadable, read
from coach.formats.recording import Recording
from coach.metrics import effort, power, zones
from coach.metrics.grid import hold_for, resample
from coach.metrics.prepare import Prepared, prepare
from coach.metrics.session import SessionMetrics, summarize
from coach.metrics.sports import sport
from coach.metrics.stretches import fastest, way_of
from tests.coach.metrics import slow
from tests.coach.metrics.recordings import KNOWN

ROOT = Path(os.environ.get("COACH_SAMPLES") or Path(__file__).parents[3].parent / "shared" / "samples")
# Its device counted four samples of 21,733 W; the reference says what it is without them, and what it was with them.
SPIKED, DEVICE_W, WITHOUT_W, WITH_W = "goldencheetah__20130717_143733.fit", 773, 209, 756
MOST_BYTES, GRID = 1_500_000, 600  # plain loops take their time

pytestmark = [
    pytest.mark.samples,
    pytest.mark.skipif(not ROOT.is_dir(), reason=f"No real recordings in {ROOT}: set COACH_SAMPLES."),
]


def files() -> list[Path]:
    return sorted([*ROOT.glob("fit/*"), *ROOT.glob("tcx/*"), *ROOT.glob("gpx/*")]) if ROOT.is_dir() else []


@cache
def sessions(path: Path) -> tuple[Recording, ...]:
    try:
        return tuple(read(path.read_bytes(), name=path.name))
    except Unreadable:
        return ()


def told() -> Iterator[tuple[str, float, Recording]]:
    """Return every session that says its own normalized power."""
    for path in files():
        for recording in sessions(path):
            watts = recording.device_summary.get("normalized_power_w")
            if watts:
                yield path.name, watts, recording


def ours(recording: Recording) -> SessionMetrics:
    return summarize(recording, thresholds=KNOWN, sex="m", age=None)


def test_normalized_power_is_the_devices_on_every_recording_that_says_one() -> None:
    """Within 1.5 W or 1 %, whichever is more; no deviation is left to explain."""
    found = {name: (ours(recording).normalized_power_w, watts) for name, watts, recording in told()}
    assert len(found) >= 6
    apart = {
        name: (mine, watts)
        for name, (mine, watts) in found.items()
        if mine is None or abs(mine - watts) > max(1.5, 0.01 * watts)
    }
    assert apart == {}


def test_a_device_that_counts_spikes_is_not_believed() -> None:
    (recording,) = sessions(ROOT / "fit" / SPIKED)
    assert round(ours(recording).normalized_power_w or 0) == WITHOUT_W
    raw = power.with_coasting(resample(recording.streams, pauses=recording.pauses)["power_w"])
    assert power.normalized_power_w(raw) == pytest.approx(WITH_W, rel=0.01)
    assert power.normalized_power_w(raw) == pytest.approx(DEVICE_W, rel=0.02)
    assert "normalized_power_w" not in recording.device_summary


def small() -> list[Path]:
    return [path for path in files() if path.stat().st_size < MOST_BYTES]


@pytest.mark.parametrize("path", small(), ids=lambda path: path.name)
def test_power_heart_and_zones_are_what_plain_loops_find(path: Path) -> None:
    for recording in sessions(path):
        made = prepare(recording)
        watts, beats = list(made.grid["power_w"]), list(made.grid["heart_rate_bpm"])
        found = {peak.span: peak.value for peak in ours(recording).bests if peak.measure == "power"}
        assert power.normalized_power_w(made.grid["power_w"]) == approx(slow.normalized_power_w(watts))
        assert {span: found[span] for span in found if span <= 1200} == {
            span: approx(slow.best_power_w(watts, span)) for span in found if span <= 1200
        }
        for values, bounds in ((watts, zones.coggan_bounds_w(250)), (beats, zones.friel_bounds_bpm(170))):
            assert zones.seconds_in(np.array(values), bounds=bounds) == slow.zone_seconds(values, bounds)
        decoupled = ours(recording).decoupling_pct
        if decoupled is not None and sport(recording.sport).family == "cycling":
            assert decoupled == approx(slow.decoupling_pct(watts, beats))


@pytest.mark.parametrize("path", small(), ids=lambda path: path.name)
def test_a_session_says_the_zone_times_and_the_decoupling_that_plain_loops_find(path: Path) -> None:
    for recording in sessions(path):
        grid, kind, found = prepare(recording).grid, sport(recording.sport), ours(recording)
        graded = effort.graded_stream(recording, grid=grid, sport=kind)
        streams = {"heart_rate": grid["heart_rate_bpm"], "power": grid["power_w"], "pace": graded}
        for name, unit, bounds in bounds_of(kind.family):
            if name in found.zone_seconds:
                held = found.zone_seconds[f"{name}_bounds_{unit}"]
                assert held == pytest.approx(bounds)
                assert found.zone_seconds[name] == slow.zone_seconds(list(streams[name]), held)
        if found.decoupling_pct is not None and kind.family == "running":
            assert found.decoupling_pct == approx(slow.decoupling_pct(list(graded), list(grid["heart_rate_bpm"])))


def bounds_of(family: str) -> Iterator[tuple[str, str, list[float]]]:
    """Yield the bounds of zones for what is known of the athlete, from the shares that the reference prints."""
    below = (0.81, 0.90, 0.94) if family == "cycling" else (0.85, 0.90, 0.95)
    yield "heart_rate", "bpm", [170 * share for share in (*below, 1.00, 1.03, 1.06)]
    yield "power", "w", [137.5, 187.5, 225, 262.5, 300, 375]
    yield "pace", "mps", [1000 / 270 / share for share in (1.29, 1.14, 1.06, 1.01, 0.97, 0.90)]


@pytest.mark.parametrize("path", small(), ids=lambda path: path.name)
def test_best_times_are_what_plain_loops_find(path: Path) -> None:
    for recording in sessions(path):
        made = prepare(recording)
        if not {"time_s", "distance_m"} <= made.streams.keys():
            continue
        time, covered = thinned(made)
        way = way_of(np.array(time), np.array(covered), None, fastest_mps=1000)
        for wanted in (400.0, 5000.0):
            found = fastest(way, distance_m=wanted, steepest=-np.inf) if way else None
            assert (found and found.seconds) == approx(slow.best_time_s(time, covered, wanted))


def thinned(made: Prepared) -> tuple[list[float], list[float]]:
    """Return a few hundred of the samples: the loops take the square of their number."""
    step = max(1, made.streams["time_s"].size // 200)
    return list(made.streams["time_s"][::step]), list(made.streams["distance_m"][::step])


@pytest.mark.parametrize("path", small(), ids=lambda path: path.name)
def test_the_grid_is_what_plain_loops_find(path: Path) -> None:
    for recording in sessions(path):
        streams = prepare(recording).streams
        time = streams.get("time_s", np.empty(0))[:GRID]
        if not time.size or (time != np.floor(time)).any() or time[-1] > 20_000:
            continue
        held = {name: streams[name][:GRID] for name in ("power_w", "heart_rate_bpm") if name in streams}
        pauses = [(pause.start_s, pause.duration_s) for pause in recording.pauses]
        once = resample({"time_s": time, **held}, pauses=recording.pauses, hold_s=hold_for(time))
        again = slow.grid(
            list(time), {name: list(values) for name, values in held.items()}, pauses=pauses, hold_s=hold_for(time)
        )
        assert once.time_s.tolist() == again["time_s"]
        for name in held:
            assert np.array_equal(once[name], np.array(again[name]), equal_nan=True), name


def approx(value: float | None) -> object:
    return None if value is None else pytest.approx(value)
