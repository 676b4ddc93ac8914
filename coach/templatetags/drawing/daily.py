"""A chart of days: points, bars, a line, a band and a level, whichever there are; gaps stay gaps."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.utils.translation import gettext

from coach.templatetags.drawing import axis, line

TOP, FLOOR, HEIGHT = 14, 150, 174
BAR = 0.7  # of a day
MARGIN = 0.08  # of the extent above and below
LABEL_GAP = 16.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    y: str
    name: str
    text: str
    style: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyChart:
    name: str
    title: str
    headed: str  # the title, with the unit that the numbers beside the picture are in
    first: date
    last: date
    dots: str
    bars: str
    line: str
    band: tuple[str, str] | None  # pixels of its top, and its height
    level: str
    labels: tuple[Label, ...]
    grid: tuple[axis.Tick, ...]
    months: tuple[axis.Tick, ...]
    end: tuple[str, str] | None
    words: str
    note: str
    height: int = HEIGHT
    floor: int = FLOOR


def chart(name: str, data: Mapping[str, Any]) -> DailyChart | None:
    """Lay out a value a day from `first` to `last`; None where nothing was measured."""
    rows = {key: data.get(key) or [] for key in ("dots", "bars", "line")}
    known = axis.measured(value for row in rows.values() for value in row)
    if not known:
        return None
    first, last = axis.day(data["first"]), axis.day(data["last"])
    days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
    span = _span(data, known)
    band, level = data.get("band"), data.get("level")
    line_at = _last(rows["line"], span)
    return DailyChart(
        name=name,
        title=str(data.get("title", "")),
        headed=_headed(data),
        first=first,
        last=last,
        dots=_dots(_placed(rows["dots"], span)),
        bars=line.bars(_placed(rows["bars"], span), floor=FLOOR, width=BAR / len(days)),
        line=line.line(_placed(rows["line"], span)),
        band=(axis.pixels(span.y(band[1])), axis.pixels(span.y(band[0]) - span.y(band[1]))) if band else None,
        level="" if level is None else axis.pixels(span.y(level)),
        labels=_labels(data, span, line_at),
        grid=axis.value_ticks(span, at_most=3),
        months=axis.month_ticks(days),
        end=line_at and (axis.percent(line_at[0]), axis.pixels(line_at[1])),
        words=_words(data, known, days=len(days)),
        note=str(data.get("note", "")),
    )


def _headed(data: Mapping[str, Any]) -> str:
    if not data.get("unit"):
        return str(data.get("title", ""))
    return gettext("%(title)s (%(unit)s)") % {"title": data.get("title", ""), "unit": data["unit"]}


def _span(data: Mapping[str, Any], known: Sequence[float]) -> axis.Span:
    """Hold everything that is drawn, with some air; bars stand on zero."""
    level = data.get("level")
    every = [*known, *(data.get("band") or ()), *(() if level is None else (level,))]
    low, high = min(every), max(every)
    air = (high - low) * MARGIN or max(abs(high) * 0.05, 1.0)
    return axis.Span(low=0 if data.get("from_zero") else low - air, high=high + air, top=TOP, bottom=FLOOR)


def _placed(values: Sequence[float | None], span: axis.Span) -> list[line.Point | None]:
    """Place each value in the middle of its day."""
    return line.points([(place + 0.5) / len(values) for place in range(len(values))], values, span)


def _dots(placed: Sequence[line.Point | None]) -> str:
    """Draw each point as a line of no length, which a round cap makes a dot at every width."""
    return "".join(f"M{point[0] * line.WIDE:.1f} {point[1]:.1f}h0" for point in placed if point is not None)


def _last(values: Sequence[float | None], span: axis.Span) -> line.Point | None:
    return next((point for point in reversed(_placed(values, span)) if point is not None), None)


def _labels(data: Mapping[str, Any], span: axis.Span, line_at: line.Point | None) -> tuple[Label, ...]:
    """Name line, level and band at their heights; where they lie close, push them apart."""
    wanted: list[tuple[float, str, str, str]] = []
    if line_at is not None:
        wanted.append((line_at[1], str(data.get("line_name", "")), str(data.get("line_text", "")), "fitness"))
    if data.get("level") is not None:
        wanted.append(
            (span.y(data["level"]), str(data.get("level_name", "")), str(data.get("level_text", "")), "fatigue")
        )
    if data.get("band"):
        wanted.append((span.y(sum(data["band"]) / 2), str(data.get("band_name", "")), "", "fatigue"))
    wanted.sort()
    places = _apart([y + 4 for y, *_ in wanted])
    return tuple(
        Label(y=axis.pixels(y), name=name, text=text, style=style)
        for y, (_, name, text, style) in zip(places, wanted, strict=True)
    )


def _apart(places: Sequence[float]) -> list[float]:
    """Push rising places apart, down and then up again from the floor."""
    down: list[float] = []
    for y in places:
        down.append(max(y, down[-1] + LABEL_GAP) if down else y)
    up: list[float] = []
    for y in reversed(down):
        up.append(min(y, up[-1] - LABEL_GAP if up else FLOOR))
    return up[::-1]


def _words(data: Mapping[str, Any], known: Sequence[float], *, days: int) -> str:
    """Say the chart in a sentence, for those who do not see it."""
    values = axis.measured([*(data.get("dots") or []), *(data.get("bars") or [])]) or known
    unit = f" {data['unit']}" if data.get("unit") else ""
    said = gettext(
        "%(title)s: %(known)s of %(days)s days have a value, from %(least)s to %(most)s; the last one is %(last)s."
    )
    edges = {"least": min(values), "most": max(values), "last": values[-1]}
    shown = {name: f"{value:g}{unit}" for name, value in edges.items()}
    return said % {"title": data.get("title", ""), "known": len(values), "days": days, **shown}
