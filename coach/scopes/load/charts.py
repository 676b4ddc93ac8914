"""The load chart as plain data, and the table behind it."""

from datetime import date, timedelta
from typing import Any

from coach import display
from coach.display import Style
from coach.scopes.load.days import DAY, Days, ahead

CHART_DAYS = 180
TABLE_WEEKS = 12


def chart(days: Days) -> dict[str, Any]:
    """Return the last 180 days and the next seven at rest.

    The last past entry is always today and agrees with the facts: before today's session it carries the fitness of
    yesterday and the form of this morning.
    """
    first = max(days.first, days.today - timedelta(days=CHART_DAYS - 1))
    dates = [first + DAY * number for number in range((days.today - first).days + 1)]
    coming, rested = ahead(days)
    return {
        "days": [entry(days, day) for day in dates],
        "projected": [
            {
                "date": day.isoformat(),
                "ctl": rounded(rested.ctl[place]),
                "atl": rounded(rested.atl[place]),
                "tsb": rounded(rested.tsb[place]),
                "load": 0.0,
            }
            for place, day in enumerate(coming)
        ],
    }


def entry(days: Days, day: date) -> dict[str, Any]:
    place = min(days.at(day), days.loads.size - 1)
    counted = days.at(day) < days.loads.size
    return {
        "date": day.isoformat(),
        "ctl": rounded(days.fitness.ctl[place]),
        "atl": rounded(days.fitness.atl[place]),
        "tsb": rounded(days.fitness.tsb[place] if counted else days.morning_tsb),
        "load": rounded(days.loads[place]) if counted else 0.0,
    }


def rounded(value: Any) -> float:
    return round(float(value), 2)


def table(days: Days, *, style: Style) -> dict[str, Any]:
    """Return the last twelve weeks, newest first, counted back from the last counted day."""
    rows = []
    for week in range(TABLE_WEEKS):
        end = days.loads.size - 7 * week
        if end <= 0:
            break
        place = end - 1
        rows.append(
            [
                display.short_day(days.first + DAY * place, style=style),
                display.number(float(days.loads[max(end - 7, 0) : end].sum())),
                display.number(float(days.fitness.ctl[place])),
                display.number(float(days.fitness.atl[place])),
                display.signed(float(days.fitness.tsb[place])),
            ]
        )
    return {
        "caption": "Load, fitness, fatigue and form by week",
        "columns": ["Week up to", "Load", "Fitness", "Fatigue", "Form that morning"],
        "rows": rows,
    }
