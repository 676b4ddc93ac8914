"""Recordings made for the tests of what is derived from them."""

from datetime import UTC, datetime
from typing import Any

import numpy as np

from coach.formats.recording import Recording

START = datetime(2026, 11, 24, 6, 40, tzinfo=UTC)
KNOWN = {
    "ftp_w": 250.0,
    "lthr_bpm": 170.0,
    "hr_max_bpm": 190.0,
    "hr_rest_bpm": 50.0,
    "threshold_pace_s_per_km": 270.0,
}


def recording(**changes: Any) -> Recording:
    """Make an hour of riding, or whatever the changes say."""
    seconds = float(changes.pop("seconds", 3600))
    fields: dict[str, Any] = {
        "format": "fit",
        "sport": "cycling",
        "started_at": START,
        "elapsed_s": seconds,
        "timer_s": seconds,
    }
    return Recording(**(fields | changes))


def streams(seconds: int = 3600, **levels: float) -> dict[str, np.ndarray]:
    """Make 1 Hz streams at constant levels; a speed also makes the distance."""
    time = np.arange(float(seconds))
    made = {name: np.full(seconds, float(level)) for name, level in levels.items()}
    if "speed_mps" in levels:
        made["distance_m"] = time * levels["speed_mps"]
    return {"time_s": time, **made}
