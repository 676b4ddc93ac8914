"""What no body can do is masked and counted."""

import numpy as np

from coach.metrics.clean import plausible


def test_power_spikes_are_masked_and_counted() -> None:
    kept, counts = plausible({"power_w": np.array([200.0, 21_733, 210, 2000])})
    assert np.isnan(kept["power_w"][1])
    assert counts == {"power_w": 1}


def test_a_heart_rate_of_zero_throughout_is_no_heart_rate() -> None:
    kept, counts = plausible({"heart_rate_bpm": np.zeros(5)})
    assert "heart_rate_bpm" not in kept
    assert counts == {}


def test_a_strap_that_loses_contact_is_missing_not_doubted() -> None:
    kept, counts = plausible({"heart_rate_bpm": np.array([140.0, 0, 0, 141])})
    assert np.isnan(kept["heart_rate_bpm"]).sum() == 2
    assert counts == {}


def test_what_is_missing_stays_missing() -> None:
    kept, counts = plausible({"power_w": np.array([np.nan, 200.0]), "time_s": np.array([0.0, 1])})
    assert counts == {}
    assert kept["time_s"].tolist() == [0, 1]
