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
    "avg_power": "avg_power_w",
    "max_power": "max_power_w",
    "normalized_power": "normalized_power_w",
    "training_stress_score": "training_stress_score",
    "intensity_factor": "intensity_factor",
    "threshold_power": "threshold_power_w",
    "avg_cadence": "avg_cadence_rpm",
    "avg_running_cadence": "avg_cadence_rpm",
    "max_cadence": "max_cadence_rpm",
    "max_running_cadence": "max_cadence_rpm",
    "total_strokes": "strokes",
    "num_active_lengths": "active_lengths",
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
        if value:
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
