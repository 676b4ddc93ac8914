"""Streams come back from their packing bit by bit, and small."""

import base64
import struct

import numpy as np
import pytest

from coach import formats, streams
from coach.formats.recording import Array
from tests.coach.formats.test_contract import FILES

NAN = float("nan")
TRICKY: dict[str, list[float]] = {
    "nothing": [],
    "one": [1.5],
    "whole": [0, 1, 2, 3, 1000, 2**53, -(2**53)],
    "decimal": [62.2, -499.8, 0.1, 0.3, 1e-7],
    "semicircles": [raw * 180 / 2**31 for raw in (0, 1, -1, 2**31 - 1, -(2**31), 626_345_678)],
    "single precision": [float(np.float32(value)) for value in (0.1, 236.8, 41_779.3, 1e-30, 3e38)],
    "double precision": [0.1 + 0.2, 1 / 3, 1e300, 5e-324, -1e-300],
    "gaps": [NAN, 1, NAN, NAN, 2, NAN],
    "only gaps": [NAN, NAN],
    "infinite": [float("inf"), float("-inf"), 0.0],
    "minus zero": [0.0, -0.0, 1.0],
    "far apart": [float(2**62), -float(2**62), 1.0],
}


def bits(values: Array) -> list[int]:
    return [int(value) for value in values.view(np.uint64)]


@pytest.mark.parametrize("name", TRICKY)
def test_values_come_back_bit_by_bit(name: str) -> None:
    values = np.array(TRICKY[name], dtype=np.float64)
    back = streams.unpack(streams.pack({name: values}))
    assert list(back) == [name]
    assert bits(back[name]) == bits(values)


def test_a_nan_with_bits_of_its_own_comes_back_with_them() -> None:
    odd = struct.unpack("<d", struct.pack("<Q", 0x7FF8_0000_0000_1234))[0]
    values = np.array([1.0, odd, NAN])
    assert bits(streams.unpack(streams.pack({"x": values}))["x"]) == bits(values)


def test_any_floats_come_back_bit_by_bit() -> None:
    dice = np.random.default_rng(5)
    for _ in range(50):
        values = dice.integers(0, 2**64, size=int(dice.integers(1, 200)), dtype=np.uint64).view(np.float64)
        assert bits(streams.unpack(streams.pack({"x": values}))["x"]) == bits(values)


def test_no_streams_come_back_as_none() -> None:
    assert streams.unpack(streams.pack({})) == {}


def test_the_order_of_the_streams_is_kept() -> None:
    order = ["time_s", "power_w", "altitude_m"]
    assert list(streams.unpack(streams.pack({name: np.zeros(3) for name in order}))) == order


def test_streams_of_different_lengths_are_no_recording() -> None:
    with pytest.raises(ValueError, match="one value a sample"):
        streams.pack({"a": np.zeros(2), "b": np.zeros(3)})


@pytest.mark.parametrize("damage", [b"", b"CS3", b"something else altogether"])
def test_other_bytes_are_refused(damage: bytes) -> None:
    with pytest.raises(ValueError, match="packed streams"):
        streams.unpack(damage)


def test_packed_streams_that_are_cut_off_are_refused() -> None:
    packed = streams.pack({"x": np.arange(1000.0) ** 2})
    for size in range(0, len(packed), 3):
        with pytest.raises(ValueError, match="packed streams"):
            streams.unpack(packed[:size])


def test_series_come_back_with_lengths_of_their_own() -> None:
    series = {"rr_at_s": np.array([0.0, 1, 1]), "rr_interval_s": np.array([0.857, 0.861, NAN]), "none": np.empty(0)}
    packed = streams.pack({"time_s": np.arange(5.0)}, series=series)
    assert list(streams.unpack(packed)) == ["time_s"]
    back = streams.unpack_series(packed)
    assert {name: bits(values) for name, values in back.items()} == {name: bits(series[name]) for name in series}


