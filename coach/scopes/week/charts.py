"""The week chart as plain data, and the tables of its days and sports."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from coach import display
from coach.display import UNKNOWN, Style
from coach.models import Activity, Planned
from coach.scopes import sports as names_of
from coach.scopes.terms import worded
from coach.scopes.week.chinese import SAID
from coach.scopes.week.sessions import Week, points, timer_s


def chart(found: Week, *, style: Style) -> dict[str, Any]:
    return {
        "days": [
            {
                "date": day.isoformat(),
                "label": display.initials(day, style=style),
                "load": round(points(found.done_on(day)), 1),
                "timer_s": timer_s(found.done_on(day)),
                "sessions": [
                    {"sport": session.sport, "timer_s": session.timer_s, "activity_id": session.pk}
                    for session in found.on(day)
                ],
                "planned": [planned(session) for session in found.planned_on(day)],
            }
            for day in found.days
        ]
    }


def planned(session: Planned) -> dict[str, Any]:
    return {"sport": session.sport, "title": session.title, "timer_s": session.duration_s or 0.0}


def table(found: Week, *, style: Style) -> dict[str, Any]:
    rows = []
    for day in found.days:
        sessions, done = found.on(day), found.done_on(day)
        rows.append(
            [
                display.short_day(day, style=style),
                names_of.listed([session.sport for session in sessions], style=style) or UNKNOWN,
                display.show("hours", timer_s(done) if done else None, style=style),
                display.number(points(done)) if done else UNKNOWN,
                *([meant(found, day)] if found.planned else []),
            ]
        )
    columns = ("Day", "Sessions", "Time", "Load", *(["Planned"] if found.planned else []))
    return headed("The week by day", columns, rows, style=style)


def meant(found: Week, day: date) -> str:
    """Say what was planned for a day, which stands beside what was done and is never added to it."""
    return ", ".join(session.title[:60] for session in found.planned_on(day)) or UNKNOWN


def sports(found: Week, names: Sequence[str], *, style: Style) -> dict[str, Any]:
    rows = [
        sport_row(name, [session for session in found.sessions if session.sport == name], style=style) for name in names
    ]
    columns = ("Sport", "Sessions", "Time", "Distance", "Ascent", "Load")
    return headed("The week by sport", columns, rows, style=style)


def headed(caption: str, columns: Sequence[str], rows: list[list[str]], *, style: Style) -> dict[str, Any]:
    return {
        "caption": worded(caption, SAID, style=style),
        "columns": [worded(column, SAID, style=style) for column in columns],
        "rows": rows,
    }


def sport_row(name: str, sessions: Sequence[Activity], *, style: Style) -> list[str]:
    metres = sum(session.distance_m or 0 for session in sessions)
    climbed = sum(session.ascent_m or 0 for session in sessions)
    return [
        names_of.shown(name, style=style),
        display.number(len(sessions)),
        display.show("hours", timer_s(sessions), style=style),
        display.show("distance", metres or None, style=style),
        display.show("height", climbed or None, style=style),
        display.number(points(sessions)),
    ]
