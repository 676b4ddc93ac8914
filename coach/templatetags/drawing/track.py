"""The track of an outdoor activity: true to shape, north up, without a map service."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import get_language

from coach import display
from coach.templatetags.drawing import axis

SIDE = 400.0  # units of the longer side
EDGE = 12.0
EARTH_M_PER_DEG = 111_195.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Track:
    width: str
    height: str
    path: str  # its places, one a point, are those of the cursor too
    start: tuple[str, str]
    finish: tuple[str, str]
    times: str  # seconds, one a point; "" when the points carry no time
    across: str  # how wide the drawing is, in words


def chart(data: Mapping[str, Any]) -> Track | None:
    """Project points [latitude, longitude(, time_s)] about their middle; None with fewer than two."""
    points: Sequence[Sequence[float]] = [p for p in data.get("points") or [] if None not in p[:2]]
    if len(points) < 2:
        return None
    flat = _metres(points)
    west, east = min(x for x, _ in flat), max(x for x, _ in flat)
    south, north = min(y for _, y in flat), max(y for _, y in flat)
    extent = max(east - west, north - south, 1.0)
    scale = SIDE / extent
    placed = [(axis.pixels((x - west) * scale + EDGE), axis.pixels((north - y) * scale + EDGE)) for x, y in flat]
    timed = all(len(point) > 2 for point in points)
    return Track(
        width=axis.pixels((east - west) * scale + 2 * EDGE),
        height=axis.pixels((north - south) * scale + 2 * EDGE),
        path="M" + "L".join(f"{x} {y}" for x, y in placed),
        start=placed[0],
        finish=placed[-1],
        times=",".join(f"{point[2]:.0f}" for point in points) if timed else "",
        across=_distance(extent),
    )


def _metres(points: Sequence[Sequence[float]]) -> list[tuple[float, float]]:
    """Lay degrees flat about the middle; good to a fraction of a percent over a day's ride."""
    middle = math.radians(sum(point[0] for point in points) / len(points))
    origin = points[0][1]
    # Crossing the date line must not draw a line around the world.
    east = [((point[1] - origin + 180) % 360 - 180) for point in points]
    return [
        (degrees * EARTH_M_PER_DEG * math.cos(middle), point[0] * EARTH_M_PER_DEG)
        for degrees, point in zip(east, points, strict=True)
    ]


def _distance(metres: float) -> str:
    across = f"{metres / 1000:.1f} km" if metres >= 1000 else f"{metres:.0f} m"
    return display.with_unit_words(across, style=display.Style(language=get_language() or "en"))
