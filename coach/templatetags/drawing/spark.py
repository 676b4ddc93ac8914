"""A sparkline: the shape of a fact's history, its last value as a dot."""

from collections.abc import Sequence
from dataclasses import dataclass

from coach.templatetags.drawing import axis, line

HEIGHT = 28


@dataclass(frozen=True, slots=True, kw_only=True)
class Spark:
    height: int
    path: str
    x: str
    y: str


def chart(history: Sequence[float | None]) -> Spark | None:
    """Draw oldest to newest; None with fewer than three measured values, which have no shape."""
    values = axis.measured(history)
    if len(values) < 3:
        return None
    span = axis.Span(low=min(values), high=max(values), top=4, bottom=HEIGHT - 4)
    shares = [place / (len(history) - 1) for place in range(len(history))]
    placed = line.points(shares, history, span)
    share, y = next(point for point in reversed(placed) if point is not None)
    return Spark(height=HEIGHT, path=line.line(placed), x=axis.percent(share), y=axis.pixels(y))