def test_series_that_are_cut_off_are_refused() -> None:
    packed = streams.pack({"time_s": np.arange(50.0)}, series={"rr_interval_s": np.arange(200.0) ** 2})
    for size in range(len(packed)):
        with pytest.raises(ValueError, match="packed streams"):
            streams.unpack_series(packed[:size])


# As the first version packed them, with both of its compressors.
FIRST = (
    "LsKy*000041^@s8bZKp6UvmHf0RR910096E0001Z+GAj1APN8g0CoTa2LJ#7aBp{Ia$k1<0RaF200062IRF3vc-mtSF>*_(n6~P~onI0<UU4-O)"
    "*X8AMaaM<scg!MW4C^YX?es{^{qK@kAV>m5lk#%0GA#U{t5yB0by)(X>@gDWnXOp0SN#A009652m}HF00062FaQ7mc-p%lz{D@gC&I=p$jK$gD$"
    "L6wB)}-oC?LebE6l3E!70eiA;ibdKo|f3pBDnJ4gdfFXk}q?bYF5|bY)*+aBTnq0RR9100ICH0001Z+LK@)4loj_4gd%E02%"
)


def test_streams_of_the_first_version_are_still_read() -> None:
    packed = base64.b85decode(FIRST)
    index = np.arange(40)
    back = streams.unpack(packed)
    assert back["time_s"].tolist() == index.tolist()
    assert back["power_w"].tolist() == [index * 7919 % 251 for index in range(40)]
    known = index % 9 != 4
    assert np.isnan(back["altitude_m"][~known]).all()
    assert back["altitude_m"][known].tolist() == np.round(100 + np.sin(np.arange(40.0)), 1)[known].tolist()
    assert back["heart_rate_bpm"].tolist() == [140] * 40
    assert streams.unpack_series(packed) == {}


def ride(samples: int) -> dict[str, Array]:
    """Return an hour-like ride with noise in every stream."""
    dice = np.random.default_rng(1)
    time_s = np.arange(samples, dtype=np.float64)
    speed = np.round(8 + np.cumsum(dice.normal(0, 0.1, samples)) % 4, 3)
    turn = np.cumsum(dice.normal(0, 0.02, samples))
    degrees = 180 / 2**31
    north = np.rint((52.5 + np.cumsum(np.cos(turn) * speed) / 111_195) / degrees)
    east = np.rint((13.4 + np.cumsum(np.sin(turn) * speed) / 67_700) / degrees)
    return {
        "time_s": time_s,
        "latitude_deg": north * 180 / 2**31,
        "longitude_deg": east * 180 / 2**31,
        "altitude_m": np.round(np.cumsum(dice.normal(0, 0.2, samples)) * 5) / 5,
        "distance_m": np.round(np.cumsum(speed), 2),
        "speed_mps": speed,
        "heart_rate_bpm": np.rint(140 + np.cumsum(dice.normal(0, 0.5, samples)) % 30),
        "cadence_rpm": np.rint(dice.normal(88, 4, samples)),
        "power_w": np.rint(np.abs(dice.normal(200, 50, samples))),
        "temperature_c": np.full(samples, 19.0),
    }


def test_a_second_of_a_ride_with_every_sensor_takes_fewer_than_ten_bytes() -> None:
    whole = ride(7200)
    packed = streams.pack(whole)
    assert len(packed) / 7200 < 10
    assert all(bits(back) == bits(whole[name]) for name, back in streams.unpack(packed).items())


@pytest.mark.parametrize("name", FILES)
def test_what_a_reader_read_comes_back(name: str) -> None:
    for recording in formats.read(FILES[name], name="a"):
        packed = streams.pack(recording.streams, series=recording.series)
        for given, back in (
            (recording.streams, streams.unpack(packed)),
            (recording.series, streams.unpack_series(packed)),
        ):
            assert {key: bits(values) for key, values in back.items()} == {
                key: bits(values) for key, values in given.items()
            }
