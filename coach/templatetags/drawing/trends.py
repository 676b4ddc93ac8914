"""Trends as small multiples: points, the fitted line with its interval, and n."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from coach.templatetags.drawing import axis, line

TOP, HEIGHT = 20, 112
ROOM = 12  # below the lowest point


@dataclass(frozen=True, slots=True, kw_only=True)
class Trend:
    key: str
    title: str
    words: str
    change: str
    trend: str
    n: int
    made_of: str
    is_clear: bool
    start: str
    end: str
    points: str
    line: str
    band: str
    dot: tuple[str, str]
    height: int = HEIGHT


def chart(data: Mapping[str, Any]) -> tuple[Trend, ...]:
    """Lay out each line over the same range of days; a line without points is left out."""
    return tuple(_trend(one) for one in data.get("lines") or [] if one["points"])


def _trend(one: Mapping[str, Any]) -> Trend:
    span = _span(one)
    placed: Sequence[line.Point] = [(share, span.y(value)) for share, value in one["line"]]
    share, y = placed[-1]
    return Trend(
        key=one["key"],
        title=one["title"],
        words=f"{one['n']} points; the line goes from {one['start']} to {one['end']}: {one['trend']}.",
        change=one["change"],
        trend=one["trend"],
        n=one["n"],
        made_of=one["made_of"],
        is_clear=one["is_clear"],
        start=one["start"],
        end=one["end"],
        points="".join(f"M{x * line.WIDE:.0f} {span.y(value):.1f}h0" for x, value in one["points"]),
        line=line.line(placed),
        band=_band(one["band"], span),
        dot=(axis.percent(share), axis.pixels(y)),
    )


def _span(one: Mapping[str, Any]) -> axis.Span:
    """Hold the points and the line; the interval may run out of the picture at its ends."""
    levels = [value for _, value in (*one["points"], *one["line"])]
    return axis.Span(low=min(levels), high=max(levels), top=TOP, bottom=HEIGHT - ROOM)


def _band(band: Sequence[Sequence[float]], span: axis.Span) -> str:
    edge = [(share, _inside(span.y(low))) for share, low, _ in band]
    edge += [(share, _inside(span.y(high))) for share, _, high in reversed(band)]
    return "M" + "L".join(f"{share * line.WIDE:.0f} {y:.1f}" for share, y in edge) + "Z"


def _inside(y: float) -> float:
    return min(max(y, 2.0), HEIGHT - 2.0)
