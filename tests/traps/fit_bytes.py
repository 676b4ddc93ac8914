"""Writes FIT files message by message, also wrong ones, for tests of the reader."""

import struct
from datetime import UTC, datetime

EPOCH = datetime(1989, 12, 31, tzinfo=UTC)
START = datetime(2026, 3, 2, 7, 30, tzinfo=UTC)

ENUM, INT8, UINT8, UINT16, SINT32, UINT32, STRING, BYTE = 0x00, 0x01, 0x02, 0x84, 0x85, 0x86, 0x07, 0x0D
UINT8Z, UINT32Z = 0x0A, 0x8C
PACK = {UINT8Z: "B", ENUM: "B", INT8: "b", UINT8: "B", UINT16: "H", SINT32: "i", UINT32: "I", UINT32Z: "I"}
INVALID = {
    UINT8Z: 0,
    ENUM: 0xFF,
    INT8: 0x7F,
    UINT8: 0xFF,
    UINT16: 0xFFFF,
    SINT32: 0x7FFFFFFF,
    UINT32: 0xFFFFFFFF,
    UINT32Z: 0,
}

# Global number and fields (number, base type, scale, offset) of each message.
Field = tuple[int, int, float, float]
MESSAGES: dict[str, tuple[int, dict[str, Field]]] = {
    "file_id": (
        0,
        {
            "type": (0, ENUM, 1, 0),
            "manufacturer": (1, UINT16, 1, 0),
            "product": (2, UINT16, 1, 0),
            "serial_number": (3, UINT32Z, 1, 0),
            "time_created": (4, UINT32, 1, 0),
            "product_name": (8, STRING, 1, 0),
        },
    ),
    "session": (
        18,
        {
            "timestamp": (253, UINT32, 1, 0),
            "start_time": (2, UINT32, 1, 0),
            "sport": (5, ENUM, 1, 0),
            "sub_sport": (6, ENUM, 1, 0),
            "total_elapsed_time": (7, UINT32, 1000, 0),
            "total_timer_time": (8, UINT32, 1000, 0),
            "total_distance": (9, UINT32, 100, 0),
            "total_calories": (11, UINT16, 1, 0),
            "avg_heart_rate": (16, UINT8, 1, 0),
            "max_heart_rate": (17, UINT8, 1, 0),
            "avg_power": (20, UINT16, 1, 0),
            "normalized_power": (34, UINT16, 1, 0),
            "training_stress_score": (35, UINT16, 10, 0),
            "total_training_effect": (24, UINT8, 10, 0),
            "pool_length": (44, UINT16, 100, 0),
        },
    ),
    "lap": (
        19,
        {
            "timestamp": (253, UINT32, 1, 0),
            "start_time": (2, UINT32, 1, 0),
            "total_elapsed_time": (7, UINT32, 1000, 0),
            "total_timer_time": (8, UINT32, 1000, 0),
            "total_distance": (9, UINT32, 100, 0),
            "lap_trigger": (24, ENUM, 1, 0),
        },
    ),
    "record": (
        20,
        {
            "timestamp": (253, UINT32, 1, 0),
            "position_lat": (0, SINT32, 2**31 / 180, 0),
            "position_long": (1, SINT32, 2**31 / 180, 0),
            "altitude": (2, UINT16, 5, 500),
            "heart_rate": (3, UINT8, 1, 0),
            "cadence": (4, UINT8, 1, 0),
            "distance": (5, UINT32, 100, 0),
            "speed": (6, UINT16, 1000, 0),
            "power": (7, UINT16, 1, 0),
            "compressed_speed_distance": (8, BYTE, 1, 0),
            "temperature": (13, INT8, 1, 0),
            "cycles": (18, UINT8, 1, 0),
            "left_right_balance": (30, UINT8, 1, 0),
            "vertical_oscillation": (39, UINT16, 10, 0),
            "stance_time": (41, UINT16, 10, 0),
            "activity_type": (42, ENUM, 1, 0),
            "fractional_cadence": (53, UINT8, 128, 0),
            "step_length": (85, UINT16, 10, 0),
            "respiration_rate": (99, UINT8, 1, 0),
            "enhanced_altitude": (78, UINT32, 5, 500),
        },
    ),
    "event": (
        21,
        {
            "timestamp": (253, UINT32, 1, 0),
            "event": (0, ENUM, 1, 0),
            "event_type": (1, ENUM, 1, 0),
            "data": (3, UINT32, 1, 0),
            "rear_gear_num": (11, UINT8Z, 1, 0),
        },
    ),
    "device_info": (
        23,
        {
            "timestamp": (253, UINT32, 1, 0),
            "device_index": (0, UINT8, 1, 0),
            "device_type": (1, UINT8, 1, 0),
            "source_type": (25, ENUM, 1, 0),
        },
    ),
    "activity": (
        34,
        {
            "timestamp": (253, UINT32, 1, 0),
            "total_timer_time": (0, UINT32, 1000, 0),
            "local_timestamp": (5, UINT32, 1, 0),
        },
    ),
    "hrv": (78, {"time": (0, UINT16, 1000, 0)}),
    "unheard_of": (0xFF00, {"timestamp": (253, UINT32, 1, 0), "what": (0, UINT16, 1, 0)}),
    "weight_scale": (
        30,
        {"timestamp": (253, UINT32, 1, 0), "weight": (0, UINT16, 100, 0), "percent_fat": (1, UINT16, 100, 0)},
    ),
    "monitoring_info": (103, {"timestamp": (253, UINT32, 1, 0), "local_timestamp": (0, UINT32, 1, 0)}),
    "monitoring_hr_data": (
        211,
        {
            "timestamp": (253, UINT32, 1, 0),
            "resting_heart_rate": (0, UINT8, 1, 0),
            "current_day_resting_heart_rate": (1, UINT8, 1, 0),
        },
    ),
    "sleep_level": (275, {"timestamp": (253, UINT32, 1, 0), "sleep_level": (0, ENUM, 1, 0)}),
    "hrv_status_summary": (
        370,
        {
            "timestamp": (253, UINT32, 1, 0),
            "weekly_average": (0, UINT16, 128, 0),
            "last_night_average": (1, UINT16, 128, 0),
        },
    ),
    "length": (
        101,
        {
            "start_time": (2, UINT32, 1, 0),
            "total_elapsed_time": (3, UINT32, 1000, 0),
            "avg_swimming_cadence": (9, UINT8, 1, 0),
            "length_type": (12, ENUM, 1, 0),
        },
    ),
    "hr": (
        132,
        {
            "timestamp": (253, UINT32, 1, 0),
            "fractional_timestamp": (0, UINT16, 32768, 0),
            "filtered_bpm": (6, BYTE, 1, 0),
            "event_timestamp": (9, UINT32, 1024, 0),
            "event_timestamp_12": (10, BYTE, 1, 0),
        },
    ),
    "developer_data_id": (207, {"developer_data_index": (3, UINT8, 1, 0)}),
    "field_description": (
        206,
        {
            "developer_data_index": (0, UINT8, 1, 0),
            "field_definition_number": (1, UINT8, 1, 0),
            "fit_base_type_id": (2, UINT8, 1, 0),
            "field_name": (3, STRING, 1, 0),
            "units": (8, STRING, 1, 0),
            "native_field_num": (15, UINT8, 1, 0),
        },
    ),
}
# Words of the profile that the tests use.
ACTIVITY, SETTINGS, WORKOUT, COURSE, WEIGHT, MONITORING = 4, 2, 5, 6, 9, 15
SLEEP, HRV_STATUS = 49, 68
UNMEASURABLE, AWAKE, LIGHT, DEEP, REM = range(5)
RUNNING, CYCLING, SWIMMING = 1, 2, 5
TREADMILL, INDOOR_CYCLING, LAP_SWIMMING, VIRTUAL = 1, 6, 17, 58
GARMIN, ZWIFT = 1, 260
TIMER, START_TIMER, STOP, STOP_ALL = 0, 0, 1, 4

