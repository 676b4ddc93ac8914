"""The curve of bests: the highest power or speed over each span, all time against ninety days, on a log axis."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from coach.templatetags.drawing import axis, line

TOP, PLOT, HEIGHT = 20, 196, 226
LEAST_APART = 0.11  # of the width, between two names below the axis
HEADROOM = 0.06


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    x: str
    y: str
    text: str
    anchor: str = "middle"


@dataclass(frozen=True, slots=True, kw_only=True)
class CurveChart:
    measure: str
    title: str
    words: str
    always: str
    lately: str
    dots: tuple[Mark, ...]
    spans: tuple[Mark, ...]
    readings: tuple[Mark, ...]
    height: int = HEIGHT
    plot: int = PLOT


def chart(data: Mapping[str, Any]) -> CurveChart | None:
    """Lay out `points` of rising spans; None with fewer than two, which make no curve."""
    points: Sequence[Mapping[str, Any]] = data.get("points") or []
    levels = axis.measured([point["all"] for point in points])
    if len(levels) < 2:
        return None
    shares = _shares([float(point["span"]) for point in points])
    span = _span([*levels, *axis.measured([point["lately"] for point in points])])
    always = line.points(shares, [point["all"] for point in points], span)
    lately = line.points(shares, [point["lately"] for point in points], span)
    return CurveChart(
        measure=data["measure"],
        title=data["title"],
        words=_words(points),
        always=line.line(always),
        lately=line.line(lately),
        dots=tuple(
            Mark(x=axis.percent(place[0]), y=axis.pixels(place[1]), text=f"{point['name']}: {point['display']}")
            for place, point in zip(always, points, strict=True)
            if place
        ),
        spans=_marks(shares, [point["name"] for point in points], [float(PLOT)] * len(points)),
        readings=_marks(
            shares, [point["display"] for point in points], [place[1] if place else PLOT for place in always]
        ),
    )


def _shares(spans: Sequence[float]) -> list[float]:
    first, last = math.log(spans[0]), math.log(spans[-1])
    return [(math.log(span) - first) / (last - first) for span in spans]


def _span(levels: Sequence[float]) -> axis.Span:
    room = (max(levels) - min(levels)) * HEADROOM or 1.0
    return axis.Span(low=min(levels) - room, high=max(levels) + room, top=TOP, bottom=PLOT)


def _marks(shares: Sequence[float], texts: Sequence[str], heights: Sequence[float]) -> tuple[Mark, ...]:
    """Name the first, the last, and of those between as many as have room."""
    kept = [0]
    for place in range(1, len(shares) - 1):
        if shares[place] - shares[kept[-1]] >= LEAST_APART and shares[-1] - shares[place] >= LEAST_APART:
            kept.append(place)
    kept.append(len(shares) - 1)
    return tuple(
        Mark(
            x=axis.percent(shares[place]),
            y=axis.pixels(heights[place]),
            text=texts[place],
            anchor="start" if place == 0 else "end" if place == len(shares) - 1 else "middle",
        )
        for place in kept
    )


def _words(points: Sequence[Mapping[str, Any]]) -> str:
    """Say the curve in a sentence, for those who do not see it."""
    first, last = points[0], points[-1]
    fresh = sum(point["lately"] is not None and point["lately"] == point["all"] for point in points)
    falls = all(a["all"] >= b["all"] for a, b in pairwise(points) if a["all"] and b["all"])
    way = "down to" if falls else "to"
    return (
        f"From {first['display']} over {first['name']} {way} {last['display']} over {last['name']}; "
        f"{fresh} of {len(points)} bests are of the last 90 days."
    )
