"""Facts of a load screen, as long as real ones are."""

from coach.scopes.facts import Fact, Facts
from coach.scopes.load.terms import TERMS

VALUES: dict[str, tuple[float | str | None, str]] = {
    "ctl": (50.2, "50"),
    "atl": (63.1, "63"),
    "tsb": (-12.9, "−13"),
    "phase": ("building", "building"),
    "ramp": (4.9, "+4.9"),
    "tsb_tomorrow": (-14.2, "−14"),
    "tsb_projected": (11.4, "+11"),
    "projected_on": ("2026-12-07", "7 December 2026"),
    "load_week": (412.0, "412"),
    "load_ratio": (1.31, "1.31"),
    "monotony": (1.4, "1.40"),
    "strain": (577.0, "577"),
    "share_power": (61.0, "61 %"),
    "share_pace": (20.0, "20 %"),
    "share_heart_rate": (12.0, "12 %"),
    "share_estimate": (7.0, "7 %"),
    "today": ("2026-11-30", "30 November 2026"),
}

HISTORIES: dict[str, tuple[float, ...]] = {
    "ctl": (41.0, 42.0, 44.0, 45.0, 45.3, 46.0, 47.1, 49.0, 50.2),
    "atl": (40.0, 45.0, 52.0, 58.0, 60.0, 61.0, 62.0, 62.5, 63.1),
}


def load_facts(*, missing: tuple[str, ...] = ("hrv_7d",), more: tuple[Fact, ...] = ()) -> Facts:
    known = [
        Fact(
            key=term.key,
            label=term.label,
            value=VALUES[term.key][0],
            unit=term.unit,
            display=VALUES[term.key][1],
            meaning=term.meaning,
            convention=term.convention,
            source=term.source,
            good="up" if term.key == "ctl" else term.good,
            history=HISTORIES.get(term.key, ()),
        )
        for term in TERMS
        if term.key in VALUES
    ]
    return Facts(scope="load", subject="current", title="Load", facts=(*known, *session(), *more), missing=missing)


def session() -> tuple[Fact, ...]:
    """Facts with units, from an activity, for what load does not have."""
    return (
        fact("distance", 62_340.0, "m", "62.3 km", "Distance"),
        fact("timer", 7_452.0, "s", "2:04:12", "Time"),
        fact("power_np", 231.4, "W", "231 W", "Normalized power"),
        fact("pace", 0.282, "s/m", "4:42 /km", "Pace"),
        fact("pace_delta", -0.006, "s/m", "−0:06 /km", "Pace against your usual", good="down"),
        fact("effort_best_20min", 271.0, "W", "271 W", "Best of twenty minutes"),
        fact("rank_similar", 3.0, "", "3", "Rank among similar sessions"),
        fact("cadence", None, "rpm", "–", "Cadence"),
    )


def fact(key: str, value: float | str | None, unit: str, display: str, label: str, *, good: str = "") -> Fact:
    return Fact(key=key, label=label, value=value, unit=unit, display=display, meaning=f"{label}.", good=good)
