"""The FIT messages the demo writes: global numbers, fields, base types, scales, and enumerations."""

from typing import NamedTuple


class Base(NamedTuple):
    """A FIT base type: its code in a definition, its numpy form, and what says "not measured"."""

    code: int
    dtype: str
    invalid: int


ENUM = Base(0x00, "u1", 0xFF)
SINT8 = Base(0x01, "i1", 0x7F)
UINT8 = Base(0x02, "u1", 0xFF)
STRING = Base(0x07, "S", 0)
UINT16 = Base(0x84, "<u2", 0xFFFF)
SINT32 = Base(0x85, "<i4", 0x7FFFFFFF)
UINT32 = Base(0x86, "<u4", 0xFFFFFFFF)
UINT32Z = Base(0x8C, "<u4", 0)


class Field(NamedTuple):
    """A field of a message; it stores (value + offset) * scale."""

    number: int
    base: Base
    scale: float = 1.0
    offset: float = 0.0


class Message(NamedTuple):
    number: int
    fields: dict[str, Field]


_DEGREES = 2**31 / 180.0  # a semicircle is the unit of every position

_WHEN = {"timestamp": Field(253, UINT32)}
_SPAN = _WHEN | {
    "message_index": Field(254, UINT16),
    "event": Field(0, ENUM),
    "event_type": Field(1, ENUM),
    "start_time": Field(2, UINT32),
    "start_latitude_deg": Field(3, SINT32, _DEGREES),
    "start_longitude_deg": Field(4, SINT32, _DEGREES),
    "elapsed_s": Field(7, UINT32, 1000),
    "timer_s": Field(8, UINT32, 1000),
    "distance_m": Field(9, UINT32, 100),
    "energy_kcal": Field(11, UINT16),
}

MESSAGES = {
    "file_id": Message(
        0,
        {
            "type": Field(0, ENUM),
            "manufacturer": Field(1, UINT16),
            "product": Field(2, UINT16),
            "serial_number": Field(3, UINT32Z),
            "time_created": Field(4, UINT32),
            "product_name": Field(8, STRING),
        },
    ),
    "user_profile": Message(3, {"weight_kg": Field(4, UINT16, 10), "resting_bpm": Field(8, UINT8)}),
    "session": Message(
        18,
        _SPAN
        | {
            "sport": Field(5, ENUM),
            "sub_sport": Field(6, ENUM),
            "avg_speed_mps": Field(14, UINT16, 1000),
            "max_speed_mps": Field(15, UINT16, 1000),
            "avg_heart_rate_bpm": Field(16, UINT8),
            "max_heart_rate_bpm": Field(17, UINT8),
            "avg_cadence_rpm": Field(18, UINT8),
            "max_cadence_rpm": Field(19, UINT8),
            "avg_power_w": Field(20, UINT16),
            "max_power_w": Field(21, UINT16),
            "ascent_m": Field(22, UINT16),
            "descent_m": Field(23, UINT16),
            "first_lap_index": Field(25, UINT16),
            "num_laps": Field(26, UINT16),
            "trigger": Field(28, ENUM),
            "normalized_power_w": Field(34, UINT16),
            "pool_length_m": Field(44, UINT16, 100),
            "pool_length_unit": Field(46, ENUM),
            "num_active_lengths": Field(47, UINT16),
        },
    ),
    "lap": Message(
        19,
        _SPAN
        | {
            "avg_speed_mps": Field(13, UINT16, 1000),
            "max_speed_mps": Field(14, UINT16, 1000),
            "avg_heart_rate_bpm": Field(15, UINT8),
            "max_heart_rate_bpm": Field(16, UINT8),
            "avg_cadence_rpm": Field(17, UINT8),
            "max_cadence_rpm": Field(18, UINT8),
            "avg_power_w": Field(19, UINT16),
            "max_power_w": Field(20, UINT16),
            "lap_trigger": Field(24, ENUM),
            "sport": Field(25, ENUM),
        },
    ),
    "record": Message(
        20,
        _WHEN
        | {
            "latitude_deg": Field(0, SINT32, _DEGREES),
            "longitude_deg": Field(1, SINT32, _DEGREES),
            "altitude_m": Field(2, UINT16, 5, 500),
            "heart_rate_bpm": Field(3, UINT8),
            "cadence_rpm": Field(4, UINT8),
            "distance_m": Field(5, UINT32, 100),
            "speed_mps": Field(6, UINT16, 1000),
            "power_w": Field(7, UINT16),
            "temperature_c": Field(13, SINT8),
        },
    ),
    "event": Message(21, _WHEN | {"event": Field(0, ENUM), "event_type": Field(1, ENUM)}),
    "device_info": Message(
        23,
        _WHEN
        | {
            "device_index": Field(0, UINT8),
            "device_type": Field(1, UINT8),
            "manufacturer": Field(2, UINT16),
            "serial_number": Field(3, UINT32Z),
            "product": Field(4, UINT16),
            "software_version": Field(5, UINT16, 100),
            "source_type": Field(25, ENUM),
            "product_name": Field(27, STRING),
        },
    ),
    "activity": Message(
        34,
        _WHEN
        | {
            "timer_s": Field(0, UINT32, 1000),
            "num_sessions": Field(1, UINT16),
            "type": Field(2, ENUM),
            "event": Field(3, ENUM),
            "event_type": Field(4, ENUM),
            "local_timestamp": Field(5, UINT32),
        },
    ),
}

SPORTS = {"generic": 0, "running": 1, "cycling": 2, "swimming": 5, "walking": 11, "hiking": 17}
SUB_SPORTS = {"": 0, "treadmill": 1, "indoor_cycling": 6, "road": 7, "lap_swimming": 17}
EVENTS = {"timer": 0, "session": 8, "lap": 9, "activity": 26}
EVENT_TYPES = {"start": 0, "stop": 1, "stop_all": 4}
FILE_TYPES = {"settings": 2, "activity": 4}
