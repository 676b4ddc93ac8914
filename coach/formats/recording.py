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
    "temperature_c",  # of the air
    "grade_pct",
    "vertical_speed_mps",
    "vertical_oscillation_mm",
    "vertical_ratio_pct",
    "stance_time_ms",
    "stance_time_pct",
    "stance_time_balance_pct",  # of the left foot
    "step_length_mm",
    "form_power_w",
    "air_power_w",
    "leg_spring_stiffness_kn_per_m",
    "right_balance_pct",  # the right leg's share of the power
    "left_torque_effectiveness_pct",
    "right_torque_effectiveness_pct",
    "left_pedal_smoothness_pct",
    "right_pedal_smoothness_pct",
    "respiration_per_min",
    "core_temperature_c",
    "skin_temperature_c",
    "heat_strain_index",
    "muscle_oxygen_pct",
    "haemoglobin_g_per_dl",
)
# What has times of its own, not one value a sample; arrays of float64, those of one prefix equally long.
SERIES = (
    "rr_at_s",  # when the interval was written, seconds since started_at, never falling
    "rr_interval_s",  # from one heart beat to the next, in order; the exact time of a beat is the sum of these
)


class Unreadable(Exception):
    """The file holds no recording; the message is a sentence for the athlete that says why and what to do."""


class NoTraining(Unreadable):
    """The file is no recording and need not be one: settings, plans, a day's steps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lap:
    start_s: float
    elapsed_s: float
    timer_s: float
    distance_m: float | None = None
    trigger: str = ""  # what ended it, in FIT's words: "manual", "distance", "session_end", ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something the device noted at one moment, in FIT's words."""

    at_s: float  # elapsed seconds since the start
    name: str  # "timer", "rear_gear_change", "recovery_hr", ...
    action: str  # "start", "stop_all", "marker", ...
    value: float | None = None  # the number the device wrote beside it


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause:
    """The timer was off from start_s (elapsed seconds since the start) for duration_s."""

    start_s: float
    duration_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """One session of one file. Summary values are the device's where it gave plausible ones, else from samples."""

    format: str  # "fit", "gpx", "tcx", "row"
    sport: str  # "running", "cycling", "swimming", "walking", "hiking", "generic", ... (FIT's words)
    sub_sport: str = ""
    name: str = ""
    device: str = ""
    started_at: datetime  # aware, UTC
    elapsed_s: float
    timer_s: float  # never above elapsed_s
    moving_s: float | None = None  # as whoever had the samples counted it; with samples of our own we count
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
    events: tuple[Event, ...] = ()  # in order
    series: Mapping[str, Array] = field(default_factory=dict)  # by the names of SERIES
    # The device's own: normalized_power_w, training_stress_score, avg_heart_rate_bpm, avg_power_w and the like.
    device_summary: Mapping[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()  # sentences: what was salvaged, dropped or doubted


def first_fix(recording: Recording) -> tuple[float, float] | None:
    """Return the first known position, latitude and longitude in degrees; zero, zero is a receiver without one."""
    latitude, longitude = recording.streams.get("latitude_deg"), recording.streams.get("longitude_deg")
    if latitude is None or longitude is None:
        return None
    fixes = np.flatnonzero(np.isfinite(latitude) & np.isfinite(longitude) & ((latitude != 0) | (longitude != 0)))
    return (float(latitude[fixes[0]]), float(longitude[fixes[0]])) if len(fixes) else None
