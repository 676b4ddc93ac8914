"""Paths in the stretched drawing: lines and areas that break where nothing was measured."""

import math
from collections.abc import Iterator, Sequence

from coach.templatetags.drawing.axis import Span

WIDE = 1000  # units across a stretched drawing

Point = tuple[float, float]  # share of the width 0..1, pixels down


def points(shares: Sequence[float], values: Sequence[float | None], span: Span) -> list[Point | None]:
    """Place each value; None stays None and becomes a gap."""
    return [
        None if value is None or not math.isfinite(value) else (share, span.y(value))
        for share, value in zip(shares, values, strict=True)
    ]


def runs(placed: Sequence[Point | None]) -> Iterator[list[Point]]:
    """Split at the gaps."""
    run: list[Point] = []
    for point in placed:
        if point is not None:
            run.append(point)
        elif run:
            yield run
            run = []
    if run:
        yield run


def line(placed: Sequence[Point | None]) -> str:
    """Draw each run; a lone point becomes a short dash, so that it is seen."""
    parts = []
    for run in runs(placed):
        start, *rest = run
        parts.append(f"M{_place(start)}")
        parts.append("".join(f"L{_place(point)}" for point in rest) or "h2")
    return "".join(parts)


def area(placed: Sequence[Point | None], *, floor: float) -> str:
    """Fill each run down to the floor."""
    parts = []
    for run in runs(placed):
        left, right = run[0][0] * WIDE, run[-1][0] * WIDE
        outline = "L".join(_place(point) for point in run)
        parts.append(f"M{left:.1f} {floor:.1f}L{outline}L{right:.1f} {floor:.1f}Z")
    return "".join(parts)


def bars(placed: Sequence[Point | None], *, floor: float, width: float) -> str:
    """Draw a bar from the floor to each point."""
    half = width * WIDE / 2
    return "".join(
        f"M{x * WIDE - half:.1f} {floor:.1f}V{y:.1f}h{half * 2:.2f}V{floor:.1f}Z"
        for point in placed
        if point is not None
        for x, y in (point,)
    )


def _place(point: Point) -> str:
    return f"{point[0] * WIDE:.1f} {point[1]:.1f}"
