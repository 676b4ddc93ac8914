"""Trends as small multiples: points, the fitted line with its interval, and n."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from coach.scopes.facts import Fact
from coach.templatetags.drawing import axis, line

TOP, HEIGHT = 24, 116
SPORT = re.compile("[:：]")  # what a line is called by begins with its sport, or is all of it
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


def answer(data: Mapping[str, Any]) -> str:
    """Say in a sentence which lines move clearly, before anything else."""
    every = data.get("lines") or []
    clear = [f"{one['title']} {_way(one)}" for one in every if one["is_clear"]]
    if not clear:
        return gettext("No line moves clearly: what they show may be noise.")
    said = gettext("%(count)s of %(all)s lines move clearly: %(lines)s.")
    return said % {"count": len(clear), "all": len(every), "lines": gettext(", ").join(clear)}


def lead(data: Mapping[str, Any], facts: Sequence[Fact], *, most: int) -> list[Fact]:
    """Return how much the lines move, those first that move clearly."""
    every = sorted(data.get("lines") or [], key=lambda one: not one["is_clear"])
    known = {fact.key: fact for fact in facts}
    return [known[key] for key in (f"{one['key']}_slope" for one in every[:most]) if key in known]


def folded(data: Mapping[str, Any], facts: Iterable[Fact]) -> list[tuple[str, list[Fact]]]:
    """Sort facts under the sport whose line they are of; what is of none comes first, under no name."""
    names = {one["key"]: SPORT.split(one["title"])[0] for one in data.get("lines") or []}
    groups: dict[str, list[Fact]] = {name: [] for name in ("", *names.values())}
    for fact in facts:
        groups[next((name for key, name in names.items() if fact.key.startswith(f"{key}_")), "")].append(fact)
    return list(groups.items())


def _way(one: Mapping[str, Any]) -> str:
    """Return the reading; of a pace, where more is slower, with what that means."""
    means = {"slower": gettext("slower"), "faster": gettext("faster")}.get(one["goes"])
    return gettext("%(title)s (%(unit)s)") % {"title": one["trend"], "unit": means} if means else str(one["trend"])


def _trend(one: Mapping[str, Any]) -> Trend:
    span = _span(one)
    placed: Sequence[line.Point] = [(share, span.y(value)) for share, value in one["line"]]
    share, y = placed[-1]
    return Trend(
        key=one["key"],
        title=one["title"],
        words=_words(one),
        change=one["change"],
        trend=_way(one),
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


def _words(one: Mapping[str, Any]) -> str:
    """Say the line in a sentence, for those who do not see it."""
    said = gettext("%(n)s points; the line goes from %(start)s to %(end)s: %(trend)s.")
    return said % {"n": one["n"], "start": one["start"], "end": one["end"], "trend": _way(one)}


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
