"""What trends are read from: the sessions of a range, by whom they were recorded, and what follows from all before."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple

from coach.metrics.sports import sport
from coach.models import Activity, Athlete, Best, Provenance
from coach.scopes.load.days import Days, days_of

MOST_FAMILIES = 2
SHORTEST_RESULT_M = 3000


class Session(NamedTuple):
    """A row of a year of them: model instances would take half the time of the page."""

    pk: int
    local_date: date
    sport: str
    indoor: bool
    virtual: bool
    timer_s: float
    efficiency_factor: float | None
    graded_speed_mps: float | None
    heart_rate_avg_bpm: float | None
    variability_index: float | None
    is_race: bool


class Result(NamedTuple):
    """The shortest time over so many metres of one run, in seconds."""

    local_date: date
    span: int
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """The sessions from `first` to `last`, the last day with data; `days` is the load of all days up to today."""

    first: date
    last: date
    devices: dict[int, str]
    results: tuple[Result, ...]  # sound ones, long enough to tell something
    days: Days

    by_family: Mapping[str, list[Session]]

    def of(self, family: str) -> list[Session]:
        return self.by_family.get(family, [])

    def families(self) -> list[str]:
        """Return the kinds of sport with most time, most first."""
        seconds = {family: sum(int(one.timer_s) for one in sessions) for family, sessions in self.by_family.items()}
        return [family for family, _ in Counter(seconds).most_common(MOST_FAMILIES)]

    @property
    def began(self) -> date:
        """The first day of the athlete's history that lies in the range."""
        return max(self.first, self.days.first)


def read(athlete: Athlete, *, days: int) -> Range | None:
    """Read so many days up to the last one with a session, in four queries; None where there is none."""
    load = days_of(athlete)
    if load is None:
        return None
    last = load.last_active
    first = last - timedelta(days=days - 1)
    known = Activity.objects.filter(athlete=athlete).counted()
    by_family: dict[str, list[Session]] = defaultdict(list)
    rows = known.between(first, last).order_by("started_at", "pk").values_list(*Session._fields)
    for session in map(Session._make, rows):
        by_family[sport(session.sport).family].append(session)
    times = Best.objects.filter(athlete=athlete, family="running", measure=Best.Measure.TIME).sound().counted()
    results = times.between(first, last).filter(span__gte=SHORTEST_RESULT_M).values_list(*Result._fields)
    leading = Provenance.objects.filter(athlete=athlete, activity__local_date__range=(first, last))
    leading = leading.order_by("activity", "precedence", "sha256", "session").distinct("activity")
    return Range(
        first=first,
        last=last,
        by_family=by_family,
        devices={row: device for row, device in leading.values_list("activity", "device") if row},
        results=tuple(map(Result._make, results)),
        days=load,
    )