Value = float | bytes | str | None


def seconds(moment: datetime) -> int:
    return int((moment - EPOCH).total_seconds())


def crc(data: bytes) -> int:
    """The checksum as the protocol describes it, half a byte at a time."""
    table = [0x0000, 0xCC01, 0xD801, 0x1400, 0xF001, 0x3C00, 0x2800, 0xE401]
    table += [0xA001, 0x6C00, 0x7800, 0xB401, 0x5000, 0x9C01, 0x8801, 0x4400]
    value = 0
    for byte in data:
        for half in (byte & 0xF, byte >> 4):
            value = (value >> 4) ^ table[value & 0xF] ^ table[half]
    return value


class FitFile:
    """Collects messages; `bytes()` closes the file with a header and a checksum."""

    def __init__(self, *, big_endian: bool = False) -> None:
        self.body = bytearray()
        self.end = ">" if big_endian else "<"
        self._locals: dict[tuple[object, ...], int] = {}
        self.last_definition = b""

    def add(self, kind: str, *, apps: dict[tuple[int, int], int] | None = None, **fields: Value) -> "FitFile":
        """Append a message; None is the invalid value, `apps` are developer fields of one byte pair each."""
        local = self._define(kind, fields, apps or {})
        self.body.append(local)
        self._values(kind, fields)
        for value in (apps or {}).values():
            self.body += struct.pack(self.end + "H", value)
        return self

    def add_compressed(self, kind: str, *, offset_s: int, **fields: Value) -> "FitFile":
        """Append a message whose time is the lowest five bits, in its header."""
        local = self._define(kind, fields, {})
        self.body.append(0x80 | local << 5 | offset_s & 0x1F)
        self._values(kind, fields)
        return self

    def again(self) -> "FitFile":
        """Append the last definition once more, as some devices do now and then."""
        return self.raw(self.last_definition)

    def raw(self, data: bytes) -> "FitFile":
        self.body += data
        return self

    def bytes(self, *, checksum: int | None = None, claimed_size: int | None = None) -> bytes:
        size = len(self.body) if claimed_size is None else claimed_size
        head = struct.pack("<BBHI4s", 14, 0x20, 2132, size, b".FIT")
        whole = head + struct.pack("<H", crc(head)) + self.body
        return whole + struct.pack("<H", crc(whole) if checksum is None else checksum)

    def _define(self, kind: str, fields: dict[str, Value], apps: dict[tuple[int, int], int]) -> int:
        number, known = MESSAGES[kind]
        sizes = tuple((name, self._size(known[name], value)) for name, value in fields.items())
        key = (kind, sizes, tuple(apps))
        if key in self._locals:
            return self._locals[key]
        local = self._locals[key] = len(self._locals) % 4  # compressed headers have two bits for it
        for old, taken in list(self._locals.items()):
            if taken == local and old != key:
                del self._locals[old]
        begin = len(self.body)
        self.body += struct.pack(
            self.end + "BBBHB", 0x40 | (0x20 if apps else 0) | local, 0, self.end == ">", number, len(fields)
        )
        for name, size in sizes:
            self.body += struct.pack("BBB", known[name][0], size, known[name][1])
        if apps:
            self.body.append(len(apps))
            for index, field_number in apps:
                self.body += struct.pack("BBB", field_number, 2, index)
        self.last_definition = bytes(self.body[begin:])
        return local

    def _size(self, field: Field, value: Value) -> int:
        if isinstance(value, bytes):
            return len(value)
        if isinstance(value, str):
            return len(value.encode()) + 1
        return struct.calcsize(PACK[field[1]])

    def _values(self, kind: str, fields: dict[str, Value]) -> None:
        for name, value in fields.items():
            _, base, scale, offset = MESSAGES[kind][1][name]
            if isinstance(value, bytes):
                self.body += value
            elif isinstance(value, str):
                self.body += value.encode() + b"\x00"
            else:
                number = INVALID[base] if value is None else round((value + offset) * scale)
                self.body += struct.pack(self.end + PACK[base], number)


