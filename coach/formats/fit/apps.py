"""Says which fields of apps on the watch are which stream: by the native field they replace, or by name and unit."""

import re
from collections.abc import Mapping
from typing import Any

# Values of apps are kept apart under this and the stream's name: the device's own go first.
PREFIX = "developer_"
NATIVE: Mapping[int, str] = {
    3: "heart_rate_bpm",
    4: "cadence_rpm",
    7: "power_w",
    39: "vertical_oscillation_mm",
    41: "stance_time_ms",
    139: "core_temperature_c",
}
NAMES: Mapping[str, str] = {
    "formpower": "form_power_w",
    "airpower": "air_power_w",
    "legspringstiffness": "leg_spring_stiffness_kn_per_m",
    "verticaloscillation": "vertical_oscillation_mm",
    "groundtime": "stance_time_ms",
    "stancetime": "stance_time_ms",
    "coretemperature": "core_temperature_c",
    "ciqcoretemperature": "core_temperature_c",
    "skintemperature": "skin_temperature_c",
    "ciqskintemperature": "skin_temperature_c",
    "heatstrainindex": "heat_strain_index",
    "respirationrate": "respiration_per_min",
    "smo2": "muscle_oxygen_pct",
    "thb": "haemoglobin_g_per_dl",
}
POWER_NAME = re.compile(r"(rp|run|running|stryd)?power")
WATTS = {"w": 1.0, "watt": 1.0, "watts": 1.0}
CELSIUS = {"": 1.0, "c": 1.0, "°": 1.0, "°c": 1.0, "celsius": 1.0, "degc": 1.0, "degreescelsius": 1.0}
# What to multiply with, by unit.
FACTORS: Mapping[str, Mapping[str, float]] = {
    "power_w": WATTS,
    "form_power_w": WATTS,
    "air_power_w": WATTS,
    "leg_spring_stiffness_kn_per_m": {"kn/m": 1.0},
    "vertical_oscillation_mm": {"mm": 1.0, "millimeters": 1.0, "cm": 10.0, "centimeters": 10.0},
    "stance_time_ms": {"ms": 1.0, "milliseconds": 1.0, "s": 1000.0, "seconds": 1000.0},
    "core_temperature_c": CELSIUS,
    "skin_temperature_c": CELSIUS,
}


def stream(field: Any) -> tuple[str, float]:
    """Return the stream of a developer field, prefixed, and the factor to its unit; "" for any other field."""
    unit = re.sub(r"\s", "", field.units).lower() if isinstance(field.units, str) else ""
    native = NATIVE.get(field.native_field_num)
    if native is not None:
        return PREFIX + native, FACTORS.get(native, {}).get(unit, 1.0)
    name = _named(field.name, unit=unit)
    factor = FACTORS[name].get(unit, 0.0) if name in FACTORS else 1.0
    return (PREFIX + name, factor) if name and factor else ("", 0.0)


def _named(name: object, *, unit: str) -> str:
    plain = re.sub(r"[\W_]", "", name).lower() if isinstance(name, str) else ""
    return "power_w" if unit in WATTS and POWER_NAME.fullmatch(plain) else NAMES.get(plain, "")
