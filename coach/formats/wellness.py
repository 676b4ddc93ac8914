"""What files say about days and nights, and what each measure may plausibly be."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime

from coach.formats.recording import Recording

STAGES = ("light", "deep", "rem", "awake")


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    label: str
    least: float
    most: float
    daily: bool = False  # one value a day, whenever in the day it is dated


# Values outside are not stored; the note of the file says how many there were.
METRICS: dict[str, Metric] = {
    "weight_kg": Metric(label="Weight (kg)", least=20, most=400),
    "body_fat_pct": Metric(label="Body fat (%)", least=2, most=70),
    "resting_heart_rate_bpm": Metric(label="Resting heart rate (bpm)", least=25, most=130, daily=True),
    "hrv_rmssd_ms": Metric(label="HRV, rMSSD (ms)", least=1, most=400),
    "hrv_sdnn_ms": Metric(label="HRV, SDNN (ms)", least=1, most=500),
    "heart_rate_bpm": Metric(label="Heart rate, mean of the day (bpm)", least=25, most=230, daily=True),
    "respiration_per_min": Metric(label="Breaths per minute", least=3, most=70),
    "oxygen_saturation_pct": Metric(label="Oxygen saturation (%)", least=50, most=100),
    "vo2max_ml_kg_min": Metric(label="VO2max estimate (ml/kg/min)", least=10, most=100),
    "steps": Metric(label="Steps", least=0, most=200_000, daily=True),
    "sleep_min": Metric(label="Sleep (min)", least=10, most=1200, daily=True),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Night:
    """One sleep as one provider has it; wake_date is the local day of its end."""

    provider: str
    wake_date: date
    start_at: datetime | None = None  # aware
    end_at: datetime | None = None
    utc_offset_min: int | None = None
    time_zone: str = ""  # IANA name or UTC+02:00 where the file says it; it goes before the offset
    asleep_min: float | None = None
    in_bed_min: float | None = None
    stages: Mapping[str, float] = field(default_factory=dict)  # minutes by STAGES
    pieces: tuple[tuple[float, float, str], ...] = ()  # seconds since start_at, seconds, stage or "asleep", "in_bed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """One value; `metric` is a key of METRICS."""

    provider: str
    metric: str
    at: datetime  # aware
    local_date: date
    value: float
    samples: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """What was measured in each minute of one local day: means, and how many readings each sums up."""

    provider: str
    metric: str
    local_date: date
    minutes: Mapping[int, tuple[float, int]]  # minute of the day: mean, readings


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """Everything that one file says."""

    recordings: tuple[Recording, ...] = ()
    nights: tuple[Night, ...] = ()
    measures: tuple[Measure, ...] = ()
    curves: tuple[Curve, ...] = ()
    notes: tuple[str, ...] = ()
