"""The summary values of a FIT session, where the device gave plausible ones."""

from collections.abc import Mapping

import numpy as np

from coach.formats import plausible
from coach.formats.fit.frames import Message
from coach.formats.fit.legs import number
from coach.formats.recording import Array

SUMMARY: Mapping[str, str] = {
    "avg_heart_rate": "avg_heart_rate_bpm",
    "max_heart_rate": "max_heart_rate_bpm",
    "min_heart_rate": "min_heart_rate_bpm",
    "avg_power": "avg_power_w",
    "max_power": "max_power_w",
    "normalized_power": "normalized_power_w",
    "training_stress_score": "training_stress_score",
    "intensity_factor": "intensity_factor",
    "threshold_power": "threshold_power_w",
    "total_work": "work_j",
    "avg_cadence": "avg_cadence_rpm",
    "avg_running_cadence": "avg_cadence_rpm",
    "max_cadence": "max_cadence_rpm",
    "max_running_cadence": "max_cadence_rpm",
    "enhanced_avg_speed": "avg_speed_mps",
    "avg_speed": "avg_speed_mps",
    "enhanced_max_speed": "max_speed_mps",
    "max_speed": "max_speed_mps",
    "total_training_effect": "training_effect",
    "total_anaerobic_training_effect": "anaerobic_training_effect",
    "training_load_peak": "training_load_peak",
    "avg_temperature": "avg_temperature_c",
    "max_temperature": "max_temperature_c",
    "min_temperature": "min_temperature_c",
    "avg_vertical_oscillation": "avg_vertical_oscillation_mm",
    "avg_vertical_ratio": "avg_vertical_ratio_pct",
    "avg_stance_time": "avg_stance_time_ms",
    "avg_stance_time_percent": "avg_stance_time_pct",
    "avg_stance_time_balance": "avg_stance_time_balance_pct",
    "avg_step_length": "avg_step_length_mm",
    "enhanced_avg_respiration_rate": "avg_respiration_per_min",
    "enhanced_max_respiration_rate": "max_respiration_per_min",
    "avg_left_torque_effectiveness": "avg_left_torque_effectiveness_pct",
    "avg_right_torque_effectiveness": "avg_right_torque_effectiveness_pct",
    "avg_left_pedal_smoothness": "avg_left_pedal_smoothness_pct",
    "avg_right_pedal_smoothness": "avg_right_pedal_smoothness_pct",
    "avg_core_temperature": "avg_core_temperature_c",
    "max_core_temperature": "max_core_temperature_c",
    "total_fat_calories": "fat_energy_kcal",
    "total_strokes": "strokes",
    "total_strides": "strides",
    "num_active_lengths": "active_lengths",
}
# Zero says nothing, but for these it does.
MAY_BE_ZERO = frozenset({"avg_temperature_c", "max_temperature_c", "min_temperature_c"})
LARGEST: Mapping[str, float] = {
    "training_effect": 5.0,  # some makers fill the field with what the scale does not hold
    "anaerobic_training_effect": 5.0,
    "fat_energy_kcal": 30_000,
}
WEIGHED = frozenset({"normalized_power_w", "training_stress_score", "intensity_factor"})
NEEDS_POWER = WEIGHED | {"avg_power_w", "max_power_w"}
SPIKE_W = 2000  # a device that does not filter weighs it to the fourth power
LARGEST_KCAL = 30_000


def summary(session: Message, *, streams: Mapping[str, Array]) -> dict[str, float]:
    """Return the device's own averages; without a power stream, or with spikes in it, its power scores are void."""
    found: dict[str, float] = {}
    for key, name in SUMMARY.items():
        value = number(session, key)
        if value is not None and (value or name in MAY_BE_ZERO) and value <= LARGEST.get(name, value):
            found.setdefault(name, value)
    power_w = streams.get("power_w")
    if power_w is None:
        return {name: value for name, value in found.items() if name not in NEEDS_POWER}
    if np.nanmax(power_w) > SPIKE_W:
        return {name: value for name, value in found.items() if name not in WEIGHED}
    return found


def distance_m(session: Message, *, streams: Mapping[str, Array]) -> float | None:
    """Return the device's distance, else the last of the samples; None when nothing measured it."""
    claimed = number(session, "total_distance")
    if claimed and claimed <= plausible.LIMITS["distance_m"][1]:
        return claimed
    column = streams.get("distance_m")
    return float(np.nanmax(column)) if column is not None else None


def energy_kcal(session: Message) -> float | None:
    value = number(session, "total_calories")
    return value if value and value <= LARGEST_KCAL else None
