"""The tables of a session: parts, laps and zones."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from coach import display
from coach.display import UNKNOWN, Style
from coach.metrics.arrays import mean
from coach.metrics.grid import Grid
from coach.metrics.sports import sport
from coach.models import Activity
from coach.scopes.activity.series import Series

PARTS = 12


def parts(grid: Grid, series: Sequence[Series]) -> dict[str, Any]:
    """Return the averages of twelve equal parts of timer time, which is what the stream chart shows."""
    rows = []
    for place in np.array_split(np.arange(grid.time_s.size), min(PARTS, grid.time_s.size)):
        rows.append([display.duration(float(grid.time_s[place[0]]))] + [average(one, place) for one in series])
    columns = ["From"] + [f"{one.label} ({one.unit})" for one in series]
    return {"caption": "The session in parts", "columns": columns, "rows": rows}


def average(series: Series, place: np.ndarray) -> str:
    value = mean(series.values[place])
    if value is None:
        return UNKNOWN
    if series.invert:
        return display.duration(value)
    return display.number(value, digits=1 if series.key == "speed" else 0)


def laps(activity: Activity, *, style: Style) -> dict[str, Any] | None:
    """Return the laps of the device; None when there is but one."""
    if len(activity.laps) < 2:
        return None
    on_foot = sport(activity.sport).family in {"running", "walking"}
    rows = [lap_row(number, lap, on_foot=on_foot, style=style) for number, lap in enumerate(activity.laps, 1)]
    columns = ["Lap", "Time", "Distance", "Pace" if on_foot else "Speed"]
    return {"caption": "Laps", "columns": columns, "rows": rows}


def lap_row(number: int, lap: Mapping[str, Any], *, on_foot: bool, style: Style) -> list[str]:
    seconds, metres = lap["timer_s"], lap.get("distance_m")
    fast = metres / seconds if metres and seconds else None
    return [
        str(number),
        display.duration(seconds),
        display.distance(metres, style=style) if metres else UNKNOWN,
        display.show("pace" if on_foot else "speed", fast, style=style),
    ]


def zones(rows: Mapping[str, Sequence[Mapping[str, Any]]]) -> dict[str, Any] | None:
    words = {"heart_rate": "Heart rate", "power": "Power"}
    listed = [
        [f"{words[name]}: {row['label']}", row["display"], display.percent(row["share"] * 100)]
        for name, own in rows.items()
        for row in own
    ]
    return {"caption": "Time in zones", "columns": ["Zone", "Time", "Share"], "rows": listed} if listed else None
