"""Multisport, several sessions, swims, apps on the watch, compressed messages."""

from datetime import timedelta

import numpy as np
import pytest

from coach import formats
from tests.traps import fit_bytes as fit

POWER_APP = {(0, 0): 250}


def described(file: fit.FitFile, *, name: str, units: str, native: int | None = None) -> fit.FitFile:
    """Declare the developer field that POWER_APP writes."""
    file.add("developer_data_id", developer_data_index=0)
    return file.add(
        "field_description",
        developer_data_index=0,
        field_definition_number=0,
        fit_base_type_id=fit.UINT16,
        field_name=name,
        units=units,
        native_field_num=native,
    )


def with_app(file: fit.FitFile, **fields: fit.Value) -> fit.FitFile:
    for index in range(20):
        file.add("record", apps=POWER_APP, timestamp=fit.seconds(fit.START) + index, heart_rate=140, **fields)
    return fit.summary(file, elapsed=20, timer=20)


def test_each_session_is_a_recording_with_its_own_samples_and_its_own_distance() -> None:
    later = fit.START + timedelta(seconds=100)
    file = fit.run(fit.run(fit.begin(), samples=60), samples=50, first=100)
    fit.summary(file, elapsed=60, timer=60, total_distance=177.0, sport=fit.SWIMMING)
    fit.summary(file, at=later, elapsed=50, timer=50, total_distance=147.0, sport=fit.CYCLING)
    swim, ride = formats.read(file.bytes(), name="a.fit")
    assert (swim.sport, ride.sport) == ("swimming", "cycling")
    assert (swim.started_at, ride.started_at) == (fit.START, later)
    assert (len(swim.streams["time_s"]), len(ride.streams["time_s"])) == (60, 50)
    assert ride.streams["distance_m"][0] == pytest.approx(123)  # since the swim's end at 177 m
    assert ride.streams["time_s"][-1] == 49


def test_a_stop_at_the_end_of_a_session_does_not_leak_into_the_next() -> None:
    later = fit.START + timedelta(seconds=100)
    file = fit.timer(fit.run(fit.begin(), samples=60), at_s=60, kind=fit.STOP_ALL)
    fit.timer(file, at_s=100, kind=fit.START_TIMER)
    fit.run(file, samples=50, first=100)
    fit.summary(file, elapsed=60, timer=60)
    fit.summary(file, at=later, elapsed=50, timer=50)
    assert [recording.pauses for recording in formats.read(file.bytes(), name="a.fit")] == [(), ()]


def test_samples_between_two_sessions_belong_to_neither() -> None:
    later = fit.START + timedelta(seconds=600)
    file = fit.run(fit.begin(), samples=700)
    fit.summary(file, elapsed=60, timer=60)
    fit.summary(file, at=later, elapsed=100, timer=100)
    first, second = formats.read(file.bytes(), name="a.fit")
    assert (first.elapsed_s, second.elapsed_s) == (60, 100)
    assert first.streams["time_s"][-1] < 121
    assert (first.notes, second.notes) == ((), ())


def test_a_summary_that_a_device_wrote_twice_counts_once() -> None:
    file = fit.run(fit.begin())
    fit.summary(fit.summary(file, elapsed=60, timer=60), elapsed=60, timer=60)
    assert len(formats.read(file.bytes(), name="a.fit")) == 1


def test_two_activities_chained_in_one_file_are_two_recordings() -> None:
    first = fit.summary(fit.run(fit.begin()), elapsed=60, timer=60)
    later = fit.START + timedelta(hours=2)
    second = fit.summary(fit.run(fit.begin(), at=later), at=later, elapsed=60, timer=60)
    found = formats.read(second.bytes() + first.bytes(), name="a.fit")
    assert [recording.started_at for recording in found] == [fit.START, later]


def test_settings_chained_behind_an_activity_change_nothing() -> None:
    data = fit.summary(fit.run(fit.begin()), elapsed=60, timer=60).bytes()
    (recording,) = formats.read(data + fit.begin(kind=fit.SETTINGS).bytes(), name="a.fit")
    assert recording.notes == ()


def test_compressed_times_and_compressed_distances_are_read() -> None:
    file = fit.begin()
    start = fit.seconds(fit.START)
    file.add("record", timestamp=start, heart_rate=120)
    metres = 0
    for index in range(1, 100):
        metres += 3
        speed, distance = 300, metres * 16 & 0xFFF  # 3.00 m/s; sixteenths of a metre that start anew at 256 m
        packed = bytes([speed & 0xFF, (speed >> 8) | (distance & 0xF) << 4, distance >> 4])
        file.add_compressed("record", offset_s=start + index, heart_rate=140, compressed_speed_distance=packed)
    (recording,) = formats.read(fit.summary(file, elapsed=99, timer=99).bytes(), name="a.fit")
    assert recording.streams["time_s"].tolist() == list(range(100))
    assert recording.streams["distance_m"][-1] == 297
    assert recording.streams["speed_mps"][-1] == 3.0


