"""Finds earlier sessions that a session can fairly be compared with."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta

from coach.models import Activity

LOOK_BACK = timedelta(days=365)
MOST = 200
LENGTH_TOLERANCE = 0.25
LOAD_TOLERANCE = 0.25
VARIABILITY_TOLERANCE = 0.06
FEWEST_FOR_RANK = 3
COLUMNS = (
    "pk",
    "started_at",
    "local_date",
    "timer_s",
    "distance_m",
    "load",
    "load_from",
    "efficiency_factor",
    "normalized_power_w",
    "graded_speed_mps",
    "variability_index",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """What two sessions are compared by; more is better in all of them."""

    word: str
    kind: str
    value: Callable[[Activity], float | None]


def speed(activity: Activity) -> float | None:
    return activity.distance_m / activity.timer_s if activity.distance_m and activity.timer_s else None


# Effort a heartbeat says most: at a like load, the same heart did more.
MEASURES = (
    Measure(word="effort per heartbeat", kind="ratio", value=lambda activity: activity.efficiency_factor),
    Measure(word="normalized power", kind="power", value=lambda activity: activity.normalized_power_w),
    Measure(word="graded pace", kind="pace", value=lambda activity: activity.graded_speed_mps),
    Measure(word="speed", kind="speed", value=speed),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """This session beside the newest like it; `rank` counts this one among `count` like it, 1 is best."""

    peer_day: date
    measure: Measure
    value: float
    peer_value: float
    count: int
    rank: int | None

    @property
    def change_pct(self) -> float:
        return (self.value - self.peer_value) / self.peer_value * 100


def compare(activity: Activity) -> Comparison | None:
    """Compare with sessions of the year before: same sport and place, like length and load. One query."""
    peers = [peer for peer in earlier(activity) if is_alike(activity, peer)]
    for measure in MEASURES:
        own = measure.value(activity)
        known = [(peer, value) for peer in peers if (value := measure.value(peer))]
        if own and known:
            values = [value for _, value in known]
            peer, newest = known[0]
            return Comparison(
                peer_day=peer.local_date,
                measure=measure,
                value=own,
                peer_value=newest,
                count=len(values),
                rank=1 + sum(value > own for value in values) if len(values) >= FEWEST_FOR_RANK else None,
            )
    return None


def earlier(activity: Activity) -> list[Activity]:
    length = activity.timer_s
    rows = Activity.objects.filter(
        athlete_id=activity.athlete_id,
        sport=activity.sport,
        indoor=activity.indoor,
        virtual=activity.virtual,
        started_at__lt=activity.started_at,
        started_at__gte=activity.started_at - LOOK_BACK,
        timer_s__range=(length * (1 - LENGTH_TOLERANCE), length * (1 + LENGTH_TOLERANCE)),
    )
    return list(rows.counted().only(*COLUMNS).newest_first()[:MOST])


def is_alike(activity: Activity, peer: Activity) -> bool:
    """Require the same way to load, a similar load an hour and a similar evenness.

    An easy run is no peer of a race, and intervals are none of a steady ride.
    """
    if activity.load_from != peer.load_from or not activity.load or not peer.timer_s:
        return False
    own, other = activity.load / activity.timer_s, peer.load / peer.timer_s
    uneven = abs((activity.variability_index or 1.0) - (peer.variability_index or 1.0))
    return abs(other - own) <= LOAD_TOLERANCE * own and uneven <= VARIABILITY_TOLERANCE
