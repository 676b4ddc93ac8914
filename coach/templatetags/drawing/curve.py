"""The curve of bests: the highest power or speed over each span, all time against ninety days, on a log axis."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from django.utils.translation import gettext

from coach.templatetags.drawing import axis, line

TOP, PLOT, HEIGHT = 20, 196, 226
HEADROOM = 0.06
BELOW = 24  # pixels under the lowest point, where a reading has room
PHONE = 320.0  # pixels across at the least
LETTER, DIGIT = 6.8, 8.2  # pixels a sign: of a name below the axis, of a reading
WIDE_FROM = 0x2E80  # from here on signs are twice as wide
UP, DOWN = -8, 18  # pixels from a point to its reading


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    x: str
    y: str
    text: str
    anchor: str = "middle"
    dy: int = DOWN


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
            Mark(
                x=axis.percent(place[0]), y=axis.pixels(place[1]), text=point["name"] + gettext(": ") + point["display"]
            )
            for place, point in zip(always, points, strict=True)
            if place
        ),
        spans=_names(shares, [point["name"] for point in points]),
        readings=_readings(always, [point["display"] for point in points]),
    )


def _shares(spans: Sequence[float]) -> list[float]:
    first, last = math.log(spans[0]), math.log(spans[-1])
    return [(math.log(span) - first) / (last - first) for span in spans]


def _span(levels: Sequence[float]) -> axis.Span:
    room = (max(levels) - min(levels)) * HEADROOM or 1.0
    return axis.Span(low=min(levels) - room, high=max(levels) + room, top=TOP, bottom=PLOT - BELOW)


def _kept(shares: Sequence[float], widths: Sequence[float], *, is_centred: bool) -> list[int]:
    """Return the places whose words have room on a phone: the first, the last, and as many between as fit."""
    kept, end, free = [0], shares[0] + widths[0], shares[-1] - widths[-1]
    for place in range(1, len(shares) - 1):
        left = shares[place] - (widths[place] / 2 if is_centred else 0)
        if left >= end and left + widths[place] <= free:
            kept.append(place)
            end = left + widths[place]
    return [*kept, len(shares) - 1]


def _room(texts: Sequence[str], *, sign: float) -> list[float]:
    """Return the share of a phone's width that each text takes, with a blank."""
    return [(sum(2 if ord(one) > WIDE_FROM else 1 for one in text) + 1) * sign / PHONE for text in texts]


def _anchor(place: int, count: int, *, between: str) -> str:
    return "start" if place == 0 else "end" if place == count - 1 else between


def _names(shares: Sequence[float], texts: Sequence[str]) -> tuple[Mark, ...]:
    kept = _kept(shares, _room(texts, sign=LETTER), is_centred=True)
    anchors = {place: _anchor(place, len(shares), between="middle") for place in kept}
    return tuple(
        Mark(x=axis.percent(shares[place]), y=axis.pixels(PLOT), text=texts[place], anchor=anchors[place])
        for place in kept
    )


def _readings(points: Sequence[line.Point | None], texts: Sequence[str]) -> tuple[Mark, ...]:
    """Set each reading on the side of its point that the line leaves free: to its right, the last one to its left."""
    known = [(point, text) for point, text in zip(points, texts, strict=True) if point]
    shares, heights = [point[0] for point, _ in known], [point[1] for point, _ in known]
    said, last = [text for _, text in known], len(known) - 1
    marks = []
    for place in _kept(shares, _room(said, sign=DIGIT), is_centred=False):
        beside = heights[place - 1 if place == last else place + 1]
        marks.append(
            Mark(
                x=axis.percent(shares[place]),
                y=axis.pixels(heights[place]),
                text=said[place],
                anchor=_anchor(place, len(known), between="start"),
                dy=DOWN if beside < heights[place] else UP,
            )
        )
    return tuple(marks)


def _words(points: Sequence[Mapping[str, Any]]) -> str:
    """Say the curve in a sentence, for those who do not see it."""
    first, last = points[0], points[-1]
    fresh = sum(point["lately"] is not None and point["lately"] == point["all"] for point in points)
    falls = all(a["all"] >= b["all"] for a, b in pairwise(points) if a["all"] and b["all"])
    said = gettext(
        "From %(first)s over %(from)s to %(last)s over %(to)s; %(fresh)s of %(all)s bests are of the last 90 days."
    )
    if falls:
        said = gettext(
            "From %(first)s over %(from)s down to %(last)s over %(to)s; "
            "%(fresh)s of %(all)s bests are of the last 90 days."
        )
    return said % {
        "first": first["display"],
        "from": first["name"],
        "last": last["display"],
        "to": last["name"],
        "fresh": fresh,
        "all": len(points),
    }
