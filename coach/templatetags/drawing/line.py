"""Paths in the stretched drawing: lines and areas that break where nothing was measured."""

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

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
    return "".join(f"M{_place(run[0])}{_steps(run) or 'h2'}" for run in runs(placed))


def area(placed: Sequence[Point | None], *, floor: float) -> str:
    """Fill each run down to the floor."""
    parts = []
    for run in runs(placed):
        left, right = run[0][0] * WIDE, run[-1][0] * WIDE
        parts.append(f"M{left:.1f} {floor:.1f}L{_place(run[0])}{_steps(run)}L{right:.1f} {floor:.1f}Z")
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


def _steps(run: Sequence[Point]) -> str:
    """Return the way from point to point: a third as long as the places themselves.

    Across in whole units, which are less than a pixel; down in tenths, for there a unit is one.
    """
    tenths = [(round(x * WIDE) * 10, round(y * 10)) for x, y in run]
    steps = (_short(there - here) for one, other in pairwise(tenths) for here, there in zip(one, other, strict=True))
    return "l" + " ".join(steps).replace(" -", "-") if len(run) > 1 else ""


def _short(tenths: int) -> str:
    """Write -0.3 as -.3, as paths may."""
    whole, rest = divmod(abs(tenths), 10)
    digits = f"{whole or ''}{f'.{rest}' if rest else ''}" or "0"
    return f"-{digits}" if tenths < 0 else digits


def _place(point: Point) -> str:
    return f"{point[0] * WIDE:.1f} {point[1]:.1f}"
