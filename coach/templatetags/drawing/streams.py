"""Streams of an activity: one strip a series on a shared time axis, laps as ticks, pauses as bands."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from coach.templatetags.drawing import axis, line

STRIP, AXIS = 76, 24
FILLED = ("altitude",)  # drawn as ground, not as a line


@dataclass(frozen=True, slots=True, kw_only=True)
class Strip:
    key: str
    label: str
    unit: str
    summary: str  # its average and its highest, in words
    path: str
    ground: str
    peak: tuple[str, str] | None
    values: str  # one a sample, empty for a gap; what the cursor reads out


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamChart:
    strips: tuple[Strip, ...]
    times: str
    last: int
    ticks: tuple[axis.Tick, ...]
    laps: tuple[str, ...]
    pauses: tuple[tuple[str, str], ...]  # left, width
    height: int = STRIP
    axis_height: int = AXIS


def chart(data: Mapping[str, Any]) -> StreamChart | None:
    """Lay out `series` over `time_s`; None where there is nothing to draw."""
    times: Sequence[float] = data.get("time_s") or []
    series = [one for one in data.get("series") or [] if axis.measured(one["values"])]
    if len(times) < 2 or not series or times[-1] <= 0:
        return None
    total = float(times[-1])
    shares = [moment / total for moment in times]
    return StreamChart(
        strips=tuple(_strip(one, shares) for one in series),
        times=",".join(f"{moment:.0f}" for moment in times),
        last=len(times) - 1,
        ticks=axis.time_ticks(total),
        laps=tuple(axis.percent(lap / total) for lap in data.get("laps") or [] if 0 < lap < total),
        pauses=tuple(_band(start, length, total) for start, length in data.get("pauses") or [] if start < total),
    )


def _band(start: float, length: float, total: float) -> tuple[str, str]:
    return axis.percent(max(start, 0) / total), axis.percent(min(length, total - start) / total)


def _strip(one: Mapping[str, Any], shares: Sequence[float]) -> Strip:
    values: Sequence[float | None] = one["values"]
    heights = _heights(values, is_pace=bool(one.get("invert")))
    known = axis.measured(heights)
    low, high = min(known), max(known)
    room = (high - low) * 0.06 or abs(high) * 0.06 or 1.0
    placed = line.points(shares, heights, axis.Span(low=low - room, high=high + room, top=6, bottom=STRIP - 2))
    filled = str(one["key"]).startswith(FILLED)
    return Strip(
        key=str(one["key"]),
        label=str(one["label"]),
        unit=str(one.get("unit") or ""),
        summary=_summary(one),
        path=line.line(placed),
        ground=line.area(placed, floor=STRIP - 1) if filled else "",
        peak=_peak(placed),
        values=",".join("" if value is None else _read(value) for value in values),
    )


def _heights(values: Sequence[float | None], *, is_pace: bool) -> Sequence[float | None]:
    """Draw a pace as high as its speed: faster is up, and a stop does not flatten the rest."""
    if not is_pace:
        return values
    return [1 / value if value else None for value in values]


def _summary(one: Mapping[str, Any]) -> str:
    average, most = _said(one.get("display_avg")), _said(one.get("display_max"))
    highest = gettext("fastest %(value)s") if one.get("invert") else gettext("highest %(value)s")
    parts = [gettext("average %(value)s") % {"value": average}] if average else []
    parts += [highest % {"value": most}] if most else []
    return gettext(", ").join(parts)


def _read(value: float) -> str:
    """Write a value with the digits that the cursor reads out, and no more: there are thousands on a page."""
    return f"{value:.1f}" if abs(value) < 20 else f"{value:.0f}"


def _said(display: object) -> str:
    return "" if display in (None, "", "–") else str(display)


def _peak(placed: Sequence[line.Point | None]) -> tuple[str, str] | None:
    highest = min((point for point in placed if point), key=lambda point: point[1], default=None)
    return (axis.percent(highest[0]), axis.pixels(highest[1])) if highest else None
