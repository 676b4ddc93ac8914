"""The tables of a session: parts, laps and zones."""

from collections.abc import Mapping, Sequence
from typing import Any

from coach import display
from coach.display import UNKNOWN, Style
from coach.metrics.sports import sport
from coach.models import Activity
from coach.scopes.activity.chinese import SAID
from coach.scopes.activity.series import Series
from coach.scopes.terms import worded


def parts(drawn: Mapping[str, Any], series: Sequence[Series], *, style: Style) -> dict[str, Any]:
    """Return the averages of twelve equal parts of timer time, which is what the stream chart shows."""
    rows = [
        [display.duration(start)] + [average(one, one.parts[number]) for one in series]
        for number, start in enumerate(drawn["from_s"])
    ]
    brackets = "{label}（{unit}）" if style.chinese else "{label} ({unit})"
    columns = [worded("From", SAID, style=style)]
    columns += [brackets.format(label=one.label, unit=one.unit) for one in series]
    return {"caption": worded("The session in parts", SAID, style=style), "columns": columns, "rows": rows}


def average(series: Series, value: float | None) -> str:
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
    columns = ("Lap", "Time", "Distance", "Pace" if on_foot else "Speed")
    return headed("Laps", columns, rows, style=style)


def lap_row(number: int, lap: Mapping[str, Any], *, on_foot: bool, style: Style) -> list[str]:
    seconds, metres = lap["timer_s"], lap.get("distance_m")
    fast = metres / seconds if metres and seconds else None
    return [
        str(number),
        display.duration(seconds),
        display.show("distance", metres or None, style=style),
        display.show("pace" if on_foot else "speed", fast, style=style),
    ]


def zones(rows: Mapping[str, Sequence[Mapping[str, Any]]], *, style: Style) -> dict[str, Any] | None:
    words = {"heart_rate": "Heart rate", "power": "Power", "pace": "Pace"}
    of = "{name}，{zone}" if style.chinese else "{name}: {zone}"
    listed = [
        [
            of.format(name=worded(words[name], SAID, style=style), zone=row["label"]),
            row["display"],
            display.show("percent", row["share"] * 100, style=style),
        ]
        for name, own in rows.items()
        for row in own
    ]
    return headed("Time in zones", ("Zone", "Time", "Share"), listed, style=style) if listed else None


def headed(caption: str, columns: Sequence[str], rows: list[list[str]], *, style: Style) -> dict[str, Any]:
    return {
        "caption": worded(caption, SAID, style=style),
        "columns": [worded(column, SAID, style=style) for column in columns],
        "rows": rows,
    }
