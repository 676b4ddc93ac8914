"""Streams of an activity: one strip a series on a shared time axis, laps as ticks, efforts as bars, pauses as bands."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from coach.templatetags.drawing import axis, line

STRIP, AXIS = 76, 24
EDGE = 6.0  # percent from the left, where half a name has no room
FILLED = ("altitude",)  # drawn as ground, not as a line


@dataclass(frozen=True, slots=True, kw_only=True)
class Strip:
    key: str
    label: str
    unit: str
    summary: str  # its average and its highest, in words
    drawing: SafeString
    values: str  # one a sample, empty for a gap; what the cursor reads out


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamChart:
    strips: tuple[Strip, ...]
    times: str
    last: int
    from_s: float
    until_s: float
    axis: SafeString
    has_laps: bool
    has_efforts: bool
    has_pauses: bool
    height: int = STRIP
    axis_height: int = AXIS


def chart(data: Mapping[str, Any]) -> StreamChart | None:
    """Lay out `series` over `time_s`, or over a `part` of it; None where there is nothing to draw."""
    times: Sequence[float] = data.get("time_s") or []
    series = [one for one in data.get("series") or [] if axis.measured(one.get("extent") or one["values"])]
    if len(times) < 2 or not series:
        return None
    from_s, until_s = map(float, data.get("part") or (0.0, times[-1]))
    if until_s <= from_s:
        return None

    def share(moment: float) -> float:
        return (moment - from_s) / (until_s - from_s)

    ticks = axis.time_ticks(until_s, from_s=from_s)
    laps = [share(lap) for lap in data.get("laps") or [] if from_s < lap < until_s]

    def shares(spans: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
        inside = [(share(max(begin, from_s)), share(min(end, until_s))) for begin, end in spans]
        return [(begin, end) for begin, end in inside if begin < end]

    pauses = shares((at, at + long) for at, long in data.get("pauses") or [])
    efforts = shares(data.get("efforts") or [])
    common = {
        "ahead": "".join(f"M{_wide(begin)} 0H{_wide(end)}V{STRIP}H{_wide(begin)}Z" for begin, end in pauses),
        "grid": "".join(f"M{float(tick.at[:-1]) * 10:g} 0V{STRIP}" for tick in ticks),
        "effort": "".join(f"M{_wide(begin)} 1.5H{_wide(end)}" for begin, end in efforts),
        "lap": "".join(f"M{_wide(lap)} {STRIP}v-7" for lap in laps),
    }
    return StreamChart(
        strips=tuple(_strip(one, [share(moment) for moment in times], common) for one in series),
        times=",".join(f"{moment:.0f}" for moment in times),
        last=len(times) - 1,
        from_s=from_s,
        until_s=until_s,
        axis=_axis(ticks),
        has_laps=bool(laps),
        has_efforts=bool(efforts),
        has_pauses=bool(pauses),
    )


def closer(data: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the chart of a part as what the page's script lays over the one of the whole."""
    drawn = chart(data)
    if drawn is None:
        return None
    return {
        "from": drawn.from_s,
        "to": drawn.until_s,
        "times": drawn.times,
        "drawings": [*(one.drawing for one in drawn.strips), drawn.axis],
        "values": [one.values for one in drawn.strips],
        "summaries": [one.summary for one in drawn.strips],
    }


def _axis(ticks: Sequence[axis.Tick]) -> SafeString:
    """Name the ticks; one at the very left begins there, so that it is not cut off."""
    named = [("at-start" if float(tick.at[:-1]) < EDGE else "at-middle", tick) for tick in ticks]
    return format_html_join(
        "", '<text class="{}" x="{}" y="16">{}</text>', ((name, tick.at, tick.text) for name, tick in named)
    )


def _wide(share: float) -> str:
    return axis.pixels(share * line.WIDE)


def _strip(one: Mapping[str, Any], shares: Sequence[float], common: Mapping[str, str]) -> Strip:
    values: Sequence[float | None] = one["values"]
    is_pace = bool(one.get("invert"))
    # The heights are those of the whole session, so that nothing jumps when a part of it is looked at.
    known = axis.measured(_heights(one.get("extent") or values, is_pace=is_pace))
    low, high = min(known), max(known)
    room = (high - low) * 0.06 or abs(high) * 0.06 or 1.0
    span = axis.Span(low=low - room, high=high + room, top=6, bottom=STRIP - 2)
    placed = line.points(shares, _heights(values, is_pace=is_pace), span)
    filled = str(one["key"]).startswith(FILLED)
    ways = {
        "ahead": common["ahead"],
        "grid": common["grid"],
        "ground": line.area(placed, floor=STRIP - 1) if filled else "",
        "series": line.line(placed),
        "effort": common["effort"],
        "lap": common["lap"],
        "peak": _peak(placed),
    }
    return Strip(
        key=str(one["key"]),
        label=str(one["label"]),
        unit=str(one.get("unit") or ""),
        summary=_summary(one),
        drawing=format_html_join("", '<path class="{}" d="{}"/>', ((name, way) for name, way in ways.items() if way)),
        values=",".join("" if value is None else _read(value, key=str(one["key"])) for value in values),
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


def _read(value: float, *, key: str) -> str:
    """Write a value as the cursor reads it out and the table has it, and no longer: there are thousands on a page."""
    if key == "pace":
        return f"{round(value) // 60}:{round(value) % 60:02d}"
    return f"{value:.1f}" if key == "speed" else f"{value:.0f}"


def _said(display: object) -> str:
    return "" if display in (None, "", "–") else str(display)


def _peak(placed: Sequence[line.Point | None]) -> str:
    """Mark the highest point inside with a line of no length, which a round cap makes a dot."""
    inside = [point for point in placed if point and 0 <= point[0] <= 1]
    highest = min(inside, key=lambda point: point[1], default=None)
    return f"M{_wide(highest[0])} {axis.pixels(highest[1])}h0" if highest else ""
