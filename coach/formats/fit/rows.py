"""Says which fields of a FIT record are which stream, and turns one record into one row of samples."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from coach.formats.fit import apps
from coach.formats.recording import Array

FIELDS: Mapping[str, str] = {
    "position_lat": "latitude_deg",
    "position_long": "longitude_deg",
    "altitude": "altitude_m",
    "enhanced_altitude": "altitude_m",
    "distance": "distance_m",
    "speed": "speed_mps",
    "enhanced_speed": "speed_mps",
    "heart_rate": "heart_rate_bpm",
    "cadence": "cadence_rpm",
    "cadence256": "cadence_rpm",
    "fractional_cadence": "cadence_rest_rpm",
    "power": "power_w",
    "temperature": "temperature_c",
    "grade": "grade_pct",
    "vertical_speed": "vertical_speed_mps",
    "vertical_oscillation": "vertical_oscillation_mm",
    "vertical_ratio": "vertical_ratio_pct",
    "stance_time": "stance_time_ms",
    "stance_time_percent": "stance_time_pct",
    "stance_time_balance": "stance_time_balance_pct",
    "step_length": "step_length_mm",
    "left_right_balance": "balance_flagged_pct",
    "left_torque_effectiveness": "left_torque_effectiveness_pct",
    "right_torque_effectiveness": "right_torque_effectiveness_pct",
    "left_pedal_smoothness": "left_pedal_smoothness_pct",
    "right_pedal_smoothness": "right_pedal_smoothness_pct",
    "respiration_rate": "respiration_per_min",
    "enhanced_respiration_rate": "respiration_per_min",
    "core_temperature": "core_temperature_c",
    "saturated_hemoglobin_percent": "muscle_oxygen_pct",
    "total_hemoglobin_conc": "haemoglobin_g_per_dl",
}
TIMESTAMP = "timestamp"
LATEST_S = 2**32  # the protocol counts seconds in four bytes
RIGHT = 0x80  # without this flag nobody knows of which leg a balance is


def row(frame: Any) -> tuple[float | None, dict[str, float]]:
    """Return the device's seconds of a record, None without a time, and its values as the file counts them."""
    at_s: float | None = None
    values: dict[str, float] = {}
    for item in frame.fields:
        value = item.value
        if not isinstance(value, int | float):
            continue  # nothing measured, or bytes of a field whose size is wrong
        if item.field_def is not None and item.field_def.is_dev:
            stream, factor = apps.stream(item.field)
            if stream:
                values[stream] = value * factor
        elif item.name in FIELDS:
            values[FIELDS[item.name]] = value
        elif item.name == TIMESTAMP:
            at_s = value if 0 <= value <= LATEST_S else None
    return at_s, values


def finished(columns: Mapping[str, Array]) -> dict[str, Array]:
    """Return the columns of the rows in the units of the streams."""
    found = dict(columns)
    for name, convert in CONVERTED.items():
        if name in found:
            found[name] = convert(found[name])
    rest, flagged = found.pop("cadence_rest_rpm", None), found.pop("balance_flagged_pct", None)
    if rest is not None and "cadence_rpm" in found:
        found["cadence_rpm"] = found["cadence_rpm"] + np.nan_to_num(rest)
    if flagged is not None:
        found["right_balance_pct"] = np.where(flagged >= RIGHT, flagged - RIGHT, np.nan)
    return found


def _degrees(semicircles: Array) -> Array:
    return semicircles * 180 / 2**31


def _fifths(metres: Array) -> Array:
    # Altitude counts in fifths of a metre from -500 m; the decoder's subtraction leaves a rest of 1e-14.
    return np.rint(metres * 5) / 5


CONVERTED: Mapping[str, Callable[[Array], Array]] = {
    "latitude_deg": _degrees,
    "longitude_deg": _degrees,
    "altitude_m": _fifths,
}
