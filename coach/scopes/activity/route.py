"""Earlier and later sessions on the same route, and how they went."""

from typing import Any

from coach import display
from coach.display import Style
from coach.metrics.route import is_same_route
from coach.models import Activity
from coach.scopes.activity.chinese import SAID
from coach.scopes.activity.peers import speed
from coach.scopes.terms import worded

MOST_LOOKED_AT, MOST_SHOWN = 400, 6
LENGTH_TOLERANCE = 0.06
ON_FOOT = ("running", "walking", "hiking")
COLUMNS = (
    "pk",
    "local_date",
    "started_at",
    "sport",
    "timer_s",
    "distance_m",
    "heart_rate_avg_bpm",
    "normalized_power_w",
    "stated_type",
    "is_race",
    "route",
)


def same_route(activity: Activity, *, style: Style) -> dict[str, Any] | None:
    """Return the newest sessions of the sport on the same route with this one among them; one query, none indoors."""
    if not activity.route or not activity.distance_m:
        return None
    reach = (activity.distance_m * (1 - LENGTH_TOLERANCE), activity.distance_m * (1 + LENGTH_TOLERANCE))
    rows = Activity.objects.filter(athlete=activity.athlete_id, sport=activity.sport, distance_m__range=reach)
    others = rows.exclude(pk=activity.pk).counted().only(*COLUMNS).newest_first()[:MOST_LOOKED_AT]
    found = [other for other in others if is_same_route(activity.route, other.route)][: MOST_SHOWN - 1]
    if not found:
        return None
    columns = ("Day", "Time", "Pace" if activity.sport in ON_FOOT else "Speed", "Heart rate", "Power")
    shown = sorted([activity, *found], key=lambda row: row.started_at, reverse=True)
    return {
        "columns": [worded(column, SAID, style=style) for column in columns],
        "rows": [
            {"activity": row.pk, "is_this": row.pk == activity.pk, "cells": cells(row, style=style)} for row in shown
        ],
    }


def cells(row: Activity, *, style: Style) -> list[str]:
    kind = "pace" if row.sport in ON_FOOT else "speed"
    return [
        display.narrow_day(row.local_date, style=style) + (worded(", race", SAID, style=style) if row.is_race else ""),
        display.duration(row.timer_s),
        display.show(kind, speed(row), style=style),
        display.show("heart_rate", row.heart_rate_avg_bpm, style=style),
        display.show("power", row.normalized_power_w, style=style),
    ]
