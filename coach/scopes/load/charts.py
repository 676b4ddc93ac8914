"""The load chart as plain data, and the table behind it."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from coach import display
from coach.display import Style
from coach.scopes.load.chinese import SAID
from coach.scopes.load.days import DAY, Days, ahead
from coach.scopes.terms import worded

CHART_DAYS = 180
TABLE_WEEKS = 12
AFTER_DAYS = 7  # of a break that the chart still shows
WORDS = {
    "title": "Fitness, fatigue and form by day",
    "mark": "today",
    "note": "The shaded week is what happens if you rest from tomorrow on.",
}
BREAK = {
    "title": "Fitness, fatigue and form by day, up to a week after your last session",
    "note": (
        "Your last session here is of {day}. "
        "The days since then count as rest; all but the first week of them is left out of the picture."
    ),
}
COLUMNS = ("Week up to", "Load", "Fitness", "Fatigue", "Form that morning")


def chart(days: Days, *, style: Style) -> dict[str, Any]:
    """Return the last 180 days and the next seven at rest; after a long break those around the last session instead.

    Today is the last past entry and agrees with the facts: before today's session it carries the fitness of yesterday
    and the form of this morning. After a break the last entry is a week after the last session and nothing is
    projected, so that the picture shows training; `title`, `mark` (at the last entry) and `note` say which it is.
    """
    last = last_day(days)
    first = max(days.first, last - DAY * (CHART_DAYS - 1))
    dates = [first + DAY * number for number in range((last - first).days + 1)]
    return {
        "days": [entry(days, day) for day in dates],
        "projected": [] if days.is_away else projected(days),
        **(words_of_break(days, style=style) if days.is_away else said(WORDS, style=style)),
    }


def said(words: Mapping[str, str], *, style: Style) -> dict[str, str]:
    return {name: worded(text, SAID, style=style) for name, text in words.items()}


def words_of_break(days: Days, *, style: Style) -> dict[str, str]:
    words = said(BREAK, style=style)
    note = words["note"].format(day=display.day(days.last_active, style=style))
    return {**words, "mark": display.day(last_day(days), style=style), "note": note}


def last_day(days: Days) -> date:
    """Return the day that chart and table end with."""
    return days.last_active + DAY * AFTER_DAYS if days.is_away else days.today


def projected(days: Days) -> list[dict[str, Any]]:
    coming, rested = ahead(days)
    return [
        {
            "date": day.isoformat(),
            "ctl": rounded(rested.ctl[place]),
            "atl": rounded(rested.atl[place]),
            "tsb": rounded(rested.tsb[place]),
            "load": 0.0,
        }
        for place, day in enumerate(coming)
    ]


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
    """Return twelve weeks, newest first, counted back from the last counted day that the chart shows."""
    size = min(days.at(last_day(days)) + 1, days.loads.size)
    ends = range(size, 0, -7)[:TABLE_WEEKS]
    caption = "Load, fitness, fatigue and form by week"
    whole = f"{caption}, up to a week after your last session" if days.is_away else caption
    return {
        "caption": worded(whole, SAID, style=style),
        "columns": [worded(column, SAID, style=style) for column in COLUMNS],
        "rows": [week(days, end=end, style=style) for end in ends],
    }


def week(days: Days, *, end: int, style: Style) -> list[str]:
    """Return the row of the seven days before place `end`; after a break its year is told, too."""
    place = end - 1
    shown = display.day if days.is_away else display.short_day
    return [
        shown(days.first + DAY * place, style=style),
        display.number(float(days.loads[max(end - 7, 0) : end].sum())),
        display.number(float(days.fitness.ctl[place])),
        display.number(float(days.fitness.atl[place])),
        display.signed(float(days.fitness.tsb[place])),
    ]
