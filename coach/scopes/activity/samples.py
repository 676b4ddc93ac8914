"""What is kept of the samples of a session: its kind, its repeated efforts and its sketch."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from coach import stored
from coach.formats.composing import compose
from coach.formats.recording import Array, Pause
from coach.metrics.clean import plausible
from coach.metrics.kind import kind_of
from coach.metrics.motion import with_distance
from coach.metrics.sketch import Sketch, closer, sketch
from coach.metrics.sports import sport
from coach.models import Activity, Provenance
from coach.streams import unpack


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    kind: str  # of coach.metrics.kind
    intervals: Mapping[str, Any]
    drawn: Mapping[str, Any]


def seen_of(activity: Activity) -> Seen:
    """Return what was stored when the session was measured; `activity` comes with its sketch.

    Of one that an older version measured, which stored less, it is made from the samples until that is made up for.
    """
    if activity.session_type:
        kept = getattr(activity, "sketch", None)
        return Seen(kind=activity.session_type, intervals=activity.intervals, drawn=kept.drawn if kept else {})
    found = _anew(activity)
    kind = kind_of(
        family=sport(activity.sport).family,
        timer_s=activity.timer_s,
        load=activity.load,
        load_from=activity.load_from,
        has_intervals=bool(found.intervals),
    )
    return Seen(kind=kind, intervals=found.intervals, drawn=found.drawn)


def part_of(activity: Activity, *, part: tuple[float, float]) -> Mapping[str, Any]:
    """Unpack the samples of a session for a closer look at a part of it; empty where there are none."""
    return closer(_plausible(activity), pauses=_pauses(activity), sport=sport(activity.sport), part=part)


def _anew(activity: Activity) -> Sketch:
    streams = _plausible(activity)
    if not streams:
        return Sketch()
    indoors = activity.indoor or activity.virtual
    return sketch(streams, pauses=_pauses(activity), sport=sport(activity.sport), indoors=indoors)


def _pauses(activity: Activity) -> list[Pause]:
    return [Pause(start_s=pause["start_s"], duration_s=pause["duration_s"]) for pause in activity.pauses]


def _plausible(activity: Activity) -> Mapping[str, Array]:
    measured = _streams_of(activity)
    return with_distance(plausible(measured)[0]) if measured else {}


def _streams_of(activity: Activity) -> Mapping[str, Array]:
    """Return the streams as measured, of the leading recording and what it lacks from the others."""
    rows = Provenance.objects.filter(activity=activity, streams__isnull=False).select_related("streams")
    origins = [row for row in rows.leading_first() if stored.has_samples(row)]
    if len(origins) < 2 or not all(row.header for row in origins):
        return unpack(bytes(origins[0].streams.packed)) if origins else {}
    return compose([stored.dated(stored.as_stored(row), row) for row in origins]).streams
