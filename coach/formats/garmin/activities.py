"""summarizedActivities.json: Garmin's summaries of activities, in centimetres and milliseconds."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

from coach.formats import kinds, moments, words
from coach.formats.garmin import values
from coach.formats.items import Items
from coach.formats.row import Row
from coach.formats.sports import INDOOR

KEY = "summarizedActivitiesExport"
BEGIN = re.compile(rb'(?:\xef\xbb\xbf)?\s*\[?\s*\{\s*"summarizedActivitiesExport"')
TWICE = 2.0  # how far distance over time and the speed that Garmin states may lie apart
UNDATED = "The summary does not say when the activity began."
TIMELESS = "The summary does not say how long the activity took."
LEGS = "It sums up the legs of a multisport activity, and each of those is read itself."


def is_table(head: bytes) -> bool:
    return BEGIN.match(head) is not None


class Table:
    """The summaries one by one, each as a row or a sentence why there is none; `notes` after the reading."""

    def __init__(self, file: BinaryIO) -> None:
        self._items = Items(file, key=KEY)

    @property
    def notes(self) -> tuple[str, ...]:
        return self._items.notes

    def __iter__(self) -> Iterator[Row | str]:
        for item in self._items:
            yield _row(item)


def _row(item: Mapping[str, Any]) -> Row | str:
    kind = item.get("activityType")
    kind = values.text(kind, "typeKey") if isinstance(kind, dict) else values.text(item, "activityType")
    if item.get("parent") is True or kind == "multi_sport":
        return LEGS
    began_at = values.gmt(item, "startTimeGmt") or values.gmt(item, "beginTimestamp")
    elapsed_s, timer_s, moving_s = (
        _divided(item, key, 1000) for key in ("elapsedDuration", "duration", "movingDuration")
    )
    if began_at is None:
        return UNDATED
    if not elapsed_s and not timer_s:
        return TIMELESS
    sport, sub_sport = kinds.named(kind)
    identity = item.get("activityId")
    return Row(
        provider="garmin",
        id=str(identity)[:32] if isinstance(identity, int | str) else "",
        name=words.line(values.text(item, "name"), longest=200),
        sport=sport,
        sub_sport=sub_sport,
        indoor=sub_sport in INDOOR,
        virtual=sub_sport == "virtual_activity",
        started_at=began_at,
        utc_offset_min=_offset_min(item),
        elapsed_s=elapsed_s or timer_s,
        timer_s=timer_s or elapsed_s,
        moving_s=moving_s,
        distance_m=_distance_m(item, seconds=timer_s or elapsed_s or 0.0),
        ascent_m=_divided(item, "elevationGain", 100),
        descent_m=_divided(item, "elevationLoss", 100),
        # Its calories are left out: exports differ in the unit, and nothing in the row tells which it is.
        pool_length_m=_divided(item, "poolLength", 100),
        avg_heart_rate_bpm=values.number(item, "avgHr"),
        max_heart_rate_bpm=values.number(item, "maxHr"),
        avg_power_w=values.number(item, "avgPower"),
        max_power_w=values.number(item, "maxPower"),
        normalized_power_w=values.number(item, "normPower"),
        avg_cadence_rpm=values.number(item, "avgRunCadence", "avgBikeCadence"),
        max_cadence_rpm=values.number(item, "maxRunCadence", "maxBikeCadence"),
    )


def _divided(item: Mapping[str, Any], key: str, by: float) -> float | None:
    value = values.number(item, key)
    return None if value is None else value / by


def _distance_m(item: Mapping[str, Any], *, seconds: float) -> float | None:
    """Return metres of centimetres; the speed, in centimetres a millisecond, tells when they were metres."""
    centimetres, speed = values.number(item, "distance"), values.number(item, "avgSpeed")
    if centimetres is None:
        return None
    metres = centimetres / 100
    if speed is None or not seconds or 1 / TWICE < metres / seconds / (speed * 10) < TWICE:
        return metres
    return centimetres if 1 / TWICE < centimetres / seconds / (speed * 10) < TWICE else metres


def _offset_min(item: Mapping[str, Any]) -> int | None:
    """Return the offset of the local time; none when it equals GMT, as devices write that know no zone."""
    local_ms = values.number(item, "startTimeLocal")
    gmt_ms = values.number(item, "startTimeGmt", "beginTimestamp")
    if local_ms is None or gmt_ms is None or local_ms == gmt_ms:
        return None
    return moments.plausible_offset_min((local_ms - gmt_ms) / 1000)
