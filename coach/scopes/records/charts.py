"""The curve of bests as plain data, and the table with a way to each session."""

from datetime import date
from typing import Any

from coach import display
from coach.display import Style
from coach.models import Best
from coach.scopes.records.bests import Bests, Record
from coach.scopes.records.chinese import SAID, span
from coach.scopes.records.spans import word
from coach.scopes.records.terms import NEW_DAYS
from coach.scopes.terms import worded

DOUBTS = {
    "virtual": "in a virtual world or on a trainer",
    "motor": "with a motor",
    "downhill": "downhill",
    "jump": "faster than anybody moves: a jump of the satellites",
}
COLUMNS = ("Over", "Best", "On", "Days ago", "Before", "Better by", "Last 90 days")


def curve(bests: Bests, measure: str, *, style: Style) -> dict[str, Any] | None:
    """Return all time against ninety days, at each span; None with fewer than two."""
    records = [record for record in bests.of(measure) if record.best]
    if len(records) < 2:
        return None
    last = display.day(bests.until, style=style)
    name = "Power" if measure == "power" else "Pace" if bests.family in PACED else "Speed"
    return {
        "title": worded(f"{name} of all time, and of the 90 days up to {{last}}", SAID, style=style).format(last=last),
        "measure": measure,
        "points": [point(record, bests.family, style=style) for record in records],
    }


PACED = {"running": "pace", "walking": "pace", "swimming": "swim_pace"}


def point(record: Record, family: str, *, style: Style) -> dict[str, Any]:
    return {
        "span": record.span,
        "name": named(record, style=style),
        "all": level(record.best),
        "lately": level(record.lately),
        "display": reading(record.best, family, style=style),
    }


def level(best: Best | None) -> float | None:
    """Return W, or m/s: more is higher in the chart."""
    if best is None:
        return None
    return best.value if best.measure == "power" else best.span / best.value


def reading(best: Best | None, family: str, *, style: Style) -> str:
    kind = "power" if best and best.measure == "power" else PACED.get(family, "speed")
    return display.show(kind, level(best), style=style)


def rows(bests: Bests, *, today: date, style: Style) -> list[dict[str, Any]]:
    """Return what the page lists: each record with the session it was set in, and whether it is new."""
    return [row(record, today=today, style=style) for record in bests.records if record.best]


def row(record: Record, *, today: date, style: Style) -> dict[str, Any]:
    best, lately = record.best, record.lately
    return {
        "cells": cells(record, today=today, style=style),
        "activity": best.activity_id if best else None,
        "lately_activity": lately.activity_id if lately else None,
        "is_new": record.is_new(today, days=NEW_DAYS),
    }


def cells(record: Record, *, today: date, style: Style) -> list[str]:
    best = record.best
    return [
        named(record, style=style),
        shown(best, style=style),
        display.narrow_day(best.local_date, style=style) if best else display.UNKNOWN,
        display.number((today - best.local_date).days) if best else display.UNKNOWN,
        shown(record.before, style=style),
        display.show(kind_of(record.measure), record.gain, style=style),
        shown(record.lately, style=style),
    ]


def kind_of(measure: str) -> str:
    return "power" if measure == "power" else "duration"


def shown(best: Best | None, *, style: Style) -> str:
    return display.UNKNOWN if best is None else display.show(kind_of(best.measure), best.value, style=style)


def named(record: Record, *, style: Style) -> str:
    """Return what a best is called: 5 min, half marathon."""
    name = word(record.measure, record.span)
    return span(name) if style.chinese else name


def doubted(bests: Bests, *, style: Style) -> list[dict[str, Any]]:
    """Return what was better than a record and does not count, and why."""
    return [
        {
            "name": named(record, style=style),
            "value": shown(record.doubted, style=style),
            "on": display.day(record.doubted.local_date, style=style),
            "why": worded(DOUBTS.get(record.doubted.doubt, record.doubted.doubt), SAID, style=style),
            "activity": record.doubted.activity_id,
        }
        for record in bests.records
        if record.doubted
    ]


def table(bests: Bests, *, today: date, style: Style) -> dict[str, Any]:
    listed = [cells(record, today=today, style=style) for record in bests.records if record.best]
    columns = [worded(column, SAID, style=style) for column in COLUMNS]
    return {"caption": worded("Records", SAID, style=style), "columns": columns, "rows": listed}
