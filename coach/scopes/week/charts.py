"""The week chart as plain data, and the tables of its days and sports."""

from collections.abc import Sequence
from typing import Any

from coach import display
from coach.display import UNKNOWN, Style
from coach.models import Activity
from coach.scopes.week.sessions import Week, points, timer_s
from coach.scopes.week.terms import word_of


def chart(found: Week, *, style: Style) -> dict[str, Any]:
    return {
        "days": [
            {
                "date": day.isoformat(),
                "label": display.initials(day, style=style),
                "load": round(points(found.on(day)), 1),
                "timer_s": timer_s(found.on(day)),
                "sessions": [
                    {"sport": session.sport, "timer_s": session.timer_s, "activity_id": session.pk}
                    for session in found.on(day)
                ],
            }
            for day in found.days
        ]
    }


def table(found: Week, *, style: Style) -> dict[str, Any]:
    rows = []
    for day in found.days:
        sessions = found.on(day)
        words = ", ".join(word_of(session.sport) for session in sessions)
        rows.append(
            [
                display.short_day(day, style=style),
                words.capitalize() or UNKNOWN,
                display.hours(timer_s(sessions)) if sessions else UNKNOWN,
                display.number(points(sessions)) if sessions else UNKNOWN,
            ]
        )
    return {"caption": "The week by day", "columns": ["Day", "Sessions", "Time", "Load"], "rows": rows}


def sports(found: Week, names: Sequence[str], *, style: Style) -> dict[str, Any]:
    rows = [
        sport_row(name, [session for session in found.sessions if session.sport == name], style=style) for name in names
    ]
    columns = ["Sport", "Sessions", "Time", "Distance", "Ascent", "Load"]
    return {"caption": "The week by sport", "columns": columns, "rows": rows}


def sport_row(name: str, sessions: Sequence[Activity], *, style: Style) -> list[str]:
    metres = sum(session.distance_m or 0 for session in sessions)
    climbed = sum(session.ascent_m or 0 for session in sessions)
    return [
        word_of(name).capitalize(),
        display.number(len(sessions)),
        display.hours(timer_s(sessions)),
        display.distance(metres, style=style) if metres else UNKNOWN,
        display.height(climbed, style=style) if climbed else UNKNOWN,
        display.number(points(sessions)),
    ]
