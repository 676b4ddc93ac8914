"""The weight chart as plain data, in the athlete's unit, and the table behind it."""

from typing import Any

from coach import display
from coach.display import Style
from coach.scopes.body.chinese import SAID
from coach.scopes.body.scale import DAY, Scale
from coach.scopes.terms import worded

CHART_DAYS = 120
TABLE_ROWS = 40
TITLE = "Weight by day, and its trend"
COLUMNS = ("Day", "Weight", "Trend")


def chart(scale: Scale, *, goal_kg: float | None, style: Style) -> dict[str, Any]:
    """Return raw weigh-ins as points, the trend as a line from one to the next, and the goal as a level."""
    first = scale.today - DAY * (CHART_DAYS - 1)
    raw = dict(zip(scale.days, scale.raw_kg, strict=True))
    days = [first + DAY * number for number in range(CHART_DAYS)]
    goal = {} if goal_kg is None else {
        "level": round(display.in_unit(goal_kg, style=style), 2),
        "level_name": worded("goal", SAID, style=style),
        "level_text": shown(goal_kg, style=style),
    }  # fmt: skip
    return {
        "title": worded(TITLE, SAID, style=style),
        "unit": display.unit(display.mass_unit(style), style=style),
        "first": first.isoformat(),
        "last": scale.today.isoformat(),
        "dots": [round(display.in_unit(float(raw[day]), style=style), 2) if day in raw else None for day in days],
        "line": [
            None if value is None else round(display.in_unit(value, style=style), 2) for value in between(scale, days)
        ],
        "line_name": worded("trend", SAID, style=style),
        "line_text": shown(float(scale.trend_kg[-1]), style=style),
        **goal,
    }


def shown(kilograms: float, *, style: Style) -> str:
    """Return a weight whose unit stands above the chart."""
    return display.number(display.in_unit(kilograms, style=style), digits=1)


def between(scale: Scale, days: list[Any]) -> list[float | None]:
    """Draw the trend straight from one weigh-in to the next, nothing before the first and after the last."""
    known = [(day.toordinal(), float(value)) for day, value in zip(scale.days, scale.trend_kg, strict=True)]
    places: list[float | None] = []
    at = 0
    for day in days:
        number = day.toordinal()
        while at + 1 < len(known) and known[at + 1][0] <= number:
            at += 1
        (left, level) = known[at]
        if number < left or (at + 1 == len(known) and number > left):
            places.append(None)
        elif number == left:
            places.append(level)
        else:
            right, later = known[at + 1]
            places.append(level + (later - level) * (number - left) / (right - left))
    return places


def table(scale: Scale, *, style: Style) -> dict[str, Any]:
    newest = list(zip(scale.days, scale.raw_kg, scale.trend_kg, strict=True))[::-1][:TABLE_ROWS]
    rows = [
        [display.narrow_day(day, style=style), *(display.show("weight", float(value), style=style) for value in values)]
        for day, *values in newest
    ]
    columns = [worded(column, SAID, style=style) for column in COLUMNS]
    return {"caption": worded(TITLE, SAID, style=style), "columns": columns, "rows": rows}
