"""What every reader makes of a file: one Recording a session."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# Every stream a recording may have; arrays are float64, one value a sample, NaN where nothing was measured.
STREAMS = (
    "time_s",  # seconds since started_at, strictly increasing; always present when there are samples
    "latitude_deg",
    "longitude_deg",
    "altitude_m",
    "distance_m",  # cumulative
    "speed_mps",
    "heart_rate_bpm",
    "cadence_rpm",  # running: single-leg revolutions as the file has them
    "power_w",
    "temperature_c",
)


class Unreadable(Exception):
    """The file holds no recording; the message is a sentence for the athlete that says why and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lap:
    start_s: float
    elapsed_s: float
    timer_s: float
    distance_m: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause:
    """The timer was off from start_s (elapsed seconds since the start) for duration_s."""

    start_s: float
    duration_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """One session of one file. Summary values are the device's where it gave plausible ones, else from samples."""

    format: str  # "fit", "gpx", "tcx"
    sport: str  # "running", "cycling", "swimming", "walking", "hiking", "generic", ... (FIT's words)
    sub_sport: str = ""
    name: str = ""
    device: str = ""
    started_at: datetime  # aware, UTC
    elapsed_s: float
    timer_s: float  # never above elapsed_s
    distance_m: float | None = None
    ascent_m: float | None = None  # the device's own
    descent_m: float | None = None
    energy_kcal: float | None = None
    utc_offset_min: int | None = None  # only when plausible (<= 14 h, multiple of 15 min)
    indoor: bool = False
    virtual: bool = False  # positions are of a made-up world: never ask them for a time zone
    barometric: bool = False  # altitude comes from a pressure sensor
    pool_length_m: float | None = None
    streams: Mapping[str, Array] = field(default_factory=dict)
    laps: tuple[Lap, ...] = ()
    pauses: tuple[Pause, ...] = ()
    # The device's own: normalized_power_w, training_stress_score, avg_heart_rate_bpm, avg_power_w and the like.
    device_summary: Mapping[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()  # sentences: what was salvaged, dropped or doubted
