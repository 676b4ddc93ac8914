"""The samples behind a session, unpacked once for its chart and its intervals."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from coach import stored
from coach.formats.composing import compose
from coach.formats.recording import Array, Pause
from coach.metrics import effort, intervals
from coach.metrics.clean import plausible
from coach.metrics.grid import Grid, hold_for, resample
from coach.metrics.motion import with_distance
from coach.metrics.sports import sport
from coach.models import Activity, Provenance
from coach.streams import unpack


@dataclass(frozen=True, slots=True, kw_only=True)
class Samples:
    streams: Mapping[str, Array]  # as measured, the implausible left out
    grid: Grid
    main: tuple[str, Array] | None  # how hard each second was: ("power_w", W) or ("speed_mps", m/s)
    intervals: intervals.Intervals | None


def samples_of(activity: Activity) -> Samples | None:
    """Unpack the streams of an activity in one query; None where it has none."""
    measured = streams_of(activity)
    if not measured:
        return None
    kept, _ = plausible(measured)
    streams = with_distance(kept)
    time = streams.get("time_s", np.empty(0))
    pauses = [Pause(start_s=pause["start_s"], duration_s=pause["duration_s"]) for pause in activity.pauses]
    grid = resample(streams, pauses=pauses, hold_s=hold_for(time))
    kind = sport(activity.sport)
    graded = kind.family == "running" and not activity.indoor and not activity.virtual
    main = effort.main_stream(grid, sport=kind, graded=graded)
    found = intervals.find(main[1]) if main else None
    return Samples(streams=streams, grid=grid, main=main, intervals=found)


def streams_of(activity: Activity) -> Mapping[str, Array]:
    """Return the streams as measured, of the leading recording and what it lacks from the others."""
    rows = Provenance.objects.filter(activity=activity, streams__isnull=False).select_related("streams")
    origins = [row for row in rows.leading_first() if stored.has_samples(row)]
    if len(origins) < 2 or not all(row.header for row in origins):
        return unpack(bytes(origins[0].streams.packed)) if origins else {}
    return compose([stored.dated(stored.as_stored(row), row) for row in origins]).streams
