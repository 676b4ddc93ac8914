"""Gathers the samples of one session: records, lengths of the pool, beats of the strap, fields of apps."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coach.formats import clock, ground, pauses
from coach.formats.fit import apps, heart, swim
from coach.formats.fit.frames import Part
from coach.formats.fit.legs import Leg, number
from coach.formats.recording import Array
from coach.formats.samples import select

BOGUS_LEAD_S = 86_400  # a session does not begin a day before its first sample
STOP_SLACK_S = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    raw_s: Array  # the device's own seconds
    columns: dict[str, Array]
    start_s: float | None  # None: nothing says when it began
    pool_length_m: float | None


def gather(part: Part, *, leg: Leg, raw_s: Array, columns: Mapping[str, Array]) -> Gathered:
    """Return the samples of the leg from those of the whole part."""
    mine = (raw_s >= leg.from_s) & (raw_s < leg.until_s)
    counted_m = _counted_before(columns, before=raw_s < leg.from_s)
    raw_s, columns = raw_s[mine], select(columns, mine)
    if counted_m and "distance_m" in columns and np.nanmin(columns["distance_m"], initial=np.inf) >= counted_m:
        columns["distance_m"] = np.round(columns["distance_m"] - counted_m, 2)
    pool_length_m = number(leg.session, "pool_length")
    if pool_length_m:
        raw_s, columns = _with_lengths(part, leg, raw_s, columns, pool_length_m=pool_length_m)
    rate = heart.filled(raw_s, columns.get("heart_rate_bpm"), messages=part.all("hr"))
    if rate is not None:
        columns["heart_rate_bpm"] = rate
    for name in [name for name in columns if name.startswith(apps.PREFIX)]:
        columns.setdefault(name.removeprefix(apps.PREFIX), columns.pop(name))
    return Gathered(raw_s=raw_s, columns=columns, start_s=_start(leg, raw_s), pool_length_m=pool_length_m)


def excused(raw_s: Array, *, events: list[tuple[float, bool]]) -> NDArray[np.bool_]:
    """Say for each gap between samples whether a stop of the timer explains it; asked only of gaps of hours."""
    found = np.zeros(max(len(raw_s) - 1, 0), dtype=bool)
    stops = [
        (pause.start_s - STOP_SLACK_S, pause.start_s + pause.duration_s + STOP_SLACK_S)
        for pause in pauses.from_events(events, elapsed_s=float("inf"))
        if pause.duration_s > clock.UNLIKELY_GAP_S - 2 * STOP_SLACK_S
    ]
    for index in np.flatnonzero(np.diff(raw_s) > clock.UNLIKELY_GAP_S)[: clock.MOST_STRETCHES]:
        found[index] = any(begin <= raw_s[index] and raw_s[index + 1] <= end for begin, end in stops)
    return found


def measure_ground(streams: dict[str, Array]) -> None:
    """Add the distance that the positions cover where the device counted none."""
    if "distance_m" in streams or "latitude_deg" not in streams:
        return
    latitude, longitude = streams["latitude_deg"], streams["longitude_deg"]
    streams["distance_m"] = ground.distance_m(latitude, longitude, breaks=np.zeros(len(latitude), dtype=bool))


def _start(leg: Leg, raw_s: Array) -> float | None:
    if len(raw_s) == 0:
        return leg.start_s
    first_s = float(raw_s[0])
    if leg.start_s is None or first_s - leg.start_s > BOGUS_LEAD_S:
        return first_s
    return min(leg.start_s, first_s)


def _with_lengths(
    part: Part, leg: Leg, raw_s: Array, columns: dict[str, Array], *, pool_length_m: float
) -> tuple[Array, dict[str, Array]]:
    messages = [length for length in part.all("length") if leg.holds(length.get("start_time"))]
    swum = swim.lengths(messages, pool_length_m=pool_length_m)
    if not swum:
        return raw_s, columns
    if len(raw_s) == 0:
        raw_s, columns = swim.grid(swum), {}
    return raw_s, {**columns, **swim.columns(swum, raw_s=raw_s)}


def _counted_before(columns: Mapping[str, Array], *, before: NDArray[np.bool_]) -> float:
    """Return the distance that the device had counted before this session, over all sessions of the file."""
    distance_m = columns.get("distance_m")
    if distance_m is None:
        return 0.0
    known = distance_m[before & ~np.isnan(distance_m)]
    return float(known[-1]) if len(known) else 0.0
