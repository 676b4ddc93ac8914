"""Turns a FIT record into one row of samples."""

import re
from collections.abc import Callable, Mapping
from typing import Any


def _same(value: float) -> float:
    return value


def _degrees(semicircles: float) -> float:
    return semicircles * 180 / 2**31


def _fifths(metres: float) -> float:
    # Altitude counts in fifths of a metre from -500 m; the decoder's subtraction leaves a rest of 1e-14.
    return round(metres * 5) / 5


FIELDS: Mapping[str, tuple[str, Callable[[float], float]]] = {
    "position_lat": ("latitude_deg", _degrees),
    "position_long": ("longitude_deg", _degrees),
    "altitude": ("altitude_m", _fifths),
    "enhanced_altitude": ("altitude_m", _fifths),
    "distance": ("distance_m", _same),
    "speed": ("speed_mps", _same),
    "enhanced_speed": ("speed_mps", _same),
    "heart_rate": ("heart_rate_bpm", _same),
    "cadence": ("cadence_rpm", _same),
    "cadence256": ("cadence_rpm", _same),
    "power": ("power_w", _same),
    "temperature": ("temperature_c", _same),
}
# Developer fields, which apps on the watch write: by the native field they replace, or by name.
NATIVE: Mapping[int, str] = {3: "heart_rate_bpm", 4: "cadence_rpm", 7: "power_w"}
POWER_NAME = re.compile(r"(rp|run|running|stryd)?power", re.I)
LATEST_S = 2**32  # the protocol counts seconds in four bytes
DEVELOPER = "developer_"


def row(frame: Any) -> tuple[float | None, dict[str, float]]:
    """Return the device's seconds of a record, None without a time, and its values by stream.

    Values of apps are kept apart under `developer_` and the stream's name: the device's own go first.
    """
    at_s: float | None = None
    values: dict[str, float] = {}
    fraction = 0.0
    for item in frame.fields:
        value = item.value
        if not isinstance(value, int | float):
            continue  # nothing measured, or bytes of a field whose size is wrong
        name = item.name
        if item.field_def is not None and item.field_def.is_dev:
            stream = _developer(item)
            if stream is not None:
                values[DEVELOPER + stream] = value
        elif name in FIELDS:
            stream, convert = FIELDS[name]
            values[stream] = convert(value)
        elif name == "timestamp":
            at_s = value if 0 <= value <= LATEST_S else None
        elif name == "fractional_cadence":
            fraction = value
    if fraction and "cadence_rpm" in values:
        values["cadence_rpm"] += fraction
    return at_s, values


def _developer(item: Any) -> str | None:
    native = NATIVE.get(item.field.native_field_num)
    if native is not None:
        return native
    is_power = (item.units or "").lower() in {"w", "watts", "watt"} and isinstance(item.name, str)
    if is_power and POWER_NAME.fullmatch(re.sub(r"[\W_]", "", item.name)):
        return "power_w"
    return None
