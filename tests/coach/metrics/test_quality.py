"""What is odd about one recording: each look finds its own kind and passes over the rest."""

import numpy as np
import pytest

from coach.formats.recording import Pause
from coach.metrics import quality


def ride(seconds=1200, **streams):
    time = np.arange(float(seconds))
    return {"time_s": time, "heart_rate_bpm": 140 + 10 * np.sin(time / 30), **streams}


def without(streams, first, last):
    kept = np.ones(streams["time_s"].size, dtype=bool)
    kept[first:last] = False
    return {name: values[kept] for name, values in streams.items()}


@pytest.mark.parametrize("name", quality.LOOKS)
def test_a_good_ride_has_nothing_odd(name):
    assert quality.LOOKS[name](ride(), ()) is None


@pytest.mark.parametrize("name", quality.LOOKS)
@pytest.mark.parametrize("streams", [{}, {"time_s": np.empty(0)}, {"time_s": np.zeros(1)}])
def test_no_samples_are_nothing_odd(name, streams):
    assert quality.LOOKS[name](streams, ()) is None


def test_a_hole_in_the_samples_is_a_gap():
    found = quality.gaps(without(ride(), 300, 400), ())
    assert (found.count, found.sentence) == (1, "A gap of 101 s.")


def test_several_gaps_are_summed():
    found = quality.gaps(without(without(ride(), 300, 400), 500, 700), ())
    assert (found.count, found.sentence) == (2, "2 gaps, 5 min in all; the longest 3 min.")


def test_a_hole_that_a_pause_explains_is_none():
    assert quality.gaps(without(ride(), 300, 400), [Pause(start_s=302, duration_s=97)]) is None


def test_a_step_of_hours_is_a_clock_that_jumps_and_no_gap():
    streams = ride()
    streams["time_s"] = np.where(streams["time_s"] >= 600, streams["time_s"] + 20_000, streams["time_s"])
    assert quality.gaps(streams, ()) is None
    assert quality.clock_jumps(streams, ()).sentence == "The clock jumps by 6 h."


def test_a_jump_no_heart_can_make_is_a_spike():
    streams = ride()
    streams["heart_rate_bpm"][700] = 220
    assert quality.spikes(streams, ()).sentence == "Sudden jumps: 2 in heart rate."


def test_a_change_over_a_gap_is_no_spike():
    streams = without(ride(altitude_m=np.where(np.arange(1200) < 600, 100.0, 400.0)), 590, 610)
    assert quality.spikes(streams, ()) is None


def test_a_sensor_that_falls_silent_is_a_dropout():
    streams = ride(power_w=np.where(np.arange(1200) < 900, 200.0, np.nan))
    assert quality.dropouts(streams, ()).sentence == "Power is missing in 25 % of the samples."


def test_a_heart_rate_that_stays_the_same_is_a_dropout():
    streams = ride(seconds=2000)
    streams["heart_rate_bpm"][500:1300] = 133
    assert quality.dropouts(streams, ()).sentence == "Heart rate stays the same for 13 min."


def test_implausible_values_are_counted_and_kept():
    streams = ride(power_w=np.full(1200, 210.0))
    streams["power_w"][:4] = 21_733
    found = quality.implausible(streams, ())
    assert (found.count, found.sentence) == (4, "Kept, but not computed with: 4 of power.")
    assert streams["power_w"][0] == 21_733
