"""Makes one recording of several of the same session: the leading one, and what it lacks from the others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from datetime import timedelta
from typing import Any

import numpy as np

from coach.formats.aligning import aligned
from coach.formats.recording import Array, Recording

POSITION = ("latitude_deg", "longitude_deg")
UNSAID = ("", "generic")
# Decided below, or the leading recording's alone: its time, and what describes its own samples.
OWN = {"format", "sport", "sub_sport", "started_at", "elapsed_s", "timer_s", "indoor", "virtual", "barometric"}
OWN |= {"ascent_m", "descent_m", "streams", "pauses", "device_summary", "notes"}
MOMENTS = frozenset({"start_s", "at_s"})  # fields that count seconds from the start of their recording


@dataclass(frozen=True, slots=True, kw_only=True)
class Composed:
    recording: Recording
    gave: tuple[tuple[str, ...], ...]  # of each recording, in their order, what the whole has from it


def compose(recordings: Sequence[Recording]) -> Recording:
    """Return the session that the recordings, in order of precedence, are of."""
    return composed(recordings).recording


def composed(recordings: Sequence[Recording]) -> Composed:
    """Return the session, and what came from whom: names of streams and fields."""
    lead = leading(recordings)
    gave: list[list[str]] = [[] for _ in recordings]
    gave[lead] += ["time", *(name for name in recordings[lead].streams if name != "time_s")]
    whole = recordings[lead]
    for number, other in enumerate(recordings):
        if number != lead:
            whole = _filled(whole, other, gave=gave[number])
    return Composed(recording=whole, gave=tuple(map(tuple, gave)))


def leading(recordings: Sequence[Recording]) -> int:
    """Return the place of the first recording with samples; of the first when none has."""
    return next((number for number, recording in enumerate(recordings) if len(recording.streams.get("time_s", ()))), 0)


def _filled(whole: Recording, other: Recording, *, gave: list[str]) -> Recording:
    """Fill the gaps of the one from the other."""
    streams = _lacking(whole, other)
    found: dict[str, Any] = _fields(whole, other)
    found |= _sport(whole, other)
    found |= _climb(whole, other)
    if other.indoor and not whole.indoor and "latitude_deg" not in whole.streams:
        found["indoor"] = True
    if other.virtual and not whole.virtual:
        found["virtual"] = True
    gave += [*streams, *(name.removesuffix("_m").removesuffix("_kcal").removesuffix("_min") for name in found)]
    if streams:
        found["streams"] = {**whole.streams, **streams}
        found["notes"] = tuple(dict.fromkeys((*whole.notes, *other.notes)))
        if "altitude_m" in streams:
            found["barometric"] = other.barometric
    found["device_summary"] = {**other.device_summary, **whole.device_summary}
    return replace(whole, **found)


def _lacking(whole: Recording, other: Recording) -> dict[str, Array]:
    """Return the streams that only the other has, at the moments of the one."""
    if "time_s" not in whole.streams or "time_s" not in other.streams:
        return {}
    wanted = [name for name in other.streams if name != "time_s" and not says(whole.streams.get(name))]
    if whole.indoor or whole.virtual or not (set(POSITION) <= set(wanted)):
        wanted = [name for name in wanted if name not in POSITION]
    seconds = (other.started_at - whole.started_at) / timedelta(seconds=1)
    found = aligned(other.streams, at_s=whole.streams["time_s"], shift_s=seconds, names=wanted)
    return {name: values for name, values in found.items() if says(values)}


def says(values: Array | None) -> bool:
    """Say whether a stream holds anything; zeros throughout mean that the sensor was not there."""
    return values is not None and bool(np.nan_to_num(values).any())


def _fields(whole: Recording, other: Recording) -> dict[str, Any]:
    """Return every further field that is empty in the one and not in the other."""
    names = [field.name for field in fields(Recording) if field.name not in OWN]
    seconds = (other.started_at - whole.started_at) / timedelta(seconds=1)
    return {
        name: _shifted(getattr(other, name), seconds=seconds)
        for name in names
        if not isinstance(getattr(whole, name), bool) and not _has(whole, name) and _has(other, name)
    }


def _has(recording: Recording, name: str) -> bool:
    value = getattr(recording, name)
    return value is not None and (name == "utc_offset_min" or bool(value))


def _sport(whole: Recording, other: Recording) -> dict[str, Any]:
    """A sport that was not said is the other's; its kind is the other's only where the sport is the same."""
    if whole.sport in UNSAID and other.sport not in UNSAID:
        return {"sport": other.sport, "sub_sport": other.sub_sport}
    if whole.sub_sport in UNSAID and other.sub_sport not in UNSAID and other.sport == whole.sport:
        return {"sub_sport": other.sub_sport}
    return {}


def _climb(whole: Recording, other: Recording) -> dict[str, Any]:
    """Ascent and descent are one device's."""
    if whole.ascent_m is not None or other.ascent_m is None:
        return {}
    return {"ascent_m": other.ascent_m, "descent_m": other.descent_m}


def _shifted(value: Any, *, seconds: float) -> Any:
    """Return what counts seconds from one start as seconds from another."""
    if isinstance(value, tuple):
        return tuple(_shifted(held, seconds=seconds) for held in value)
    if isinstance(value, Mapping):
        return {name: held + seconds if name.endswith("at_s") else held for name, held in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        moments = MOMENTS & {field.name for field in fields(value)}
        return replace(value, **{name: max(getattr(value, name) + seconds, 0.0) for name in moments})
    return value
