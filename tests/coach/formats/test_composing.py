"""One recording of several: the leading one, and what it lacks from the others at the right moment."""

from datetime import UTC, datetime, timedelta

import numpy as np

from coach.formats.composing import compose, composed
from coach.formats.recording import Lap, Recording

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def recording(*, later_s: float = 0, every: float = 1, samples: int = 60, **fields) -> Recording:
    streams = {name: np.asarray(values, dtype=float) for name, values in fields.pop("streams", {}).items()}
    if samples:
        streams = {"time_s": np.arange(samples) * every, **streams}
    values = {"format": "fit", "sport": "running", "elapsed_s": samples * every, "timer_s": samples * every, **fields}
    return Recording(started_at=NOON + timedelta(seconds=later_s), streams=streams, **values)


def test_one_recording_is_itself():
    one = recording()
    assert compose([one]) is one


def test_what_the_leading_one_says_stands():
    lead = recording(name="Mine", distance_m=100.0, streams={"heart_rate_bpm": np.full(60, 140)})
    other = recording(name="Other", distance_m=200.0, streams={"heart_rate_bpm": np.full(60, 99)})
    whole = compose([lead, other])
    assert (whole.name, whole.distance_m, whole.streams["heart_rate_bpm"][0]) == ("Mine", 100.0, 140)


def test_a_stream_it_lacks_comes_at_the_moment_it_was_measured():
    other = recording(later_s=10, samples=80, streams={"power_w": np.arange(80) + 100})
    power = compose([recording(), other]).streams["power_w"]
    assert np.isnan(power[:10]).all()
    assert list(power[10:13]) == [100, 101, 102]
    assert len(power) == 60


def test_the_body_is_held_and_a_place_is_in_between():
    other = recording(every=4, samples=15, streams={"altitude_m": np.arange(15) * 4, "power_w": np.arange(15) * 100})
    whole = compose([recording(), other]).streams
    assert list(whole["altitude_m"][:6]) == [0, 1, 2, 3, 4, 5]
    assert list(whole["power_w"][:6]) == [0, 0, 0, 0, 100, 100]


def test_a_gap_of_the_other_stays_a_gap():
    other = recording(samples=0, streams={"time_s": [0, 1, 40, 41], "power_w": [100, 100, 200, 200]})
    power = compose([recording(), other]).streams["power_w"]
    assert np.isnan(power[3:40]).all()
    assert power[40] == 200


def test_zeros_throughout_are_a_sensor_that_was_not_there():
    lead = recording(streams={"heart_rate_bpm": np.zeros(60)})
    other = recording(streams={"heart_rate_bpm": np.full(60, 140)})
    assert compose([lead, other]).streams["heart_rate_bpm"][5] == 140


def test_half_a_position_is_never_taken_nor_one_of_a_room():
    place = {"latitude_deg": np.full(60, 52.5), "longitude_deg": np.full(60, 13.4)}
    assert "latitude_deg" not in compose([recording(indoor=True), recording(streams=place)]).streams
    lead = recording(streams={"latitude_deg": np.full(60, 1.0)})
    assert "longitude_deg" not in compose([lead, recording(streams=place)]).streams


def test_a_recording_without_samples_gives_its_fields_and_does_not_lead():
    row = recording(samples=0, format="row", name="Lunch run", energy_kcal=400.0, elapsed_s=999, timer_s=999)
    whole = compose([row, recording(format="gpx")])
    assert (whole.format, whole.name, whole.energy_kcal, whole.timer_s) == ("gpx", "Lunch run", 400.0, 60)


def test_laps_of_the_other_count_from_the_start_of_the_one():
    other = recording(later_s=10, laps=(Lap(start_s=0, elapsed_s=30, timer_s=30),))
    assert compose([recording(), other]).laps[0].start_s == 10


def test_ascent_and_descent_are_of_one_device():
    other = recording(ascent_m=50.0, descent_m=40.0)
    whole = compose([recording(descent_m=10.0), other])
    assert (whole.ascent_m, whole.descent_m) == (50.0, 40.0)


def test_a_sport_that_was_not_said_is_the_other_s_and_its_kind_only_with_it():
    ride = recording(sport="cycling", sub_sport="road")
    assert compose([recording(sport="generic"), ride]).sub_sport == "road"
    assert compose([recording(), ride]).sub_sport == ""


def test_notes_come_with_the_streams_they_are_about():
    silent = recording(notes=("Its clock was set.",))
    giving = recording(notes=("A gap.",), streams={"power_w": np.full(60, 100)})
    assert compose([recording(), silent, giving]).notes == ("A gap.",)


def test_it_is_said_who_gave_what():
    other = recording(name="Evening", streams={"power_w": np.full(60, 100)})
    assert composed([recording(streams={"heart_rate_bpm": np.ones(60)}), other]).gave == (
        ("time", "heart_rate_bpm"),
        ("power_w", "name"),
    )
