"""What an activity is made of, and what each recording gave to it, for the athlete to read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from coach import places
from coach.models import Activity, Doubt, Provenance
from coach.models.doubt import DoubtQuerySet

NEAR = timedelta(days=2)  # how far apart two activities may begin that somebody joins: clocks are set wrong
WORDS = {
    "latitude_deg": "position",
    "longitude_deg": "position",
    "heart_rate_bpm": "heart rate",
    "utc_offset": "time zone",
    "sub_sport": "kind of sport",
    "series": "heart beats",
}
UNITS = ("_bpm", "_rpm", "_mps", "_deg", "_min", "_pct", "_per_min", "_m", "_w", "_c", "_s", "_mm", "_ms")
SILENT = frozenset({"descent", "events"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    row: Provenance
    gave: str  # a sentence; empty where the activity has no other


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    doubt: Doubt
    row: Provenance
    candidate: Activity | None
    said: Mapping[str, Any]  # sport, elapsed_s, heart_rate_bpm, claimed start


def of(activity: Activity | int) -> list[Origin]:
    """Return the recordings of an activity, by itself or by its number, the leading one first; one query."""
    found = Provenance.objects.filter(activity=activity)
    rows = list(found.select_related("activity__annotation", "file__run__source").defer("header").leading_first())
    return [Origin(row=row, gave=sentence(row.gave) if len(rows) > 1 else "") for row in rows]


def sentence(names: Sequence[str]) -> str:
    """Return what a recording gave in words: It gives time, position and heart rate."""
    words = list(dict.fromkeys(word(name) for name in names if name not in SILENT))
    if not words:
        return "Everything it says is in the others too."
    return f"It gives {', '.join(words[:-1])} and {words[-1]}." if len(words) > 1 else f"It gives {words[0]}."


def word(name: str) -> str:
    if name in WORDS:
        return WORDS[name]
    return next((name.removesuffix(unit) for unit in UNITS if name.endswith(unit)), name).replace("_", " ")


def near(activity: Activity) -> list[Activity]:
    """Return the activities that it may be joined with, the closest in time first."""
    days = (activity.started_at - NEAR, activity.started_at + NEAR)
    rows = Activity.objects.filter(athlete=activity.athlete_id, started_at__range=days).exclude(pk=activity.pk)
    return sorted(rows, key=lambda row: abs(row.started_at - activity.started_at))


def questions(doubts: DoubtQuerySet) -> list[Question]:
    """Return the open doubts with what each is about."""
    rows = doubts.select_related("provenance__file__run__source", "candidate__source").order_by("-pk")
    return [
        Question(
            doubt=doubt,
            row=doubt.provenance,
            candidate=doubt.candidate,
            said={
                "sport": doubt.provenance.header.get("sport", ""),
                "elapsed_s": doubt.provenance.header.get("elapsed_s"),
                "heart_rate_bpm": (doubt.provenance.header.get("seen") or {}).get("heart_rate_bpm"),
                "began": _began(doubt),
            },
        )
        for doubt in rows
    ]


def _began(doubt: Doubt) -> datetime | None:
    """Return when it began on the clock of the session it resembles."""
    zone = doubt.candidate.time_zone if doubt.candidate else "UTC"
    at = doubt.provenance.started_at
    return places.local(at, zone).replace(tzinfo=None) if at else None
