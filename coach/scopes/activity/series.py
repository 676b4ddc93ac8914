"""Which lines of a session are drawn, in which unit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from coach import display
from coach.display import METRES_PER_FOOT, METRES_PER_MILE, UNKNOWN, Style
from coach.metrics.sports import sport
from coach.models import Activity
from coach.scopes.activity.chinese import SAID
from coach.scopes.activity.peers import speed
from coach.scopes.terms import worded

Line = Mapping[str, Any]  # of a sketch


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    key: str
    label: str
    unit: str
    values: Sequence[float | None]  # thinned, in `unit`
    parts: Sequence[float | None]  # the means of equal parts of timer time, in `unit`
    most: str  # as shown; the fastest pace, the highest of everything else
    average: str
    extent: Sequence[float | None] = ()  # of the whole session, where this is a part of it
    invert: bool = False


def series_of(activity: Activity, lines: Sequence[Line], *, style: Style) -> list[Series]:
    """Return what was measured, the line that the session is judged by first."""
    found = {line["key"]: line for line in lines}
    is_run = sport(activity.sport).family == "running"
    known = [one(activity, found[key], is_run=is_run, style=style) for key in ORDER if key in found]
    if is_run:  # pace before the power a watch makes up from it
        known.sort(key=lambda series: series.key not in {"pace", "speed"})
    return [in_language(series, style=style) for series in known]


def one(activity: Activity, line: Line, *, is_run: bool, style: Style) -> Series:
    return MAKERS[line["key"]](activity, line, is_run, style)


def in_language(series: Series, *, style: Style) -> Series:
    label = "Steps" if style.chinese and series.unit == "spm" else series.label
    return replace(
        series,
        label=worded(label, SAID, style=style),
        unit=display.unit(series.unit, style=style),
        most=display.with_unit_words(series.most, style=style),
        average=display.with_unit_words(series.average, style=style),
    )


def scaled(values: Sequence[float | None], scale: float) -> list[float | None]:
    return [None if value is None else round(value * scale, 2) for value in values]


def usual(line: Line, stated: float | None) -> float | None:
    """Return what is said to be usual: of a part its own mean, of the whole what the facts state."""
    found: float | None = line.get("usual", stated)
    return found


def simple(line: Line, label: str, unit: str, *, shown: str, average: float | None, scale: float = 1.0) -> Series:
    """Make a series; its average is the fact's where there is one, so that text and chart agree."""
    return Series(
        key=line["key"],
        label=label,
        unit=unit,
        values=scaled(line["values"], scale),
        parts=scaled(line["parts"], scale),
        most=display.show(shown, line["most"]),
        average=display.show(shown, usual(line, line.get("mean") if average is None else average)),
        extent=scaled(line.get("extent", ()), scale),
    )


def power(activity: Activity, line: Line, is_run: bool, style: Style) -> Series:
    return simple(line, "Power", "W", shown="power", average=activity.power_avg_w)


def heart_rate(activity: Activity, line: Line, is_run: bool, style: Style) -> Series:
    return simple(line, "Heart rate", "bpm", shown="heart_rate", average=activity.heart_rate_avg_bpm)


def cadence(activity: Activity, line: Line, is_run: bool, style: Style) -> Series:
    """Show runners the steps of both legs."""
    average = activity.cadence_avg_rpm
    if is_run:
        return simple(line, "Cadence", "spm", shown="steps", average=average, scale=2.0)
    return simple(line, "Cadence", "rpm", shown="cadence", average=average)


def altitude(activity: Activity, line: Line, is_run: bool, style: Style) -> Series:
    scale = 1 / METRES_PER_FOOT if style.imperial else 1.0
    return Series(
        key="altitude",
        label="Altitude",
        unit="ft" if style.imperial else "m",
        values=scaled(line["values"], scale),
        parts=scaled(line["parts"], scale),
        most=UNKNOWN if line["most"] is None else display.height(line["most"], style=style),
        average="",
        extent=scaled(line.get("extent", ()), scale),
    )


def moved(activity: Activity, line: Line, is_run: bool, style: Style) -> Series:
    """Show pace on foot, speed otherwise; the average is distance over timer, as in the facts."""
    metres = METRES_PER_MILE if style.imperial else 1000
    paced = line["key"] == "pace"
    shown, average = (display.pace if paced else display.speed), usual(line, speed(activity))
    units = ("/mi", "/km") if paced else ("mph", "km/h")
    scale = metres if paced else 3600 / metres
    return Series(
        key=line["key"],
        label="Pace" if paced else "Speed",
        unit=units[0] if style.imperial else units[1],
        values=scaled(line["values"], scale),
        parts=scaled(line["parts"], scale),
        most=UNKNOWN if line["most"] is None else shown(line["most"], style=style),
        average=UNKNOWN if average is None else shown(average, style=style),
        extent=scaled(line.get("extent", ()), scale),
        invert=paced,
    )


MAKERS = {
    "power": power,
    "pace": moved,
    "speed": moved,
    "heart_rate": heart_rate,
    "altitude": altitude,
    "cadence": cadence,
}
ORDER = tuple(MAKERS)
