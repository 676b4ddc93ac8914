"""A ride of two minutes with a stop, two laps and a lapse of the strap, made by hand for the encoders."""

from datetime import UTC, datetime
from typing import Any

import numpy as np

from coach.formats.recording import Lap, Pause, Recording

STARTED_AT = datetime(2026, 3, 29, 7, 30, 5, tzinfo=UTC)
TIME_S = np.array([0.0, 5, 10, 40, 45, 50, 55, 60])  # the timer stands still from 10 to 40
BEATS = np.array([90.0, 100, np.nan, 110, 120, 130, 140, 150])


def short_ride(**changes: Any) -> Recording:
    streams = {
        "time_s": TIME_S,
        "latitude_deg": 50.862 + np.arange(8) * 3e-4,
        "longitude_deg": 9.836 - np.arange(8) * 1e-4,
        "altitude_m": 330.0 + np.arange(8) * 0.4,
        "distance_m": np.array([0.0, 35, 70, 70, 105, 140, 175, 210.25]),
        "speed_mps": np.array([7.0, 7.0, 0, 1.5, 7.0, 7.0, 7.0, 7.05]),
        "heart_rate_bpm": BEATS,
        "cadence_rpm": np.array([80.0, 85, 0, 60, 88, 88, 90, 91]),
        "power_w": np.array([150.0, 180, 0, 250, 200, 210, 190, 195]),
        "temperature_c": np.full(8, -3.0),
    }
    values: dict[str, Any] = {
        "format": "fit",
        "sport": "cycling",
        "sub_sport": "road",
        "name": "Hills & <dales>",
        "device": "Demo head unit",
        "started_at": STARTED_AT,
        "elapsed_s": 60.0,
        "timer_s": 30.0,
        "distance_m": 210.25,
        "ascent_m": 3.0,
        "descent_m": 0.0,
        "energy_kcal": 6.0,
        "utc_offset_min": 120,
        "barometric": True,
        "streams": streams,
        "laps": (
            Lap(start_s=0.0, elapsed_s=45.0, timer_s=15.0, distance_m=105.0),
            Lap(start_s=45.0, elapsed_s=15.0, timer_s=15.0, distance_m=105.25),
        ),
        "pauses": (Pause(start_s=10.0, duration_s=30.0),),
        "device_summary": {"avg_heart_rate_bpm": 121.0, "max_heart_rate_bpm": 150.0, "avg_power_w": 187.0},
    }
    return Recording(**values | changes)


def without(recording: Recording, *names: str) -> dict[str, Any]:
    return {name: values for name, values in recording.streams.items() if name not in names}
