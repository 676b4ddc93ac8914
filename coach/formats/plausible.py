"""What a sensor can have measured; the rest was not measured."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from coach.formats.recording import Array

# Inclusive limits. Power is wide on purpose: a spike is the file's own, and whoever computes with it masks it.
LIMITS: Mapping[str, tuple[float, float]] = {
    "latitude_deg": (-90, 90),
    "longitude_deg": (-180, 180),
    "altitude_m": (-500, 12_000),
    "distance_m": (0, 10_000_000),
    "speed_mps": (0, 150),
    "heart_rate_bpm": (1, 250),  # zero: no strap
    "cadence_rpm": (0, 254),
    "power_w": (0, 65_534),
    "temperature_c": (-70, 80),
    "grade_pct": (-100, 100),
    "vertical_speed_mps": (-100, 100),
    "vertical_oscillation_mm": (0, 500),
    "vertical_ratio_pct": (0, 100),
    "stance_time_ms": (0, 6000),
    "stance_time_pct": (0, 100),
    "stance_time_balance_pct": (0, 100),
    "step_length_mm": (0, 6000),
    "form_power_w": (0, 2000),
    "air_power_w": (0, 2000),
    "leg_spring_stiffness_kn_per_m": (0, 100),
    "right_balance_pct": (0, 100),
    "left_torque_effectiveness_pct": (0, 100),
    "right_torque_effectiveness_pct": (0, 100),
    "left_pedal_smoothness_pct": (0, 100),
    "right_pedal_smoothness_pct": (0, 100),
    "respiration_per_min": (1, 120),
    "core_temperature_c": (25, 45),
    "skin_temperature_c": (1, 50),
    "heat_strain_index": (0, 100),
    "muscle_oxygen_pct": (0, 100),
    "haemoglobin_g_per_dl": (0, 40),
}
# Zeros from end to end come from devices that fill the field without a sensor.
MAY_STAY_ZERO = frozenset({"latitude_deg", "longitude_deg", "altitude_m", "temperature_c", "grade_pct"})
RESTART_DROP_M = 100  # a cumulative distance that falls this far began anew
STANDS_OUT_M = 1000  # between two samples nobody gets this far and back


def measured(columns: Mapping[str, Array]) -> dict[str, Array]:
    """Return the streams with NaN where the value is impossible, without those that hold nothing."""
    streams: dict[str, Array] = {}
    for name, (low, high) in LIMITS.items():
        if name in columns:
            column = columns[name]
            with np.errstate(invalid="ignore"):
                streams[name] = np.where((column >= low) & (column <= high), column, np.nan)
    _drop_null_island(streams)
    if "distance_m" in streams:
        streams["distance_m"] = cumulative(streams["distance_m"])
    return {name: column for name, column in streams.items() if _says_something(name, column)}


def cumulative(distance_m: Array) -> Array:
    """Return a distance that never falls.

    A single value far above both neighbours is none, a fall to the start is a new count, small steps back are noise.
    """
    distance_m = np.where(_stands_out(distance_m), np.nan, distance_m)
    known = ~np.isnan(distance_m)
    values = distance_m[known]
    falls = np.diff(values)
    anew = (falls < -RESTART_DROP_M) & (values[1:] < values[:-1] / 10)
    carried = np.concatenate(([0.0], np.cumsum(np.where(anew, values[:-1], 0.0)))) if len(values) else values
    result = distance_m.copy()
    result[known] = np.maximum.accumulate(values + carried) if len(values) else values
    return result


def _stands_out(distance_m: Array) -> NDArray[np.bool_]:
    known = np.flatnonzero(~np.isnan(distance_m))
    steps = np.diff(distance_m[known])
    found = np.zeros(len(distance_m), dtype=bool)
    found[known[1:-1][(steps[:-1] > STANDS_OUT_M) & (steps[1:] < -STANDS_OUT_M)]] = True
    return found


def _drop_null_island(streams: dict[str, Array]) -> None:
    latitude, longitude = streams.get("latitude_deg"), streams.get("longitude_deg")
    if latitude is None or longitude is None:
        streams.pop("latitude_deg", None)
        streams.pop("longitude_deg", None)
        return
    nowhere = np.isnan(latitude) | np.isnan(longitude) | ((latitude == 0) & (longitude == 0))
    latitude[nowhere] = longitude[nowhere] = np.nan


def _says_something(name: str, column: Array) -> bool:
    known = column[~np.isnan(column)]
    return len(known) > 0 and (name in MAY_STAY_ZERO or bool(known.any()))
