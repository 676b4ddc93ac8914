"""Makes a recording of an activity of laps and points, which do not always agree."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from coach.formats import ground, moments, notes, pauses, sports, tracks
from coach.formats.recording import Array, Lap, Pause, Recording, Unreadable
from coach.formats.samples import Samples

SLACK_S = 60  # how much the laps' time may go beyond the points
SLACK_SHARE = 0.1
HELD_S = 10
NO_DATE = "The activity says nowhere when it began. Export it again and upload the new file."


@dataclass(slots=True, kw_only=True)
class Totals:
    """What the file says of one lap."""

    started_at: datetime | None
    timer_s: float = 0.0
    distance_m: float = 0.0
    energy_kcal: float = 0.0
    heart_rate_avg_bpm: float = 0.0
    heart_rate_max_bpm: float = 0.0
    power_avg_w: float = 0.0
    power_max_w: float = 0.0
    speed_max_mps: float = 0.0
    trigger: str = ""


@dataclass(slots=True, kw_only=True)
class Activity:
    """Everything read of one activity; samples count seconds from `base`, each belongs to a segment."""

    sport_word: str
    named_at: datetime | None = None
    device: str = ""
    laps: list[Totals] = field(default_factory=list)
    base: datetime | None = None
    samples: Samples = field(default_factory=Samples)
    segments: list[int] = field(default_factory=list)
    undated: int = 0
    broken: bool = False

    @property
    def says_something(self) -> bool:
        return len(self.samples) > 1 or self.claimed_s > 0

    @property
    def is_dated(self) -> bool:
        return bool(self.base or self.named_at or any(lap.started_at for lap in self.laps))

    @property
    def claimed_s(self) -> float:
        return sum(lap.timer_s for lap in self.laps)

    @property
    def started_at(self) -> datetime:
        """Where the first point and the first lap disagree by less than a day, the earlier."""
        starts = [lap.started_at for lap in self.laps if lap.started_at is not None]
        if self.base is None:
            found = min(starts, default=self.named_at)
            if found is None:
                raise Unreadable(NO_DATE)
            return found
        first = self.base + timedelta(seconds=float(self.samples.at_s().min()))
        return min([first, *(start for start in starts if abs(start - first) < timedelta(days=1))])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Told:
    """Timer, distance and pauses as told by the laps or by the points."""

    elapsed_s: float
    timer_s: float
    distance_m: float | None
    stood: tuple[Pause, ...]
    by_points: bool = False


def recording(activity: Activity) -> Recording:
    started_at = activity.started_at
    streams, breaks, jumped_s = _streams(activity, started_at=started_at)
    told = _told(activity, streams=streams, breaks=breaks)
    sport, sub_sport = sports.named(activity.sport_word)
    # Laps of a longer recording than the points are of have the averages of that recording.
    totals = [] if told.by_points else activity.laps
    energy_kcal = sum(lap.energy_kcal for lap in totals)
    longest_s = max((pause.duration_s for pause in told.stood), default=0.0)
    said = {
        notes.broken(len(activity.samples)): activity.broken,
        notes.POINTS_DECIDED: told.by_points and activity.claimed_s > told.elapsed_s,
        notes.undated(activity.undated): activity.undated > 0,
        notes.clock_set(jumped_s): jumped_s != 0,
        notes.long_pause(longest_s): longest_s >= notes.LONG_PAUSE_S,
    }
    return Recording(
        format="tcx",
        sport=sport,
        sub_sport=sub_sport,
        device=activity.device,
        started_at=moments.checked(started_at),
        elapsed_s=told.elapsed_s,
        timer_s=told.timer_s,
        distance_m=told.distance_m,
        energy_kcal=energy_kcal or None,
        indoor=sport == "cycling" and bool(streams) and "latitude_deg" not in streams,
        virtual=sports.VIRTUAL_MAKERS.search(activity.device) is not None,
        streams=streams,
        laps=_laps(activity, started_at=started_at, elapsed_s=told.elapsed_s),
        pauses=told.stood,
        device_summary=_summary(totals),
        notes=tuple(sentence for sentence, holds in said.items() if holds),
    )


def _streams(activity: Activity, *, started_at: datetime) -> tuple[dict[str, Array], NDArray[np.bool_], float]:
    if activity.base is None:
        return {}, np.zeros(0, dtype=bool), 0.0
    start_s = (started_at - activity.base) / timedelta(seconds=1)
    segments = np.array(activity.segments, dtype=np.intp)
    streams, breaks, jumped_s = tracks.follow(
        activity.samples.at_s(), activity.samples.columns(), segments, start_s=start_s, excused=False
    )
    if "distance_m" not in streams and "latitude_deg" in streams:
        # A new segment begins at every lap, so only one after a gap means that the timer was off.
        resumed = breaks & (np.diff(streams["time_s"], prepend=0.0) >= pauses.BREAK_S)
        latitude, longitude = streams["latitude_deg"], streams["longitude_deg"]
        streams["distance_m"] = ground.distance_m(latitude, longitude, breaks=resumed)
    return streams, breaks, jumped_s


def _told(activity: Activity, *, streams: dict[str, Array], breaks: NDArray[np.bool_]) -> _Told:
    """Believe the laps, unless they claim more than the points cover or next to nothing."""
    time_s, claimed_s = streams.get("time_s", np.zeros(0)), activity.claimed_s
    span_s = float(time_s[-1]) if len(time_s) else 0.0
    reached_m = float(np.nanmax(streams["distance_m"])) if "distance_m" in streams else None
    held_s = float(np.minimum(np.diff(time_s), HELD_S).sum())
    too_much = len(time_s) > 1 and claimed_s > span_s + max(SLACK_S, SLACK_SHARE * claimed_s)
    if too_much or claimed_s < held_s / 2:
        stood = pauses.from_breaks(time_s, breaks=breaks)
        timer_s = span_s - sum(pause.duration_s for pause in stood)
        return _Told(elapsed_s=span_s, timer_s=timer_s, distance_m=reached_m, stood=stood, by_points=True)
    elapsed_s = max(span_s, claimed_s)
    claimed_m = sum(lap.distance_m for lap in activity.laps)
    stood = pauses.from_gaps(time_s, missing_s=elapsed_s - claimed_s)
    return _Told(elapsed_s=elapsed_s, timer_s=claimed_s, distance_m=claimed_m or reached_m, stood=stood)


def _laps(activity: Activity, *, started_at: datetime, elapsed_s: float) -> tuple[Lap, ...]:
    """Return the laps in order, each at most as long as the way to the next."""
    dated = sorted(
        (((lap.started_at - started_at) / timedelta(seconds=1), lap) for lap in activity.laps if lap.started_at),
        key=lambda pair: pair[0],
    )
    dated = [(start_s, lap) for start_s, lap in dated if 0 <= start_s < elapsed_s]
    starts = [start_s for start_s, _ in dated]
    found = []
    for (start_s, lap), end_s in zip(dated, [*starts[1:], elapsed_s], strict=False):
        lasted_s = max(end_s - start_s, 0.0)
        timer_s = min(lap.timer_s, lasted_s)
        length_m = lap.distance_m or None
        found.append(
            Lap(start_s=start_s, elapsed_s=lasted_s, timer_s=timer_s, distance_m=length_m, trigger=lap.trigger)
        )
    return tuple(found)


def _summary(totals: Sequence[Totals]) -> dict[str, float]:
    """Return the laps' averages, weighed by their time, and the highest of their maxima; zero is none."""
    found: dict[str, float] = {}
    for name, field_name in (("avg_heart_rate_bpm", "heart_rate_avg_bpm"), ("avg_power_w", "power_avg_w")):
        known = [(getattr(lap, field_name), lap.timer_s) for lap in totals]
        known = [(value, timer_s) for value, timer_s in known if value > 0 and timer_s > 0]
        if known:
            found[name] = round(sum(value * timer_s for value, timer_s in known) / sum(s for _, s in known), 1)
    for name, field_name in (
        ("max_heart_rate_bpm", "heart_rate_max_bpm"),
        ("max_power_w", "power_max_w"),
        ("max_speed_mps", "speed_max_mps"),
    ):
        highest = max((getattr(lap, field_name) for lap in totals), default=0.0)
        if highest:
            found[name] = highest
    return found