@pytest.mark.parametrize(("name", "units", "native"), [("Power", "Watts", 7), ("RP_Power", "W", None)])
def test_power_of_an_app_is_taken_when_the_device_has_none(name: str, units: str, native: int | None) -> None:
    file = with_app(described(fit.begin(), name=name, units=units, native=native))
    (recording,) = formats.read(file.bytes(), name="a.fit")
    assert set(recording.streams["power_w"]) == {250}


def test_power_of_the_device_goes_before_an_app() -> None:
    file = with_app(described(fit.begin(), name="Power", units="W", native=7), power=190)
    (recording,) = formats.read(file.bytes(), name="a.fit")
    assert set(recording.streams["power_w"]) == {190}


@pytest.mark.parametrize("name", ["Form Power", "Air Power", "Elevation"])
def test_other_fields_of_an_app_are_not_power(name: str) -> None:
    file = with_app(described(fit.begin(), name=name, units="Watts"))
    (recording,) = formats.read(file.bytes(), name="a.fit")
    assert "power_w" not in recording.streams


def lengths(file: fit.FitFile) -> fit.FitFile:
    """Append four lengths of 30 s with a rest of 20 s in the middle."""
    start = fit.seconds(fit.START)
    for begin, taken, swum in ((0, 30, 1), (30, 30, 1), (60, 20, 0), (80, 30, 1), (110, 30, 1)):
        file.add(
            "length",
            start_time=start + begin,
            total_elapsed_time=taken,
            avg_swimming_cadence=24 if swum else None,
            length_type=swum,
        )
    return fit.summary(
        file,
        elapsed=140,
        timer=140,
        total_distance=100.0,
        sport=fit.SWIMMING,
        sub_sport=fit.LAP_SWIMMING,
        pool_length=25.0,
    )


def test_a_pool_swim_without_times_in_its_records_is_read_from_its_lengths() -> None:
    file = fit.begin()
    for metres in (25, 50, 75, 100):
        file.add("record", distance=metres, speed=0.83)
    (recording,) = formats.read(lengths(file).bytes(), name="a.fit")
    time_s, distance_m = recording.streams["time_s"], recording.streams["distance_m"]
    assert (recording.pool_length_m, recording.distance_m, recording.sport) == (25, 100, "swimming")
    assert time_s[-1] == 140
    assert np.diff(time_s).max() <= 10
    assert np.interp([30, 60, 80, 110, 140], time_s, distance_m).tolist() == [25, 50, 50, 75, 100]
    assert recording.notes == ()


def test_records_of_a_swim_take_distance_and_speed_from_the_lengths() -> None:
    file = fit.run(fit.begin(), samples=140, distance=None, position_lat=None, position_long=None)
    (recording,) = formats.read(lengths(file).bytes(), name="a.fit")
    assert recording.streams["distance_m"][[30, 70, 139]].tolist() == pytest.approx([25, 50, 99.17])
    assert recording.streams["speed_mps"][70] == 0


def test_the_strap_hands_its_heart_rate_over_after_a_swim_in_a_file_of_its_own() -> None:
    swim = lengths(fit.run(fit.begin(), samples=140, heart_rate=None, position_lat=None, position_long=None))
    strap = fit.begin()
    strap.add("hr", timestamp=fit.seconds(fit.START), fractional_timestamp=0, filtered_bpm=b"\x50", event_timestamp=8.0)
    for beat in range(0, 136, 8):
        ticks = [(8192 + (beat + step + 1) * 1024) & 0xFFF for step in range(8)]
        twelves = b"".join(
            bytes([a & 0xFF, a >> 8 | (b & 0xF) << 4, b >> 4]) for a, b in zip(ticks[::2], ticks[1::2], strict=True)
        )
        strap.add("hr", filtered_bpm=bytes(100 + (beat + step) // 2 for step in range(8)), event_timestamp_12=twelves)
    (recording,) = formats.read(swim.bytes() + strap.bytes(), name="a.fit")
    rate = recording.streams["heart_rate_bpm"]
    assert rate[[1, 21, 101]].tolist() == [100, 110, 150]
