"""Nights, HRV, resting heart rates and weights from the JSON files of a Garmin account."""

import io
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from coach.formats.garmin import values
from coach.formats.items import Items
from coach.formats.recording import Recording, Unreadable
from coach.formats.registry import reader
from coach.formats.wellness import Contents, Measure, Night

PROVIDER = "Garmin"
LOOKED_AT_BYTES = 64 * 1024
BEGIN = re.compile(rb"(?:\xef\xbb\xbf)?\s*\[\s*\{")
STAGES = {
    "light": "lightSleepSeconds",
    "deep": "deepSleepSeconds",
    "rem": "remSleepSeconds",
    "awake": "awakeSleepSeconds",
}
LONGEST_NIGHT = timedelta(hours=24)
NOTHING = "The file holds no night and no value of a day. It is kept as it is."

Said = Mapping[str, Any]


def is_days(data: bytes) -> bool:
    head = data[:LOOKED_AT_BYTES]
    return BEGIN.match(head) is not None and b'"calendarDate"' in head and any(mark in head for mark in READERS)


def days(data: bytes) -> Contents:
    """Return what the file says of days and nights; raises Unreadable when it is damaged."""
    head = data[:LOOKED_AT_BYTES]
    read = next(read for mark, read in READERS.items() if mark in head)
    nights: dict[object, Night] = {}
    measures: dict[object, Measure] = {}
    items = Items(io.BytesIO(data))
    for item in items:
        for found in read(item):
            if isinstance(found, Measure):
                measures[found.metric, found.at] = found
            elif _is_better(found, nights.get(found.wake_date)):
                nights[found.wake_date] = found
    return Contents(nights=tuple(nights.values()), measures=tuple(measures.values()), notes=items.notes)


@reader("garmin", claims=is_days, days=days)
def read(data: bytes) -> tuple[Recording, ...]:
    raise Unreadable(NOTHING)


def _is_better(night: Night, other: Night | None) -> bool:
    """Say whether of two sleeps with one wake date this is the night: the longer one, a nap is the shorter."""
    return other is None or (night.asleep_min or 0.0) > (other.asleep_min or 0.0)


def _sleep(item: Said) -> Iterator[Night | Measure]:
    day, start_at = values.day(item), values.gmt(item, "sleepStartTimestampGMT")
    end_at = values.gmt(item, "sleepEndTimestampGMT")
    if day is None or start_at is None or end_at is None or not timedelta() < end_at - start_at <= LONGEST_NIGHT:
        return
    stages = {stage: seconds / 60 for stage, key in STAGES.items() if (seconds := values.number(item, key))}
    asleep_min = sum(minutes for stage, minutes in stages.items() if stage != "awake")
    in_bed_min = (end_at - start_at).total_seconds() / 60
    if asleep_min > in_bed_min + 1:
        return
    yield Night(
        provider=PROVIDER,
        wake_date=day,  # Garmin's date of a night is already the day of waking up
        start_at=start_at,
        end_at=end_at,
        asleep_min=asleep_min or None,
        in_bed_min=in_bed_min,
        stages=stages,
    )
    yield from _measures({"respiration_per_min": values.number(item, "averageRespiration")}, at=end_at, item=item)


def _health(item: Said) -> Iterator[Measure]:
    """Yield the night's HRV; a baseline of 0 or -1 only means that there is none yet, so baselines are not asked."""
    day, metrics = values.day(item), item.get("metrics")
    if day is None or not isinstance(metrics, list):
        return
    for metric in metrics:
        if isinstance(metric, dict) and metric.get("type") == "HRV":
            found = {"hrv_rmssd_ms": values.number(metric, "value")}
            yield from _measures(found, at=values.noon(day), item=item)


def _summary(item: Said) -> Iterator[Measure]:
    day = values.day(item)
    if day is not None:
        found = {
            "resting_heart_rate_bpm": values.number(item, "restingHeartRate", "currentDayRestingHeartRate"),
            "steps": values.number(item, "totalSteps"),
        }
        yield from _measures(found, at=values.noon(day), item=item)


def _body(item: Said) -> Iterator[Measure]:
    meta, weight = item.get("metaData"), item.get("weight")
    if not isinstance(meta, dict) or not isinstance(weight, dict):
        return
    at = values.gmt(meta, "sequence") or values.gmt(weight, "timestampGMT") or values.gmt(meta, "calendarDate")
    if at is not None:
        grams = values.number(weight, "weight")
        found = {"weight_kg": grams / 1000 if grams else None, "body_fat_pct": values.number(weight, "bodyFat")}
        yield from _measures(found, at=at, item=meta)


def _measures(found: Mapping[str, float | None], *, at: datetime, item: Said) -> Iterator[Measure]:
    day = values.day(item) or at.date()
    for metric, value in found.items():
        if value is not None:
            yield Measure(provider=PROVIDER, metric=metric, at=at, local_date=day, value=value)


READERS: Mapping[bytes, Callable[[Said], Iterator[Night | Measure]]] = {
    b'"sleepStartTimestampGMT"': _sleep,
    b'"metaData"': _body,
    b'"metrics"': _health,
    b'estingHeartRate"': _summary,
    b'"totalSteps"': _summary,
}
