"""What trends are read from: the sessions of a range, by whom they were recorded, and what follows from all before."""

from collections import Counter
from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Max

from coach.metrics.sports import sport
from coach.models import Activity, Athlete, Best, Provenance
from coach.scopes.calendar import EARLIEST
from coach.scopes.load.days import Days, days_of

MOST_FAMILIES = 2
COLUMNS = (
    "pk",
    "local_date",
    "sport",
    "indoor",
    "virtual",
    "timer_s",
    "efficiency_factor",
    "graded_speed_mps",
    "heart_rate_avg_bpm",
    "variability_index",
    "is_race",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """The sessions from `first` to `last`, the last day with data; `days` is the load of all days up to today."""

    first: date
    last: date
    sessions: tuple[Activity, ...]
    devices: dict[int, str]
    bests: tuple[Best, ...]  # runners' times over distances, sound ones
    days: Days

    def of(self, family: str) -> list[Activity]:
        return [session for session in self.sessions if sport(session.sport).family == family]

    def families(self) -> list[str]:
        """Return the kinds of sport with most time, most first."""
        seconds: Counter[str] = Counter()
        for session in self.sessions:
            seconds[sport(session.sport).family] += int(session.timer_s)
        return [family for family, _ in seconds.most_common(MOST_FAMILIES)]

    @property
    def began(self) -> date:
        """The first day of the athlete's history that lies in the range."""
        return max(self.first, self.days.first)


def read(athlete: Athlete, *, days: int) -> Range | None:
    """Read so many days up to the last one with a session, in five queries; None where there is none."""
    known = Activity.objects.filter(athlete=athlete).counted()
    last = known.between(EARLIEST, athlete.today()).aggregate(last=Max("local_date"))["last"]
    load = days_of(athlete) if last else None
    if last is None or load is None:
        return None
    first = last - timedelta(days=days - 1)
    times = Best.objects.filter(athlete=athlete, family="running", measure=Best.Measure.TIME).sound().counted()
    leading = Provenance.objects.filter(athlete=athlete, activity__local_date__range=(first, last))
    leading = leading.order_by("activity", "precedence", "sha256", "session").distinct("activity")
    return Range(
        first=first,
        last=last,
        sessions=tuple(known.between(first, last).order_by("started_at", "pk").only(*COLUMNS)),
        devices={row: device for row, device in leading.values_list("activity", "device") if row},
        bests=tuple(times.between(first, last)),
        days=load,
    )
