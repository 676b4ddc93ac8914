"""What a FIT file holds besides the usual: running dynamics, beats, events, what ended a lap, the device's scores."""

import struct
from datetime import timedelta

import numpy as np
import pytest

from coach import formats, streams
from coach.formats import Recording
from coach.formats.recording import Event
from tests.coach.formats.test_fit_many import described, with_app
from tests.traps import fit_bytes as fit

AT = fit.seconds(fit.START)
REAR_GEAR, RECOVERY_HR, MARKER = 43, 21, 3
MANUAL, DISTANCE = 0, 2


def read(file: fit.FitFile) -> Recording:
    (recording,) = formats.read(file.bytes(), name="a.fit")
    return recording


def run(**fields: fit.Value) -> Recording:
    return read(fit.summary(fit.run(fit.begin(), **fields), elapsed=60, timer=60))


@pytest.mark.parametrize(
    ("field", "value", "stream"),
    [
        ("vertical_oscillation", 82.4, "vertical_oscillation_mm"),
        ("stance_time", 251.5, "stance_time_ms"),
        ("step_length", 1150.5, "step_length_mm"),
        ("respiration_rate", 17, "respiration_per_min"),
    ],
)
def test_what_a_watch_measures_of_a_runner_is_a_stream(field: str, value: float, stream: str) -> None:
    assert set(run(**{field: value}).streams[stream]) == {value}


def test_a_balance_counts_when_it_says_of_which_leg_it_is() -> None:
    assert set(run(left_right_balance=0x80 | 52).streams["right_balance_pct"]) == {52}
    assert "right_balance_pct" not in run(left_right_balance=52).streams


def test_running_dynamics_of_zero_throughout_were_not_measured() -> None:
    assert "stance_time_ms" not in run(stance_time=0).streams


@pytest.mark.parametrize(
    ("name", "units", "stream", "value"),
    [
        ("Form Power", "Watts", "form_power_w", 250),
        ("Leg Spring Stiffness", "kN/m", "", 0),  # 250 kN/m has nobody
        ("Vertical Oscillation", "Centimeters", "", 0),  # nor 2.5 m of bounce
        ("Ground Time", "Milliseconds", "stance_time_ms", 250),
        ("skin_temperature", "F", "", 0),  # a unit that is not known is not guessed
        ("Lucky Number", "", "", 0),
    ],
)
def test_fields_of_apps_are_streams_by_name_and_unit(name: str, units: str, stream: str, value: float) -> None:
    found = read(with_app(described(fit.begin(), name=name, units=units))).streams
    usual = {"time_s", "heart_rate_bpm"}
    assert set(found) - usual == ({stream} if stream else set())
    if stream:
        assert set(found[stream]) == {value}


def test_a_field_of_an_app_that_replaces_a_native_one_is_converted() -> None:
    file = described(fit.begin(), name="Bounce", units="cm", native=39)
    file.add("record", apps={(0, 0): 8}, timestamp=AT)
    file.add("record", apps={(0, 0): 9}, timestamp=AT + 1)
    assert read(file).streams["vertical_oscillation_mm"].tolist() == [80, 90]


def test_intervals_between_beats_are_kept_in_order_with_the_sample_before_them() -> None:
    file = fit.begin()
    for second, beats in enumerate([(0.9, 0.8), (), (1.0,)]):
        fit.run(file, samples=1, first=second)
        if beats:
            file.add("hrv", time=struct.pack(f"<{len(beats) + 1}H", *(round(beat * 1000) for beat in beats), 65535))
    recording = read(fit.summary(file, elapsed=3, timer=3))
    assert recording.series["rr_interval_s"].tolist() == [0.9, 0.8, 1.0]
    assert recording.series["rr_at_s"].tolist() == [0, 0, 2]
    packed = streams.pack(recording.streams, series=recording.series)
    assert streams.unpack_series(packed)["rr_interval_s"].tolist() == [0.9, 0.8, 1.0]


def test_each_session_has_its_own_beats_and_events() -> None:
    file = fit.begin()
    for second in (0, 50, 100, 150):
        fit.run(file, samples=2, first=second)
        file.add("hrv", time=struct.pack("<H", 800 + second))
        fit.timer(file, at_s=second, kind=fit.START_TIMER)
    later = fit.START + timedelta(seconds=100)
    fit.summary(file, elapsed=60, timer=60)
    fit.summary(file, at=later, elapsed=60, timer=60)
    first, second_one = formats.read(file.bytes(), name="a.fit")
    assert first.series["rr_interval_s"].tolist() == [0.8, 0.85]
    assert second_one.series["rr_interval_s"].tolist() == [0.9, 0.95]
    assert [event.at_s for event in first.events] == [0, 50]
    assert [event.at_s for event in second_one.events] == [0, 50]


def test_events_are_kept_with_their_names_and_numbers() -> None:
    file = fit.run(fit.begin())
    fit.timer(file, at_s=0, kind=fit.START_TIMER)
    file.add("event", timestamp=AT + 10, event=REAR_GEAR, event_type=MARKER, rear_gear_num=5)
    file.add("event", timestamp=AT + 20, event=RECOVERY_HR, event_type=MARKER, data=38)
    file.add("event", timestamp=AT + 30, event=200, event_type=MARKER)
    assert read(fit.summary(file, elapsed=60, timer=60)).events == (
        Event(at_s=0, name="timer", action="start"),
        Event(at_s=10, name="rear_gear_change", action="marker", value=5),
        Event(at_s=20, name="recovery_hr", action="marker", value=38),
    )


def test_a_lap_says_what_ended_it() -> None:
    file = fit.run(fit.begin())
    for begin, trigger in ((0, MANUAL), (30, DISTANCE)):
        file.add(
            "lap", timestamp=AT + begin + 30, start_time=AT + begin, total_elapsed_time=30, total_timer_time=30,
            lap_trigger=trigger,
        )  # fmt: skip
    laps = read(fit.summary(file, elapsed=60, timer=60)).laps
    assert [lap.trigger for lap in laps] == ["manual", "distance"]


def test_a_training_effect_beyond_its_scale_is_none() -> None:
    file = fit.run(fit.begin())
    assert read(fit.summary(file, elapsed=60, timer=60, total_training_effect=3.2)).device_summary[
        "training_effect"
    ] == pytest.approx(3.2)
    file = fit.run(fit.begin())
    assert (
        "training_effect" not in read(fit.summary(file, elapsed=60, timer=60, total_training_effect=12)).device_summary
    )


def test_streams_that_nobody_measured_are_not_there() -> None:
    found = run().streams
    assert set(found) == {"time_s", "latitude_deg", "longitude_deg", "distance_m", "heart_rate_bpm"}
    assert all(np.isfinite(values).all() for values in found.values())