def begin(*, kind: int = ACTIVITY, maker: int = GARMIN, product: int = 1, **options: bool) -> FitFile:
    return FitFile(**options).add(
        "file_id", type=kind, manufacturer=maker, product=product, serial_number=7, time_created=seconds(START)
    )


def run(fit: FitFile, *, at: datetime = START, samples: int = 60, first: int = 0, **fixed: Value) -> FitFile:
    """Append one record a second of somebody running three metres a second northward in Berlin."""
    for index in range(first, first + samples):
        fields: dict[str, Value] = {
            "timestamp": seconds(at) + index,
            "position_lat": 52.5 + index * 3 / 111_195,
            "position_long": 13.4,
            "distance": index * 3.0,
            "heart_rate": 140 + index % 5,
        }
        fit.add("record", **{**fields, **fixed})
    return fit


def summary(fit: FitFile, *, at: datetime = START, elapsed: float, timer: float, **more: Value) -> FitFile:
    fields: dict[str, Value] = {
        "timestamp": seconds(at) + int(elapsed),
        "start_time": seconds(at),
        "total_elapsed_time": elapsed,
        "total_timer_time": timer,
        "sport": RUNNING,
    }
    return fit.add("session", **{**fields, **more})


def timer(fit: FitFile, *, at_s: int, kind: int, at: datetime = START) -> FitFile:
    return fit.add("event", timestamp=seconds(at) + at_s, event=TIMER, event_type=kind)
