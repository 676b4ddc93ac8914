"""The charts of recovery as plain data, a value a day with gaps as gaps, and the table behind each."""

from collections.abc import Sequence
from datetime import date
from functools import partial
from typing import Any

import numpy as np

from coach import display
from coach.display import UNKNOWN, Style
from coach.formats.recording import Array
from coach.metrics.recovery import LEAST_WEEK
from coach.scopes.recovery.chinese import SAID
from coach.scopes.recovery.signals import CHART_DAYS, DAY, KINDS, WEEK, Signals
from coach.scopes.terms import worded

MINUTES = 60.0
Pictures = tuple[dict[str, Any], dict[str, Any]]


def pictures(signals: Signals, *, style: Style) -> Pictures:
    """Return charts and tables of the last sixty days; only those there is something for."""
    made = {
        "hrv": hrv(signals, style=style),
        "sleep": sleep(signals, style=style),
        "resting": rest(signals, style=style),
    }
    known = {name: pair for name, pair in made.items() if pair}
    return {name: pair[0] for name, pair in known.items()}, {name: pair[1] for name, pair in known.items()}


def hrv(signals: Signals, *, style: Style) -> Pictures | None:
    if signals.hrv is None:
        return None
    say = partial(worded, words=SAID, style=style)
    kind, band, values = KINDS[signals.hrv.metric], signals.band(), signals.hrv_ms()
    means = np.exp(rolling(np.log(values)))
    edges = None if band.low_ln is None or band.high_ln is None else (np.exp(band.low_ln), np.exp(band.high_ln))
    title = say("HRV ({kind}) by night").format(kind=kind)
    chart = {
        **frame(signals, title=title, unit=display.unit("ms", style=style)),
        "dots": plain(values[-CHART_DAYS:]),
        "line": plain(means[-CHART_DAYS:]),
        "band": edges and [round(float(edge), 1) for edge in edges],
        "band_name": say("your range"),
        "line_name": say("7 days"),
        "line_text": shown(means[-1], display.number),
    }
    columns = (say("Day"), say("HRV ({kind})").format(kind=kind), say("Mean of 7 days"))
    return chart, table(signals, title, columns, (values, means), "milliseconds", style=style)


def sleep(signals: Signals, *, style: Style) -> Pictures | None:
    if not signals.asleep:
        return None
    say = partial(worded, words=SAID, style=style)
    values = signals.row(signals.asleep)
    chart = {
        **frame(signals, title=say("Hours asleep by night"), unit=display.unit("h", style=style)),
        "bars": plain(values[-CHART_DAYS:] / MINUTES),
        "level": round(signals.need_min / MINUTES, 2),
        "level_name": say("need"),
        "level_text": display.with_unit_words(f"{signals.need_min / MINUTES:.3g} h", style=style),
        "from_zero": True,
    }
    columns = (say("Day"), say("Asleep"))
    return chart, table(signals, say("Asleep by night"), columns, (values,), "span", style=style)


def rest(signals: Signals, *, style: Style) -> Pictures | None:
    if signals.resting is None:
        return None
    say = partial(worded, words=SAID, style=style)
    values = signals.resting_bpm()
    means = rolling(values)
    title = say("Resting heart rate by day")
    chart = {
        **frame(signals, title=title, unit=display.unit("bpm", style=style)),
        "dots": plain(values[-CHART_DAYS:]),
        "line": plain(means[-CHART_DAYS:]),
        "line_name": say("7 days"),
        "line_text": shown(means[-1], display.number),
    }
    columns = (say("Day"), say("Resting heart rate"), say("Mean of 7 days"))
    return chart, table(signals, title, columns, (values, means), "heart_rate", style=style)


def frame(signals: Signals, *, title: str, unit: str) -> dict[str, Any]:
    first = signals.today - DAY * (CHART_DAYS - 1)
    return {"title": title, "unit": unit, "first": first.isoformat(), "last": signals.today.isoformat()}


def rolling(values: Array) -> Array:
    """Return the mean of each day and the six before it; NaN where fewer than four are known."""
    means = np.full(values.size, np.nan)
    for place in range(values.size):
        week = values[max(place - WEEK + 1, 0) : place + 1]
        known = week[np.isfinite(week)]
        if known.size >= LEAST_WEEK:
            means[place] = known.mean()
    return means


def plain(values: Array) -> list[float | None]:
    return [None if np.isnan(value) else round(float(value), 2) for value in values]


def shown(value: float, show: Any) -> str:
    return UNKNOWN if np.isnan(value) else str(show(float(value)))


def table(
    signals: Signals, caption: str, columns: Sequence[str], rows: Sequence[Array], kind: str, *, style: Style
) -> dict[str, Any]:
    """Return the days that have a value, newest first."""
    days: list[date] = [signals.today - DAY * back for back in range(CHART_DAYS)]
    listed = [
        [display.short_day(day, style=style), *(display.show(kind, float(row[-1 - back]), style=style) for row in rows)]
        for back, day in enumerate(days)
        if np.isfinite(rows[0][-1 - back])
    ]
    return {"caption": caption, "columns": list(columns), "rows": listed}
