"""The samples behind a session, unpacked once for its chart and its intervals."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from coach.formats.recording import Array, Pause
from coach.metrics import effort, intervals
from coach.metrics.clean import plausible
from coach.metrics.grid import Grid, hold_for, resample
from coach.metrics.motion import with_distance
from coach.metrics.sports import sport
from coach.models import Activity, Streams
from coach.streams import unpack


@dataclass(frozen=True, slots=True, kw_only=True)
class Samples:
    streams: Mapping[str, Array]  # as measured, the implausible left out
    grid: Grid
    main: tuple[str, Array] | None  # how hard each second was: ("power_w", W) or ("speed_mps", m/s)
    intervals: intervals.Intervals | None


def samples_of(activity: Activity) -> Samples | None:
    """Unpack the streams of an activity in one query; None where it has none."""
    row = Streams.objects.filter(provenance__activity=activity).order_by("provenance__precedence").first()
    if row is None or not row.samples:
        return None
    kept, _ = plausible(unpack(bytes(row.packed)))
    streams = with_distance(kept)
    time = streams.get("time_s", np.empty(0))
    pauses = [Pause(start_s=pause["start_s"], duration_s=pause["duration_s"]) for pause in activity.pauses]
    grid = resample(streams, pauses=pauses, hold_s=hold_for(time))
    kind = sport(activity.sport)
    graded = kind.family == "running" and not activity.indoor and not activity.virtual
    main = effort.main_stream(grid, sport=kind, graded=graded)
    found = intervals.find(main[1]) if main else None
    return Samples(streams=streams, grid=grid, main=main, intervals=found)
