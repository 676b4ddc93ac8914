"""Which streams of a session are drawn, in which unit."""

from dataclasses import dataclass, replace

import numpy as np

from coach import display
from coach.display import METRES_PER_FOOT, METRES_PER_MILE, UNKNOWN, Style
from coach.formats.recording import Array
from coach.metrics.arrays import mean, smoothed
from coach.metrics.grid import Grid
from coach.metrics.motion import speed_from_distance
from coach.metrics.sports import Sport, sport
from coach.models import Activity
from coach.scopes.activity.chinese import SAID
from coach.scopes.terms import worded

PACE_SMOOTHING_SECONDS = 15
SLOWEST_SHOWN_MPS = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    key: str
    label: str
    unit: str
    values: Array  # one a second of the grid, in `unit`
    most: str  # as shown; the fastest pace, the highest of everything else
    average: str
    invert: bool = False


def series_of(activity: Activity, grid: Grid, *, style: Style) -> list[Series]:
    """Return what was measured, the stream that the session is judged by first."""
    kind = sport(activity.sport)
    drawn = [
        simple("power", "Power", "W", grid["power_w"], shown="power", average=activity.power_avg_w),
        movement(activity, grid, kind=kind, style=style),
        simple(
            "heart_rate",
            "Heart rate",
            "bpm",
            grid["heart_rate_bpm"],
            shown="heart_rate",
            average=activity.heart_rate_avg_bpm,
        ),
        altitude(grid["altitude_m"], style=style),
        turning(activity, grid["cadence_rpm"], kind=kind),
    ]
    known = [one for one in drawn if one is not None]
    if kind.family == "running":  # pace before the power a watch makes up from it
        known.sort(key=lambda one: one.key not in {"pace", "speed"})
    return [in_language(one, style=style) for one in known]


def in_language(series: Series, *, style: Style) -> Series:
    label = "Steps" if style.chinese and series.unit == "spm" else series.label
    return replace(
        series,
        label=worded(label, SAID, style=style),
        unit=display.unit(series.unit, style=style),
        most=display.with_unit_words(series.most, style=style),
        average=display.with_unit_words(series.average, style=style),
    )


def simple(
    key: str, label: str, unit: str, values: Array, *, shown: str, average: float | None, scale: float = 1.0
) -> Series | None:
    """Make a series; its average is the fact's where there is one, so that text and chart agree."""
    if not np.isfinite(values).any():
        return None
    return Series(
        key=key,
        label=label,
        unit=unit,
        values=values * scale,
        most=display.show(shown, float(np.nanmax(values))),
        average=display.show(shown, mean(values) if average is None else average),
    )


def turning(activity: Activity, cadence_rpm: Array, *, kind: Sport) -> Series | None:
    """Show runners the steps of both legs."""
    average = activity.cadence_avg_rpm
    if kind.family == "running":
        return simple("cadence", "Cadence", "spm", cadence_rpm, shown="steps", average=average, scale=2.0)
    return simple("cadence", "Cadence", "rpm", cadence_rpm, shown="cadence", average=average)


def altitude(values: Array, *, style: Style) -> Series | None:
    if not np.isfinite(values).any():
        return None
    return Series(
        key="altitude",
        label="Altitude",
        unit="ft" if style.imperial else "m",
        values=values / METRES_PER_FOOT if style.imperial else values,
        most=display.height(float(np.nanmax(values)), style=style),
        average="",
    )


def movement(activity: Activity, grid: Grid, *, kind: Sport, style: Style) -> Series | None:
    """Show pace on foot, speed otherwise; the average is distance over timer, as in the facts."""
    speed = grid["speed_mps"] if grid.has("speed_mps") else speed_of(grid, kind=kind)
    if not np.isfinite(speed).any():
        return None
    average = activity.distance_m / activity.timer_s if activity.distance_m and activity.timer_s else None
    if kind.family in {"running", "walking"}:
        return paced(speed, average=average, style=style)
    return Series(
        key="speed",
        label="Speed",
        unit="mph" if style.imperial else "km/h",
        values=speed * 3600 / (METRES_PER_MILE if style.imperial else 1000),
        most=display.speed(float(np.nanmax(speed)), style=style),
        average=UNKNOWN if average is None else display.speed(average, style=style),
    )


def speed_of(grid: Grid, *, kind: Sport) -> Array:
    return speed_from_distance(grid["distance_m"], fastest_mps=kind.fastest_mps)


def paced(speed: Array, *, average: float | None, style: Style) -> Series | None:
    """Return seconds a kilometre or mile of smoothed speed; standing still is a gap."""
    even = smoothed(np.nan_to_num(speed), window=PACE_SMOOTHING_SECONDS)
    moving = np.where(np.isfinite(speed) & (even >= SLOWEST_SHOWN_MPS), even, np.nan)
    if not np.isfinite(moving).any():
        return None
    return Series(
        key="pace",
        label="Pace",
        unit="/mi" if style.imperial else "/km",
        values=(METRES_PER_MILE if style.imperial else 1000) / moving,
        most=display.pace(float(np.nanmax(moving)), style=style),
        average=UNKNOWN if average is None else display.pace(average, style=style),
        invert=True,
    )
