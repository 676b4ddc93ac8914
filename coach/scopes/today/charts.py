"""The last weeks by day as plain data, and the mornings of a fortnight as a table."""

from datetime import date
from typing import Any

from coach import display
from coach.display import Style
from coach.scopes.load.days import DAY, Days
from coach.scopes.recovery.signals import Signals
from coach.scopes.terms import worded
from coach.scopes.today.chinese import SAID

CHART_DAYS = 28
TABLE_DAYS = 14
COLUMNS = ("Day", "Load", "Form", "Asleep", "HRV", "Resting heart rate")


def chart(days: Days | None, signals: Signals, *, style: Style) -> dict[str, Any]:
    """Return the load of four weeks, with fitness as the level of what is usual; nothing without training in them."""
    if days is None or days.days_away >= CHART_DAYS:
        return {}
    shown = [signals.today - DAY * back for back in range(CHART_DAYS - 1, -1, -1)]
    return {
        "days": {
            "title": worded("Load by day", SAID, style=style),
            "unit": worded("points", SAID, style=style),
            "first": shown[0].isoformat(),
            "last": shown[-1].isoformat(),
            "bars": [load_on(days, day) for day in shown],
            "level": round(float(days.fitness.ctl[-1]), 1),
            "level_name": worded("fitness", SAID, style=style),
            "level_text": display.number(float(days.fitness.ctl[-1])),
            "from_zero": True,
        }
    }


def load_on(days: Days | None, day: date) -> float | None:
    """Return the load of a day; None before the first session, and of today while nothing is on it."""
    if days is None or not 0 <= days.at(day) < days.loads.size:
        return None
    return round(float(days.loads[days.at(day)]), 1)


def form_on(days: Days | None, day: date) -> float | None:
    if days is None or days.at(day) < 0:
        return None
    return float(days.fitness.tsb[days.at(day)]) if days.at(day) < days.loads.size else days.morning_tsb


def table(days: Days | None, signals: Signals, *, style: Style) -> dict[str, Any]:
    resting = signals.resting.values if signals.resting else {}
    hrv = signals.hrv.values if signals.hrv else {}

    def row(day: date) -> list[str]:
        return [
            display.short_day(day, style=style),
            display.show("points", load_on(days, day), style=style),
            display.show("signed_points", form_on(days, day), style=style),
            display.show("span", signals.asleep.get(day), style=style),
            display.show("milliseconds", hrv.get(day), style=style),
            display.show("heart_rate", resting.get(day), style=style),
        ]

    rows = [row(signals.today - DAY * back) for back in range(TABLE_DAYS)]
    columns = [worded(column, SAID, style=style) for column in COLUMNS]
    caption = worded("Load, form and nights by day", SAID, style=style)
    return {"days": {"caption": caption, "columns": columns, "rows": rows}}
