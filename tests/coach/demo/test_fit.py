"""The FIT files that the demo writes, as a decoder of others reads them."""

from datetime import UTC, datetime, timedelta
from typing import Any

import fitdecode
import numpy as np
import pytest

from coach.demo import fit
from coach.demo.fit_framing import crc16
from tests.coach.demo.short_ride import BEATS, STARTED_AT, TIME_S, short_ride, without


def messages(data: bytes) -> list[tuple[str, dict[str, Any]]]:
    """Return name and values of every message; a wrong checksum raises."""
    with fitdecode.FitReader(data, check_crc=fitdecode.CrcCheck.RAISE) as reader:
        return [
            (frame.name, {field.name: field.value for field in frame.fields})
            for frame in reader
            if isinstance(frame, fitdecode.FitDataMessage)
        ]


def of(kind: str, data: bytes) -> list[dict[str, Any]]:
    return [values for name, values in messages(data) if name == kind]


def degrees(semicircles: list[int]) -> list[float]:
    return [value * 180 / 2**31 for value in semicircles]


def test_the_checksum_is_the_one_with_the_known_check_value() -> None:
    assert crc16(b"123456789") == 0xBB3D


def test_a_wrong_byte_is_noticed_by_the_checksum() -> None:
    data = bytearray(fit.encode(short_ride()))
    data[-4] ^= 1  # in the last message
    with pytest.raises(fitdecode.FitCRCError):
        messages(bytes(data))


def test_the_header_states_the_size_of_what_follows() -> None:
    data = fit.encode(short_ride())
    assert data[0] == 14
    assert data[8:12] == b".FIT"
    assert int.from_bytes(data[4:8], "little") == len(data) - 14 - 2


@pytest.mark.parametrize(
    ("field", "stream"),
    [
        ("heart_rate", "heart_rate_bpm"),
        ("cadence", "cadence_rpm"),
        ("power", "power_w"),
        ("temperature", "temperature_c"),
        ("distance", "distance_m"),
        ("speed", "speed_mps"),
        ("altitude", "altitude_m"),
    ],
)
def test_records_hold_the_samples(field: str, stream: str) -> None:
    found = [record[field] for record in of("record", fit.encode(short_ride()))]
    expected = short_ride().streams[stream]
    np.testing.assert_allclose([np.nan if value is None else value for value in found], expected, atol=1e-9)


def test_records_hold_the_positions() -> None:
    records = of("record", fit.encode(short_ride()))
    streams = short_ride().streams
    latitude = degrees([record["position_lat"] for record in records])
    longitude = degrees([record["position_long"] for record in records])
    np.testing.assert_allclose(latitude, streams["latitude_deg"], atol=1e-7)
    np.testing.assert_allclose(longitude, streams["longitude_deg"], atol=1e-7)


def test_records_hold_the_times() -> None:
    found = [record["timestamp"] for record in of("record", fit.encode(short_ride()))]
    assert found == [STARTED_AT + timedelta(seconds=second) for second in TIME_S]


def test_what_was_not_measured_is_none() -> None:
    beats = [record["heart_rate"] for record in of("record", fit.encode(short_ride()))]
    assert [beat is None for beat in beats] == np.isnan(BEATS).tolist()


def test_a_ride_indoors_has_no_position_fields() -> None:
    indoors = without(short_ride(), "latitude_deg", "longitude_deg", "altitude_m", "temperature_c")
    data = fit.encode(short_ride(streams=indoors, sub_sport="indoor_cycling", barometric=False))
    assert "position_lat" not in of("record", data)[0]
    assert of("session", data)[0]["sub_sport"] == "indoor_cycling"


def test_the_timer_stops_and_starts_where_it_did() -> None:
    events = of("event", fit.encode(short_ride()))
    found = [((event["timestamp"] - STARTED_AT).total_seconds(), event["event_type"]) for event in events]
    assert found == [(0.0, "start"), (10.0, "stop_all"), (40.0, "start"), (60.0, "stop_all")]


def test_messages_come_in_the_order_of_time() -> None:
    data = fit.encode(short_ride())
    times = [values["timestamp"] for name, values in messages(data) if name in {"record", "event", "lap"}]
    assert times == sorted(times)


def test_laps_hold_their_times_and_what_was_measured_in_them() -> None:
    first, second = of("lap", fit.encode(short_ride()))
    assert (first["total_elapsed_time"], first["total_timer_time"], first["total_distance"]) == (
        45.0,
        15.0,
        105.0,
    )
    assert (second["avg_heart_rate"], second["max_heart_rate"], second["max_power"]) == (131, 150, 210)
    assert second["start_time"] == STARTED_AT + timedelta(seconds=45)


def test_the_session_sums_up_what_the_device_saw() -> None:
    (session,) = of("session", fit.encode(short_ride()))
    assert (session["sport"], session["sub_sport"]) == ("cycling", "road")
    assert (session["total_elapsed_time"], session["total_timer_time"]) == (60.0, 30.0)
    assert (session["total_distance"], session["total_ascent"], session["total_calories"]) == (210.25, 3, 6)
    assert (session["avg_heart_rate"], session["max_heart_rate"], session["avg_power"]) == (121, 150, 187)
    assert session["num_laps"] == 2


def test_a_pool_swim_states_its_pool() -> None:
    (session,) = of(
        "session",
        fit.encode(short_ride(sport="swimming", sub_sport="lap_swimming", pool_length_m=25.0, distance_m=200.0)),
    )
    assert (session["pool_length"], session["num_active_lengths"]) == (25.0, 8)


def test_the_activity_tells_the_local_time() -> None:
    (activity,) = of("activity", fit.encode(short_ride()))
    offset = activity["local_timestamp"].replace(tzinfo=UTC) - activity["timestamp"]
    assert offset == timedelta(minutes=120)


def test_the_file_names_its_device() -> None:
    data = fit.encode(short_ride())
    assert of("file_id", data)[0]["product_name"] == "Demo head unit"
    assert of("device_info", data)[0]["product_name"] == "Demo head unit"


def test_a_settings_file_is_sound_and_holds_no_record() -> None:
    data = fit.settings_file(weight_kg=62.0, resting_bpm=50.0, created_at=datetime(2024, 1, 1, tzinfo=UTC))
    assert [name for name, _ in messages(data)] == ["file_id", "user_profile"]
    assert of("file_id", data)[0]["type"] == "settings"
    assert of("user_profile", data)[0]["weight"] == 62.0
