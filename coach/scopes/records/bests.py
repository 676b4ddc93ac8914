"""The bests of one kind of sport: of all time, of ninety days, what each took the place of, and what does not count."""

from collections import Counter
from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Case, Count, F, FloatField, Max, Q, When

from coach.metrics.peaks import DISTANCES_M, POWER_S, POWERED
from coach.metrics.sports import sport
from coach.models import Activity, Athlete, Best
from coach.models.best import BestQuerySet
from coach.scopes.records.firsts import Key, Part, firsts

LATELY = timedelta(days=89)  # ninety days, the last one included
POWER, TIME = Best.Measure.POWER, Best.Measure.TIME


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """`before` is the best of the days before the record; `doubted` is better than it and does not count."""

    measure: str
    span: int
    best: Best | None
    lately: Best | None
    before: Best | None
    doubted: Best | None

    @property
    def gain(self) -> float | None:
        """Return by how many whole W or s, as both are shown, the record beat the one before."""
        if self.best is None or self.before is None:
            return None
        return float(abs(round(self.best.value) - round(self.before.value)))

    def is_new(self, today: date, *, days: int) -> bool:
        """Say whether it visibly took another's place within so many days; the first of its kind is no new one."""
        return bool(self.best and self.gain and (today - self.best.local_date).days < days)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bests:
    family: str
    until: date  # the last day with a best: ninety days end there
    records: tuple[Record, ...]

    def of(self, measure: str) -> list[Record]:
        return [record for record in self.records if record.measure == measure]


def bests_of(athlete: Athlete, family: str) -> Bests | None:
    """Read the bests of a kind of sport, in four queries however long the history; None where there is none."""
    known = Best.objects.filter(athlete=athlete, family=family, local_date__lte=athlete.today()).counted()
    rows = known.filter(measure__in=(POWER, TIME))
    until = rows.aggregate(last=Max("local_date"))["last"]
    if until is None:
        return None
    sound, odd = known.sound(), known.exclude(doubt="")
    (tops,) = firsts([Part(rows=sound, key=key) for key in keys(family)])
    lately = _lately(rows.sound().between(until - LATELY, until))
    before, doubted = firsts(
        [Part(rows=sound, key=key, until=top.local_date) for key, top in tops.items()],
        [Part(rows=odd, key=key, better_than=tops[key].value if key in tops else None) for key in keys(family)],
    )
    records = [
        Record(
            measure=key[0],
            span=key[1],
            best=tops.get(key),
            lately=lately.get(key),
            before=before.get(key),
            doubted=doubted.get(key),
        )
        for key in keys(family)
        if key in tops or key in doubted
    ]
    return Bests(family=family, until=until, records=tuple(records))


def main_family(athlete: Athlete) -> str:
    """Return the kind of sport that most sessions of the last year are of; running where there are none."""
    since = athlete.today() - timedelta(days=365)
    rows = Activity.objects.filter(athlete=athlete, local_date__gt=since).counted()
    counts: Counter[str] = Counter()
    for name, count in rows.order_by().values_list("sport").annotate(count=Count("pk")):
        counts[sport(name).family] += count
    return max(DISTANCES_M, key=lambda family: counts[family])


def keys(family: str) -> list[Key]:
    powers = [(str(POWER), span) for span in POWER_S] if family in POWERED else []
    return [*powers, *((str(TIME), span) for span in DISTANCES_M.get(family, ()))]


def _lately(rows: BestQuerySet) -> dict[Key, Best]:
    """Return the best of each key among few rows; one query that reads them all."""
    rank = Case(When(Q(measure=POWER), then=-F("value")), default=F("value"), output_field=FloatField())
    ordered = rows.order_by("measure", "span", rank, "local_date", "pk").distinct("measure", "span")
    return {(row.measure, row.span): row for row in ordered}
