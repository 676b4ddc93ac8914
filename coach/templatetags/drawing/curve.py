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
BELOW = 12  # pixels under the lowest point
PHONE = 220.0  # pixels across at the least
LETTER, DIGIT = 6.8, 8.2  # pixels a sign: of a name below the axis, of a reading
WIDE_FROM = 0x2E80  # from here on signs are twice as wide
UP = 8  # pixels from the line up to a reading


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    x: str
    y: str
    text: str
    anchor: str = "start"


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
    last: Mark  # beside its point
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
    *readings, last = _readings(always, [point["display"] for point in points])
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
        readings=tuple(readings),
        last=last,
    )


def _shares(spans: Sequence[float]) -> list[float]:
    first, last = math.log(spans[0]), math.log(spans[-1])
    return [(math.log(span) - first) / (last - first) for span in spans]


def _span(levels: Sequence[float]) -> axis.Span:
    room = (max(levels) - min(levels)) * HEADROOM or 1.0
    return axis.Span(low=min(levels) - room, high=max(levels) + room, top=TOP, bottom=PLOT - BELOW)


def _kept(shares: Sequence[float], widths: Sequence[float], *, until: float) -> list[int]:
    """Return the places whose words have room on a phone, each to the right of its place: the first, and what fits."""
    kept, end = [0], shares[0] + widths[0]
    for place in range(1, len(shares) - 1):
        if shares[place] >= end and shares[place] + widths[place] <= until:
            kept.append(place)
            end = shares[place] + widths[place]
    return kept


def _room(texts: Sequence[str], *, sign: float) -> list[float]:
    """Return the share of a phone's width that each text takes, with a blank."""
    return [(sum(2 if ord(one) > WIDE_FROM else 1 for one in text) + 1) * sign / PHONE for text in texts]


def _names(shares: Sequence[float], texts: Sequence[str]) -> tuple[Mark, ...]:
    """Name the spans below the axis, the last one to the left of its place."""
    widths = _room(texts, sign=LETTER)
    kept = _kept(shares, widths, until=shares[-1] - widths[-1])
    marks = [
        Mark(x=axis.percent(shares[place]), y=axis.pixels(PLOT), text=texts[place], anchor="start") for place in kept
    ]
    return (*marks, Mark(x=axis.percent(shares[-1]), y=axis.pixels(PLOT), text=texts[-1], anchor="end"))


def _readings(points: Sequence[line.Point | None], texts: Sequence[str]) -> list[Mark]:
    """Set each reading to the right of its point, above the line as far as it reaches; the last beside the line."""
    known = [point for point in points if point]
    said = [text for point, text in zip(points, texts, strict=True) if point]
    shares, widths = [share for share, _ in known], _room(said, sign=DIGIT)
    marks = []
    for place in _kept(shares, widths, until=1.0):
        reach = [y for share, y in _reach(known, shares[place] + widths[place]) if share >= shares[place]]
        marks.append(Mark(x=axis.percent(shares[place]), y=axis.pixels(min(reach) - UP), text=said[place]))
    return [*marks, Mark(x="100%", y=axis.pixels(known[-1][1]), text=said[-1])]


def _reach(known: Sequence[line.Point], until: float) -> list[line.Point]:
    """Return the points of the line up to there, with the one where it ends."""
    before = [point for point in known if point[0] <= until]
    after = known[len(before)] if len(before) < len(known) else None
    if after is None:
        return before
    (x, y), (further, there) = before[-1], after
    return [*before, (until, y + (there - y) * (until - x) / (further - x))]


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
