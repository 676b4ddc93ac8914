"""Sketches a session once, when it is measured: what its screen draws of the samples, and the efforts in them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from coach.formats.recording import Array, Pause
from coach.metrics import effort, intervals
from coach.metrics.arrays import mean, smoothed
from coach.metrics.grid import Grid, hold_for, resample
from coach.metrics.motion import speed_from_distance
from coach.metrics.sports import Sport
from coach.metrics.thin import MOST_POINTS, thinned

PARTS = 12
CLOSER_POINTS = 300
DEGREE_DIGITS = 6
PACE_SMOOTHING_SECONDS = 15
SLOWEST_SHOWN_MPS = 0.8
READ = ("time_s", "distance_m", "altitude_m", "heart_rate_bpm", "cadence_rpm", "power_w", "speed_mps")
Plain = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sketch:
    """Plain values to be stored, in SI units; a pace is in s/m. Empty where there is nothing to draw or find.

    `drawn` has `time_s` and `lines` (each with its `key`, its thinned `values`, the means of its `parts`, its `most`
    and `mean`; the most of a pace is a speed), `from_s` of the parts, and the `way` as [latitude, longitude, second].
    """

    drawn: Plain = field(default_factory=dict)
    intervals: Plain = field(default_factory=dict)  # count, seconds, effort, the stream it is `of`, and the `spans_s`


def sketch(
    streams: Mapping[str, Array], *, pauses: Sequence[Pause], sport: Sport, indoors: bool, barometric: bool = False
) -> Sketch:
    """Sketch plausible streams with a distance. `indoors` are made-up worlds, too."""
    grid = _grid(streams, pauses=pauses)
    graded = sport.family == "running" and not indoors
    return Sketch(
        drawn={**_lines(grid, sport=sport), **({} if indoors else _way(streams))},
        intervals=_intervals(grid, effort.main_stream(grid, sport=sport, graded=graded, barometric=barometric)),
    )


def closer(streams: Mapping[str, Array], *, pauses: Sequence[Pause], sport: Sport, part: tuple[float, float]) -> Plain:
    """Return what is drawn of a part of a session, from one elapsed second to another; empty where there is nothing.

    As of the whole, but `most` and `usual` are of the part alone, both None where a line is silent; one sample beyond
    either end goes with it, so that no line ends inside. `extent` is the least and the most of the whole session.
    """
    grid = _grid(streams, pauses=pauses)
    first = int(np.searchsorted(grid.time_s, part[0], side="left"))
    last = int(np.searchsorted(grid.time_s, part[1], side="right"))
    kept = _kept(grid, sport=sport)
    if not kept or last - first < 2:
        return {}
    near = slice(max(first - 1, 0), last + 1)
    times, thin = thinned(grid.time_s[near], [values[near] for _, values in kept], most=CLOSER_POINTS)
    return {
        "time_s": times,
        "part": [part[0], min(part[1], float(grid.time_s[-1]))],
        "lines": [
            {
                "key": key,
                "values": shown,
                "parts": [],
                "extent": [float(np.nanmin(values)), float(np.nanmax(values))],
                **_told(key, values[first:last]),
            }
            for (key, values), shown in zip(kept, thin, strict=True)
        ],
    }


def _told(key: str, values: Array) -> Plain:
    measured = values[np.isfinite(values)]
    if not measured.size:
        return {"most": None, "usual": None}
    levels = 1 / measured if key == "pace" else measured  # the mean of a pace is that of its speeds
    return {"most": float(levels.max()), "usual": float(levels.mean())}


def _grid(streams: Mapping[str, Array], *, pauses: Sequence[Pause]) -> Grid:
    read = {name: streams[name] for name in READ if name in streams}
    return resample(read, pauses=pauses, hold_s=hold_for(streams.get("time_s", np.empty(0))))


def _intervals(grid: Grid, main: tuple[str, Array] | None) -> Plain:
    found = intervals.find(main[1]) if main else None
    if main is None or found is None:
        return {}
    spans = [[round(float(grid.time_s[place]), 2) for place in (first, last - 1)] for first, last in found.spans]
    return {
        "count": found.count,
        "seconds": found.seconds,
        "effort": found.effort,
        "of": main[0],
        "spans_s": spans,
    }


def _kept(grid: Grid, *, sport: Sport) -> list[tuple[str, Array]]:
    lines = [
        ("power", grid["power_w"]),
        _movement(grid, sport=sport),
        ("heart_rate", grid["heart_rate_bpm"]),
        ("altitude", grid["altitude_m"]),
        ("cadence", grid["cadence_rpm"]),
    ]
    return [(key, values) for key, values in lines if np.isfinite(values).any()]


def _lines(grid: Grid, *, sport: Sport) -> Plain:
    kept = _kept(grid, sport=sport)
    if not kept or grid.time_s.size < 2:
        return {}
    times, thin = thinned(grid.time_s, [values for _, values in kept])
    places = np.array_split(np.arange(grid.time_s.size), min(PARTS, grid.time_s.size))
    return {
        "time_s": times,
        "from_s": [round(float(grid.time_s[place[0]]), 2) for place in places],
        "lines": [
            {
                "key": key,
                "values": shown,
                "parts": [mean(values[place]) for place in places],
                "most": 1 / float(np.nanmin(values)) if key == "pace" else float(np.nanmax(values)),
                "mean": mean(values),
            }
            for (key, values), shown in zip(kept, thin, strict=True)
        ],
    }


def _movement(grid: Grid, *, sport: Sport) -> tuple[str, Array]:
    """Return pace on foot, speed otherwise; on foot, standing still is a gap."""
    speed = grid["speed_mps"] if grid.has("speed_mps") else _speed(grid, sport=sport)
    if sport.family not in {"running", "walking"}:
        return "speed", speed
    even = smoothed(np.nan_to_num(speed), window=PACE_SMOOTHING_SECONDS)
    return "pace", 1 / np.where(np.isfinite(speed) & (even >= SLOWEST_SHOWN_MPS), even, np.nan)


def _speed(grid: Grid, *, sport: Sport) -> Array:
    return speed_from_distance(grid["distance_m"], fastest_mps=sport.fastest_mps)


def _way(streams: Mapping[str, Array]) -> Plain:
    """Return at most 220 points of the way."""
    if not {"latitude_deg", "longitude_deg"} <= streams.keys():
        return {}
    latitude, longitude = streams["latitude_deg"], streams["longitude_deg"]
    at = np.flatnonzero(np.isfinite(latitude) & np.isfinite(longitude))
    if at.size < 2:
        return {}
    chosen = at[np.unique(np.linspace(0, at.size - 1, min(at.size, MOST_POINTS)).round().astype(int))]
    points = np.column_stack((latitude[chosen], longitude[chosen], streams["time_s"][chosen]))
    return {"way": points.round(DEGREE_DIGITS).tolist()}
