"""What the athlete said the columns of a table are."""

from collections.abc import Mapping as AnyMapping
from dataclasses import asdict, dataclass
from typing import Any, Self

LEAVE_OUT = ""
DATE, TIME, WEIGHT, RESTING, SLEEP, BED, WAKE, HRV, FAT = (
    "date",
    "time",
    "weight",
    "resting_heart_rate",
    "sleep",
    "bed_time",
    "wake_time",
    "hrv_rmssd",
    "body_fat",
)
ROLES = {
    LEAVE_OUT: "Leave out",
    DATE: "Date",
    TIME: "Time",
    WEIGHT: "Weight",
    FAT: "Body fat (%)",
    RESTING: "Resting heart rate (bpm)",
    HRV: "HRV, rMSSD (ms)",
    SLEEP: "Sleep duration",
    BED: "Bed time",
    WAKE: "Wake time",
}
METRICS = {RESTING: "resting_heart_rate_bpm", HRV: "hrv_rmssd_ms", WEIGHT: "weight_kg", FAT: "body_fat_pct"}
DATE_ORDERS = {"ymd": "Year, month, day", "dmy": "Day, month, year", "mdy": "Month, day, year"}
WEIGHT_UNITS = {"kg": "Kilograms", "lb": "Pounds", "st": "Stones"}
NIGHT_DATES = {"morning": "The day somebody woke up", "evening": "The day somebody went to bed"}
PROVIDER = "My table"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mapping:
    columns: tuple[str, ...]  # a key of ROLES each
    date_order: str = ""  # a key of DATE_ORDERS; nothing while it is not known
    weight_unit: str = ""
    night_date: str = "morning"
    provider: str = PROVIDER

    @classmethod
    def of(cls, said: AnyMapping[str, Any]) -> Self | None:
        """Return what was stored; None when it is not whole."""
        columns = said.get("columns")
        if not isinstance(columns, list) or not all(role in ROLES for role in columns):
            return None
        words = {
            name: str(said[name]) for name in ("date_order", "weight_unit", "night_date", "provider") if name in said
        }
        return cls(columns=tuple(columns), **words)

    def stored(self) -> dict[str, Any]:
        return {**asdict(self), "columns": list(self.columns)}

    def place(self, role: str) -> int | None:
        return self.columns.index(role) if role in self.columns else None

    def troubles(self) -> list[str]:
        """Return in sentences what is missing or twice; nothing when a table can be read by it."""
        said = set(self.columns)
        twice = [ROLES[role] for role in ROLES if role and self.columns.count(role) > 1]
        found = [f"Two columns cannot both be “{label}”. Leave one of them out." for label in twice]
        if DATE not in said and BED not in said and WAKE not in said:
            found.append("Say which column holds the date.")
        if not said & {WEIGHT, FAT, RESTING, HRV, SLEEP, BED, WAKE}:
            found.append("Say which column holds weights, sleep, heart rates or HRV; there must be one.")
        if self.date_order not in DATE_ORDERS:
            found.append("Say in which order day, month and year stand.")
        if WEIGHT in said and self.weight_unit not in WEIGHT_UNITS:
            found.append("Say in which unit the weights are.")
        return found
