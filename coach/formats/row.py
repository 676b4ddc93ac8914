"""Row: one session as a table or an account's summary has it, in a small document of Coach's own making."""

import json
import math
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from coach.formats import moments, sports, words
from coach.formats.recording import Recording, Unreadable
from coach.formats.registry import reader

BEGIN = b'{"coach":"row"'
LARGEST_BYTES = 64 * 1024
LONGEST_S = 31 * 86_400.0
NOTE = "This comes from a row of a summary: it has totals and averages, but no samples."
DAMAGED = "The row is damaged. Hand in the export that it comes from again."
DATELESS = "The row does not say when it began. Correct the date where the row comes from and export it again."
TIMELESS = (
    "The row does not say how long it took, so it cannot be counted. Upload the recording itself if there is one."
)
# What a whole session can have; a value outside is left out, and said to be.
LIMITS: Mapping[str, tuple[float, float]] = {
    "distance_m": (0, 5_000_000),
    "ascent_m": (0, 20_000),
    "descent_m": (0, 20_000),
    "energy_kcal": (1, 30_000),
    "pool_length_m": (5, 200),
    "avg_heart_rate_bpm": (25, 250),
    "max_heart_rate_bpm": (25, 250),
    "avg_power_w": (1, 2_000),
    "max_power_w": (1, 4_000),
    "normalized_power_w": (1, 2_000),
    "avg_cadence_rpm": (1, 250),
    "max_cadence_rpm": (1, 254),
}
SUMMARY = tuple(name for name in LIMITS if name.endswith(("_bpm", "_w", "_rpm")))
SPOKEN = {
    "distance_m": "The distance (m)",
    "ascent_m": "The ascent (m)",
    "descent_m": "The descent (m)",
    "energy_kcal": "The energy (kcal)",
    "pool_length_m": "The length of the pool (m)",
    "avg_heart_rate_bpm": "The average heart rate (bpm)",
    "max_heart_rate_bpm": "The highest heart rate (bpm)",
    "avg_power_w": "The average power (W)",
    "max_power_w": "The highest power (W)",
    "normalized_power_w": "The weighted power (W)",
    "avg_cadence_rpm": "The average cadence (a minute)",
    "max_cadence_rpm": "The highest cadence (a minute)",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What a table says of one session; None where it says nothing."""

    provider: str  # "strava", "garmin", "apple"
    id: str = ""  # what the provider calls it
    name: str = ""
    sport: str = "generic"  # FIT's words
    sub_sport: str = ""
    device: str = ""
    indoor: bool = False
    virtual: bool = False
    started_at: datetime  # aware
    utc_offset_min: int | None = None
    elapsed_s: float | None = None
    timer_s: float | None = None
    moving_s: float | None = None
    distance_m: float | None = None
    ascent_m: float | None = None
    descent_m: float | None = None
    energy_kcal: float | None = None
    pool_length_m: float | None = None
    avg_heart_rate_bpm: float | None = None
    max_heart_rate_bpm: float | None = None
    avg_power_w: float | None = None
    max_power_w: float | None = None
    normalized_power_w: float | None = None
    avg_cadence_rpm: float | None = None
    max_cadence_rpm: float | None = None


def document(row: Row) -> bytes:
    """Return the row as bytes; equal rows give equal bytes, so a row that comes again is known."""
    said = {key: _plain(value) for key, value in asdict(row).items() if value not in (None, "") and value is not False}
    canon = {"coach": "row", **dict(sorted(said.items()))}
    return json.dumps(canon, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    return value if isinstance(value, str | bool) else round(float(value), 3)


def is_row(data: bytes) -> bool:
    return data.startswith(BEGIN)


@reader("row", claims=is_row)
def read(data: bytes) -> tuple[Recording, ...]:
    said = _said(data)
    elapsed_s, timer_s, moving_s = _times(said)
    values, left_out = _values(said)
    return (
        Recording(
            format="row",
            sport=_sport(said, "sport") or sports.GENERIC[0],
            sub_sport=_sport(said, "sub_sport"),
            name=words.line(_text(said, "name"), longest=200),
            device=words.line(_text(said, "device"), longest=100),
            started_at=moments.checked(_started_at(said)),
            elapsed_s=elapsed_s,
            timer_s=timer_s,
            moving_s=moving_s,
            distance_m=values.get("distance_m"),
            ascent_m=values.get("ascent_m"),
            descent_m=values.get("descent_m"),
            energy_kcal=values.get("energy_kcal"),
            pool_length_m=values.get("pool_length_m"),
            utc_offset_min=_offset_min(said),
            indoor=said.get("indoor") is True,
            virtual=said.get("virtual") is True,
            device_summary={name: values[name] for name in SUMMARY if name in values},
            notes=(NOTE, *left_out),
        ),
    )


def _said(data: bytes) -> dict[str, Any]:
    if len(data) > LARGEST_BYTES:
        raise Unreadable(DAMAGED)
    try:
        said = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise Unreadable(DAMAGED) from error
    if not isinstance(said, dict):
        raise Unreadable(DAMAGED)
    return said


def _text(said: Mapping[str, Any], key: str) -> str:
    value = said.get(key, "")
    return value if isinstance(value, str) else ""


def _sport(said: Mapping[str, Any], key: str) -> str:
    return value if re.fullmatch(r"[a-z][a-z0-9_]{0,31}", value := _text(said, key)) else ""


def _number(said: Mapping[str, Any], key: str) -> float | None:
    """Return a number, None when there is none; raises Unreadable for what is no number at all."""
    value = said.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > 1e15 or not math.isfinite(value):
        raise Unreadable(DAMAGED)
    return float(value)


def _started_at(said: Mapping[str, Any]) -> datetime:
    at = moments.parse(_text(said, "started_at"))
    if at is None or at.tzinfo is None:
        raise Unreadable(DATELESS)
    return at


def _offset_min(said: Mapping[str, Any]) -> int | None:
    minutes = _number(said, "utc_offset_min")
    return None if minutes is None else moments.plausible_offset_min(minutes * 60)


def _times(said: Mapping[str, Any]) -> tuple[float, float, float | None]:
    """Return elapsed, timer and moving time with moving <= timer <= elapsed; what is missing is taken from the rest."""
    elapsed_s, timer_s, moving_s = (_duration(said, key) for key in ("elapsed_s", "timer_s", "moving_s"))
    elapsed_s = elapsed_s or max(timer_s or 0.0, moving_s or 0.0)
    if not elapsed_s:
        raise Unreadable(TIMELESS)
    timer_s = min(timer_s or elapsed_s, elapsed_s)
    return elapsed_s, timer_s, min(moving_s, timer_s) if moving_s else None


def _duration(said: Mapping[str, Any], key: str) -> float | None:
    value = _number(said, key)
    return value if value is not None and 0 < value <= LONGEST_S else None


def _values(said: Mapping[str, Any]) -> tuple[dict[str, float], list[str]]:
    """Return what a session can have, and a sentence for each value that none can have."""
    kept: dict[str, float] = {}
    left_out = []
    for name, (least, most) in LIMITS.items():
        value = _number(said, name)
        if value and least <= value <= most:
            kept[name] = value
        elif value:
            left_out.append(f"{SPOKEN[name]} of {value:g} in the row cannot be, so that value was left out.")
    return kept, left_out
