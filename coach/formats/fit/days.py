"""What FIT files say of days and nights: weigh-ins, sleep, HRV and the resting heart rate of a day."""

import io
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import fitdecode

from coach.formats import moments, nights
from coach.formats.fit import device
from coach.formats.fit.frames import DAMAGE, Message, Part
from coach.formats.nights import Piece
from coach.formats.wellness import Contents, Measure, Night

EPOCH = datetime(1989, 12, 31, tzinfo=UTC)
READ = frozenset(
    {"file_id", "weight_scale", "sleep_level", "hrv_status_summary", "monitoring_info", "monitoring_hr_data"}
)
RECORDINGS = frozenset({"activity", "course", "workout", "segment"})
MOST_FRAMES = 200_000  # a week of monitoring has fewer
LEVELS = {"light": "light", "deep": "deep", "rem": "rem", "awake": "awake"}
LEVEL_S = 60  # what the last level of a night stands for
WAKING_HOUR, MIDDLE_OF_NIGHT_HOUR = 7, 3


def days(data: bytes) -> Contents:
    """Return what a file that is no recording says; nothing of a recording, which is not even decoded."""
    part = Part()
    with suppress(*DAMAGE):
        for kind, message in _messages(data):
            part.messages.setdefault(kind, []).append(message)
            if kind == "file_id" and message.get("type") in RECORDINGS:
                return Contents()
    provider = device.name(part).partition(" ")[0] or "FIT"
    return Contents(
        nights=tuple(_nights(part, provider=provider)),
        measures=(*_weights(part, provider=provider), *_hrv(part, provider=provider), *_rates(part, provider=provider)),
    )


def _messages(data: bytes) -> Iterator[tuple[str, Message]]:
    with fitdecode.FitReader(
        io.BytesIO(data),
        processor=None,
        check_crc=fitdecode.CrcCheck.DISABLED,
        error_handling=fitdecode.ErrorHandling.IGNORE,
    ) as reader:
        for count, frame in enumerate(reader):
            if count > MOST_FRAMES:
                return
            if frame.frame_type == fitdecode.FIT_FRAME_DATA and frame.name in READ:
                yield frame.name, {field.name: field.value for field in frame.fields if field.value is not None}


def _at(message: Message, key: str = "timestamp") -> datetime | None:
    seconds = message.get(key)
    if not isinstance(seconds, int) or not 0 < seconds < 2**32:
        return None
    return EPOCH + timedelta(seconds=seconds)


def _value(message: Message, key: str) -> float | None:
    value = message.get(key)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) and value > 0 else None


def _weights(part: Part, *, provider: str) -> Iterator[Measure]:
    """A scale writes no offset, so its day is that of its own UTC."""
    for message in part.all("weight_scale"):
        at = _at(message)
        values = {"weight_kg": _value(message, "weight"), "body_fat_pct": _value(message, "percent_fat")}
        if at is not None:
            yield from _measures(values, provider=provider, at=at, shift=timedelta())


def _hrv(part: Part, *, provider: str) -> Iterator[Measure]:
    for message in part.all("hrv_status_summary"):
        at = _at(message)
        if at is not None:
            values = {"hrv_rmssd_ms": _value(message, "last_night_average")}
            yield from _measures(values, provider=provider, at=at, shift=_likely_shift(at, hour=WAKING_HOUR))


def _rates(part: Part, *, provider: str) -> Iterator[Measure]:
    """Yield one resting heart rate a day, the last that was written."""
    shift = _stated_shift(part)
    last: dict[object, Measure] = {}
    for message in part.all("monitoring_hr_data"):
        at = _at(message)
        values = {"resting_heart_rate_bpm": _value(message, "current_day_resting_heart_rate")}
        values["resting_heart_rate_bpm"] = values["resting_heart_rate_bpm"] or _value(message, "resting_heart_rate")
        if at is not None:
            for measure in _measures(values, provider=provider, at=at, shift=shift or timedelta()):
                last[measure.local_date] = measure
    yield from last.values()


def _measures(
    values: Mapping[str, float | None], *, provider: str, at: datetime, shift: timedelta
) -> Iterator[Measure]:
    for metric, value in values.items():
        if value is not None:
            yield Measure(provider=provider, metric=metric, at=at, local_date=(at + shift).date(), value=value)


def _stated_shift(part: Part) -> timedelta | None:
    """Return how far the watch's clock on the wall is from UTC, where it says so plausibly."""
    for message in part.all("monitoring_info"):
        at, local = _at(message), _at(message, "local_timestamp")
        if at is not None and local is not None:
            minutes = moments.plausible_offset_min((local - at).total_seconds())
            return None if minutes is None else timedelta(minutes=minutes)
    return None


def _nights(part: Part, *, provider: str) -> list[Night]:
    """Return the nights by their stages; the file names no zone, so the date is that of the likely morning."""
    levels = [(at, message.get("sleep_level")) for message in part.all("sleep_level") if (at := _at(message))]
    if not levels:
        return []
    levels.sort(key=lambda level: level[0])
    ends = [*(following for (_, _), (following, _) in pairwise(levels)), levels[-1][0] + timedelta(seconds=LEVEL_S)]
    middle = levels[0][0] + (levels[-1][0] - levels[0][0]) / 2
    zone = _zone(_stated_shift(part) or _likely_shift(middle, hour=MIDDLE_OF_NIGHT_HOUR))
    pieces = [
        Piece(start_s=at.timestamp(), end_s=end.timestamp(), stage=LEVELS[level], zone=zone)
        for (at, level), end in zip(levels, ends, strict=True)
        if isinstance(level, str) and level in LEVELS
    ]
    return [replace(night, time_zone="", utc_offset_min=None) for night in nights.nights(provider, pieces)]


def _likely_shift(at: datetime, *, hour: int) -> timedelta:
    """Return the shift from UTC that makes it this hour of the day: somebody slept, so it was night."""
    away = (hour * 60 - (at.hour * 60 + at.minute) + 12 * 60) % (24 * 60) - 12 * 60
    return timedelta(minutes=round(away / 15) * 15)


def _zone(shift: timedelta) -> str:
    hours, minutes = divmod(abs(int(shift.total_seconds())) // 60, 60)
    return f"UTC{'-' if shift < timedelta() else '+'}{hours:02d}:{minutes:02d}"
