"""A year as a picture in two halves: a column a week, a square a day, stronger for more load."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from django.utils import dateformat
from django.utils.translation import gettext, ngettext

from coach import display

CELL, GAP, TOP = 12, 2, 14
LEVELS = (0.0, 40.0, 80.0, 120.0)  # points from which a square is one step stronger
DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Half:
    """Half a year: beside the other on a wide page, above it on a phone, so that a square is never a speck."""

    view: str
    empty: str  # paths of squares
    levels: tuple[tuple[int, str], ...]
    months: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Heat:
    halves: tuple[Half, ...]
    words: str


def chart(loads: Mapping[date, float], *, year: int, starts_on: int) -> Heat:
    """Lay the year out in weeks that begin on `starts_on` (ISO weekday); July begins the second half."""
    first, last = date(year, 1, 1), date(year, 12, 31)
    start = first - DAY * ((first.isoweekday() - starts_on) % 7)
    middle, end = (date(year, 7, 1) - start).days // 7, (last - start).days // 7 + 1
    columns = max(middle, end - middle)  # both halves are as wide, so that their squares are alike
    halves = [_half(loads, start=start, year=year, begin=begin, columns=columns) for begin in (0, middle)]
    return Heat(halves=tuple(halves), words=words(loads, year=year))


def _half(loads: Mapping[date, float], *, start: date, year: int, begin: int, columns: int) -> Half:
    squares: list[list[str]] = [[] for _ in range(len(LEVELS) + 1)]
    until = (date(year, 7, 1) - start).days // 7 if begin == 0 else begin + columns
    for number in range(begin * 7, until * 7):
        day = start + DAY * number
        if day.year == year:
            squares[level(loads.get(day, 0.0))].append(square(day, start=start))
    firsts = [(month, (date(year, month, 1) - start).days // 7) for month in range(1, 13)]
    return Half(
        view=f"{begin * CELL} 0 {columns * CELL} {TOP + 7 * CELL}",
        empty="".join(squares[0]),
        levels=tuple((place, "".join(own)) for place, own in enumerate(squares) if place and own),
        months=tuple(
            (at * CELL, dateformat.format(date(year, month, 1), gettext("M")))
            for month, at in firsts
            if begin <= at < until
        ),
    )


def level(load: float) -> int:
    """Return 0 for a day without load, else how strong its square is."""
    return sum(load > least for least in LEVELS)


def square(day: date, *, start: date) -> str:
    column, row = divmod((day - start).days, 7)
    side = CELL - GAP
    return f"M{column * CELL} {TOP + row * CELL}h{side}v{side}h-{side}z"


def words(loads: Mapping[date, float], *, year: int) -> str:
    active = [points for points in loads.values() if points > 0]
    if not active:
        return gettext("No load on any day of %(year)s.") % {"year": year}
    busiest = max(loads, key=lambda day: loads[day])
    most = display.number(loads[busiest])
    said = ngettext(
        "%(n)s day of %(year)s with load; the most, %(most)s points, on %(day)s.",
        "%(n)s days of %(year)s with load; the most, %(most)s points, on %(day)s.",
        len(active),
    )
    day = dateformat.format(busiest, gettext("j F Y"))
    return said % {"n": len(active), "year": year, "most": most, "day": day}
