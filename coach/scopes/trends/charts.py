"""Small pictures of trends as plain data: points, the line with its interval, and how many they are."""

from datetime import date
from typing import Any

from coach import display
from coach.display import Style
from coach.scopes.terms import worded
from coach.scopes.trends import chinese
from coach.scopes.trends.chinese import SAID
from coach.scopes.trends.series import Series
from coach.scopes.trends.sessions import Range
from coach.scopes.trends.terms import MEASURES, name_of

BAND_PLACES = 12
MOST_ROWS = 24
COLUMNS = ("Line", "Start", "End", "In 30 days", "Interval", "Points", "Reading")


def picture(series: Series, found: Range, *, trend: str, change: str, goes: str, style: Style) -> dict[str, Any]:
    days = (found.last - found.first).days or 1

    def share(moment: float) -> float:
        return ((series.points[0][0] - found.first).days + moment) / days

    places = [series.last_day * step / (BAND_PLACES - 1) for step in range(BAND_PLACES)]
    return {
        "key": series.key,
        "goes": goes,
        "title": name_of(series.family, series.measure, style=style),
        "points": [[share(series.day(day)), round(value, 4)] for day, value in series.points],
        "line": [[share(place), round(series.line.at(place), 4)] for place in (0.0, series.last_day)],
        "band": [
            [share(at), round(series.line.at(at) - half, 4), round(series.line.at(at) + half, 4)]
            for at in places
            for half in (series.line.half_width(at),)
        ],
        "start": reading(series, 0.0, style=style),
        "end": reading(series, series.last_day, style=style),
        "n": len(series.points),
        "trend": trend,
        "change": change,
        "made_of": words(series, style=style),
        "is_clear": series.line.is_clear,
    }


def reading(series: Series, day: float, *, style: Style) -> str:
    return display.show(MEASURES[series.measure].level, level(series, day), style=style)


def level(series: Series, day: float) -> float:
    """Return where the line is; fitness is known without a line, and has its own first and last value."""
    if series.measure == "fitness":
        return series.points[0 if day == 0 else -1][1]
    return max(series.line.at(day), 0.0)


def words(series: Series, *, style: Style) -> str:
    """Say what the points of a line have in common."""
    told = []
    if series.pulse_bpm:
        pulse = display.show("heart_rate", series.pulse_bpm, style=style)
        told.append(worded("at {pulse}", SAID, style=style).format(pulse=pulse))
    if series.made_of:
        told.append(made_of(*series.made_of, style=style))
    return ("，" if style.chinese else ", ").join(told)


def made_of(name: str, place: str, device: str, *, style: Style) -> str:
    word = name.replace("_", " ")
    if style.chinese:
        return chinese.made_of(word, place, device)
    return f"{word} {place}" + (f", recorded by {device}" if device else "")


def table(every: list[Series], readings: dict[str, tuple[str, str, str]], *, style: Style) -> dict[str, Any]:
    rows = [
        [
            name_of(series.family, series.measure, style=style),
            reading(series, 0.0, style=style),
            reading(series, series.last_day, style=style),
            readings[series.key][0],
            f"± {readings[series.key][1]}",
            str(len(series.points)),
            readings[series.key][2],
        ]
        for series in every
    ]
    columns = [worded(column, SAID, style=style) for column in COLUMNS]
    return {"caption": worded("Trends", SAID, style=style), "columns": columns, "rows": rows}


def points(series: Series, *, style: Style) -> dict[str, Any]:
    """Return the table behind one picture."""
    told = MEASURES[series.measure]
    rows = [
        [display.narrow_day(day, style=style), display.show(told.level, value, style=style)]
        for day, value in latest(series)
    ]
    caption = name_of(series.family, series.measure, style=style)
    word = chinese.MEASURES[series.measure].label if style.chinese else told.word.capitalize()
    return {"caption": caption, "columns": [worded("Day", SAID, style=style), word], "rows": rows}


def latest(series: Series) -> list[tuple[date, float]]:
    return list(reversed(series.points))[:MOST_ROWS]
