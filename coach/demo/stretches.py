"""What a device sums up of a stretch of a recording: a lap, or the whole session."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from coach.formats.recording import Array, Recording

AVERAGED = ("heart_rate_bpm", "cadence_rpm", "power_w", "speed_mps")
LONGEST_HELD_S = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    from_s: float
    elapsed_s: float
    distance_m: float
    summary: Mapping[str, float]  # avg_… and max_… of what was measured, and the first position


def stretch(recording: Recording, *, from_s: float, to_s: float) -> Stretch:
    """Sum up the samples between two moments, in elapsed seconds since the start, both included."""
    streams = recording.streams
    inside = slice(*np.searchsorted(streams["time_s"], (from_s, np.nextafter(to_s, np.inf))).tolist())
    part = {name: values[inside] for name, values in streams.items()}
    summary: dict[str, float] = {}
    for name in AVERAGED:
        if name in part and np.isfinite(part[name]).any():
            summary["avg_" + name] = _mean(part["time_s"], part[name])
            summary["max_" + name] = float(np.nanmax(part[name]))
    if "latitude_deg" in part:
        summary["start_latitude_deg"] = float(part["latitude_deg"][0])
        summary["start_longitude_deg"] = float(part["longitude_deg"][0])
    distance = part["distance_m"]
    return Stretch(
        from_s=from_s,
        elapsed_s=to_s - from_s,
        distance_m=float(distance[-1] - distance[0]),
        summary=summary,
    )


def _mean(time_s: Array, values: Array) -> float:
    """Return the mean with each sample held until the next one; what is longer than that was a pause."""
    held = np.diff(time_s, append=time_s[-1] + 1.0)
    measured = np.isfinite(values)
    return float(np.average(values[measured], weights=np.where(held > LONGEST_HELD_S, 1.0, held)[measured]))
