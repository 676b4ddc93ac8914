"""The charts of a session as plain data: streams, track and zones."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from coach import display
from coach.display import Style
from coach.metrics import zones
from coach.models import Activity
from coach.scopes.activity.chinese import SAID
from coach.scopes.activity.series import Series
from coach.scopes.terms import worded

FRIEL = ("1", "2", "3", "4", "5a", "5b", "5c")
COGGAN = ("1", "2", "3", "4", "5", "6", "7")
KARVONEN = ("below 1", "1", "2", "3", "4", "5")
PACE = "/km"  # bounds are speeds; they are read as paces


def streams(
    activity: Activity, drawn: Mapping[str, Any], series: Sequence[Series], *, intervals: Mapping[str, Any]
) -> dict[str, Any] | None:
    """Return the series on the elapsed time of the session, at most 220 points; None without any.

    `drawn` is of a sketch, or of a closer look at a part of it; `intervals` are the efforts that were found.
    """
    if not series:
        return None
    return {
        "time_s": drawn["time_s"],
        "part": drawn.get("part"),
        "series": [plain(one) for one in series],
        "laps": [lap["start_s"] for lap in activity.laps if lap["start_s"] > 0],
        "efforts": intervals.get("spans_s", []),
        "pauses": [[pause["start_s"], pause["duration_s"]] for pause in activity.pauses],
    }


def plain(series: Series) -> dict[str, Any]:
    return {
        "key": series.key,
        "label": series.label,
        "unit": series.unit,
        "values": series.values,
        "extent": series.extent,
        "display_max": series.most,
        "display_avg": series.average,
        "invert": series.invert,
    }


def track(drawn: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return at most 220 points [latitude, longitude, elapsed s]; None indoors and in made-up worlds."""
    return {"points": drawn["way"]} if "way" in drawn else None


def zone_rows(activity: Activity, *, style: Style) -> dict[str, list[dict[str, Any]]]:
    """Return the time in each zone, labelled with the bounds that held on that day."""
    found = activity.zone_seconds
    rows = {
        "heart_rate": rows_of(found.get("heart_rate"), found.get("heart_rate_bounds_bpm"), unit="bpm", style=style),
        "power": rows_of(found.get("power"), found.get("power_bounds_w"), unit="W", style=style),
        "pace": rows_of(found.get("pace"), found.get("pace_bounds_mps"), unit=PACE, style=style),
    }
    return {name: own for name, own in rows.items() if own}


def rows_of(
    seconds: list[float] | None, bounds: list[float] | None, *, unit: str, style: Style
) -> list[dict[str, Any]]:
    if not seconds or not sum(seconds):
        return []
    names = COGGAN if unit == "W" else KARVONEN if len(seconds) == zones.KARVONEN_ENTRIES else FRIEL
    ranges = ranges_of(bounds or [], unit=unit, style=style)
    return [
        {
            "label": zone(name, ranges[place] if place < len(ranges) else "", style=style),
            "seconds": own,
            "display": display.duration(own),
            "share": own / sum(seconds),
        }
        for place, (name, own) in enumerate(zip(names, seconds, strict=False))
    ]


def zone(name: str, between: str, *, style: Style) -> str:
    """Return "Zone 2, 138–187 W", or 2 区，138–187 瓦."""
    wanted = "Zone {name}, {range}" if between else "Zone {name}"
    if style.chinese and name in SAID:  # below the first it is no zone of a number
        return f"{SAID[name]}，{between}" if between else SAID[name]
    return worded(wanted, SAID, style=style).format(name=name, range=between)


def ranges_of(bounds: list[float], *, unit: str, style: Style) -> list[str]:
    """Return "under 138 W", "138–187 W" … "from 375 W"."""
    if not bounds:
        return []
    if unit == PACE:
        return paces_of(bounds, style=style)
    texts = [display.number(bound) for bound in bounds]
    under, above = (worded(text, SAID, style=style) for text in ("under {bound}", "from {bound}"))
    between = [display.with_unit_words(f"{low}–{high} {unit}", style=style) for low, high in pairwise(texts)]
    first, last = (display.with_unit_words(f"{text} {unit}", style=style) for text in (texts[0], texts[-1]))
    return [under.format(bound=first), *between, above.format(bound=last)]


def paces_of(bounds: list[float], *, style: Style) -> list[str]:
    """Return "slower than 5:48 /km", "5:48–5:08 /km" … "faster than 4:03 /km"."""
    texts = [display.show("pace", bound, style=style) for bound in bounds]
    slower, faster = (worded(text, SAID, style=style) for text in ("slower than {bound}", "faster than {bound}"))
    between = [f"{low.split('/')[0].strip()}–{high}" for low, high in pairwise(texts)]
    return [slower.format(bound=texts[0]), *between, faster.format(bound=texts[-1])]
