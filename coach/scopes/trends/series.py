"""Series of points in time, each of one sport, one place and one device, and the line through them."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from statistics import median

import numpy as np

from coach.metrics.prediction import vdot
from coach.metrics.trend import Line, line
from coach.scopes.trends.sessions import Range, Session

SHORTEST_S = 1200
UNEVEN = 1.15  # variability above which an effort per heartbeat says little
NEAR_BPM = 5.0
PERIOD_DAYS = 14
SETTLING_DAYS = 42
WEEK = timedelta(days=7)
Point = tuple[date, float]
Trait = tuple[str, str, str]  # sport, place, device


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """`values` are in SI units: W or m/min a beat, m/s, seconds a week, or points."""

    family: str
    measure: str
    points: tuple[Point, ...]
    line: Line
    made_of: Trait | None = None  # what the points have in common
    pulse_bpm: float | None = None

    @property
    def key(self) -> str:
        return f"{self.family}_{self.measure}" if self.family else self.measure

    def day(self, moment: date) -> float:
        return float((moment - self.points[0][0]).days)

    @property
    def last_day(self) -> float:
        return self.day(self.points[-1][0])


def series_of(found: Range) -> list[Series]:
    """Return every series with enough points for a line."""
    return list(filter(None, _every(found)))


def _every(found: Range) -> Iterator[Series | None]:
    yield fitted("", "fitness", fitness_points(found))
    for family in found.families():
        yield efficiency(found, family)
        if family == "running":
            yield pace(found)
            yield fitted(family, "vdot", vdot_points(found))
        yield fitted(family, "volume", volume_points(found, family))


def fitted(family: str, measure: str, points: list[Point], *, made_of: Trait | None = None) -> Series | None:
    """Fit the line; None with fewer than six points."""
    if len(points) < 2:
        return None
    days = np.array([(day - points[0][0]).days for day, _ in points], dtype=float)
    found = line(days, np.array([value for _, value in points]))
    if found is None:
        return None
    return Series(family=family, measure=measure, points=tuple(points), line=found, made_of=made_of)


def efficiency(found: Range, family: str) -> Series | None:
    sessions, made_of = alike(found, [one for one in found.of(family) if is_even(one) and one.efficiency_factor])
    points = [(one.local_date, float(one.efficiency_factor or 0)) for one in sessions]
    return fitted(family, "efficiency", points, made_of=made_of)


def pace(found: Range) -> Series | None:
    """Return the speed on the flat at the heart rate that is most usual, of runs close to it."""
    runs = [one for one in found.of("running") if is_even(one) and one.graded_speed_mps and one.heart_rate_avg_bpm]
    runs, made_of = alike(found, runs)
    if not runs:
        return None
    pulse = round(median(float(one.heart_rate_avg_bpm or 0) for one in runs))
    points = [
        (one.local_date, float(one.graded_speed_mps or 0) * pulse / float(one.heart_rate_avg_bpm or pulse))
        for one in runs
        if abs(float(one.heart_rate_avg_bpm or 0) - pulse) <= NEAR_BPM
    ]
    made = fitted("running", "pace", points, made_of=made_of)
    return made and Series(
        family=made.family,
        measure=made.measure,
        points=made.points,
        line=made.line,
        made_of=made_of,
        pulse_bpm=float(pulse),
    )


def is_even(session: Session) -> bool:
    return session.timer_s >= SHORTEST_S and not session.is_race and (session.variability_index or 1.0) <= UNEVEN


def alike(found: Range, sessions: list[Session]) -> tuple[list[Session], Trait | None]:
    """Return the largest group of one sport, place and device: meters differ by more than a trend moves."""
    groups = Counter(map(trait(found), sessions))
    if not groups:
        return [], None
    most, _ = groups.most_common(1)[0]
    return [one for one in sessions if trait(found)(one) == most], most


def trait(found: Range) -> Callable[[Session], Trait]:
    def of(session: Session) -> Trait:
        place = "in a virtual world" if session.virtual else "indoors" if session.indoor else "outdoors"
        return session.sport, place, found.devices.get(session.pk, "")

    return of


def volume_points(found: Range, family: str) -> list[Point]:
    """Return the seconds of each whole seven days, counted back from the last day."""
    points = []
    for last in reversed(list(steps(found.last, WEEK, until=found.began + WEEK - timedelta(days=1)))):
        own = [one.timer_s for one in found.of(family) if last - WEEK < one.local_date <= last]
        points.append((last, float(sum(own))))
    return points


def vdot_points(found: Range) -> list[Point]:
    """Return the best of each fourteen days: an easy run is no test."""
    points = []
    period = timedelta(days=PERIOD_DAYS)
    for last in reversed(list(steps(found.last, period, until=found.first))):
        worth = [
            (value, result.local_date)
            for result in found.results
            if last - period < result.local_date <= last
            if (value := vdot(result.span, seconds=result.value)) is not None
        ]
        if worth:
            value, day = max(worth)
            points.append((day, value))
    return points


def fitness_points(found: Range) -> list[Point]:
    """Return fitness at the end of each seven days, once it has settled."""
    settled = found.days.first + timedelta(days=SETTLING_DAYS)
    days = steps(found.last, WEEK, until=max(found.first, settled))
    return [(day, float(found.days.fitness.ctl[found.days.at(day)])) for day in reversed(list(days))]


def steps(last: date, step: timedelta, *, until: date) -> Iterable[date]:
    while last >= until:
        yield last
        last -= step
