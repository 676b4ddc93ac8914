"""Normalized power, best efforts and ascent of real recordings against what their devices say."""

import os
from pathlib import Path

import pytest

from coach.formats import read
from coach.formats.recording import Recording
from coach.metrics import bests, terrain
from coach.metrics.clean import plausible
from coach.metrics.grid import Grid, resample
from coach.metrics.session import summarize
from tests.coach.metrics.recordings import KNOWN

ROOT = Path(os.environ.get("COACH_SAMPLES") or Path(__file__).parents[3].parent / "shared" / "samples") / "fit"
EDGE = "fitparse__Edge810-Vector-2013-08-16-15-35-10.fit"

pytestmark = [
    pytest.mark.samples,
    pytest.mark.skipif(not ROOT.is_dir(), reason=f"No real recordings in {ROOT}: set COACH_SAMPLES."),
]


def recording(name: str) -> Recording:
    return read((ROOT / name).read_bytes(), name=name)[0]


def grid(found: Recording) -> Grid:
    return resample(plausible(found.streams)[0], pauses=found.pauses)


@pytest.mark.parametrize(
    ("name", "watts"),
    [
        (EDGE, 301),
        ("fitparse__sample-activity-indoor-trainer.fit", 228),
        ("goldencheetah__Garmin1000_withFirstbeat.fit", 225),
        ("goldencheetah__Karoo-Botley_BW_Swanmore_Wickham-2025-05-09-1238.fit", 195),
        ("runalyze__with-power.fit", 243),
        ("sportslib__7386755164.fit", 179),
    ],
)
def test_normalized_power_is_that_of_the_device(name: str, watts: float) -> None:
    found = summarize(recording(name), thresholds=KNOWN, sex="m", age=None)
    assert found.normalized_power_w == pytest.approx(watts, abs=1.2)


def test_impossible_power_is_left_out_and_counted() -> None:
    found = summarize(recording("goldencheetah__20130717_143733.fit"), thresholds=KNOWN, sex="m", age=None)
    assert found.normalized_power_w == pytest.approx(209, abs=0.5)
    assert "4 implausible values of power left out." in found.flags


def test_best_efforts_of_a_ride() -> None:
    found = bests.best_powers_w(grid(recording(EDGE))["power_w"], durations_s=(5, 60, 300, 1200))
    assert {seconds: round(watts) for seconds, watts in found.items()} == {5: 591, 60: 417, 300: 341, 1200: 312}


def test_barometric_ascent_is_close_to_the_devices() -> None:
    ride = recording("sportslib__3939576645.fit")
    found = terrain.ascent_m(grid(ride)["altitude_m"], barometric=True)
    assert found is not None
    assert found[0] == pytest.approx(ride.ascent_m, rel=0.02)


def test_the_bests_kept_beside_a_ride_are_those_of_the_vector() -> None:
    found = summarize(recording(EDGE), thresholds=KNOWN, sex="m", age=None).bests
    kept = {peak.span: round(peak.value) for peak in found if peak.measure == "power"}
    assert {span: kept[span] for span in (5, 60, 300, 1200)} == {5: 591, 60: 417, 300: 341, 1200: 312}
    assert not any(peak.doubt for peak in found if peak.measure == "power")
