"""The bests of one kind of sport: of all time, of ninety days, what each took the place of, and what does not count."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Case, Count, F, FloatField, Max, Q, Value, When

from coach.metrics.peaks import DISTANCES_M, POWER_S, POWERED
from coach.metrics.sports import sport
from coach.models import Activity, Athlete, Best
from coach.models.best import BestQuerySet

LATELY = timedelta(days=89)  # ninety days, the last one included
POWER, TIME = Best.Measure.POWER, Best.Measure.TIME
Key = tuple[str, int]


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
    rows = Best.objects.filter(athlete=athlete, family=family, measure__in=(POWER, TIME)).counted()
    until = rows.filter(local_date__lte=athlete.today()).aggregate(last=Max("local_date"))["last"]
    if until is None:
        return None
    rows = rows.filter(local_date__lte=athlete.today())
    tops = _first(_ranked(rows.sound(), key) for key in keys(family))
    lately = _lately(rows.sound().between(until - LATELY, until))
    before, doubted = _both(
        [_ranked(rows.sound().filter(local_date__lt=top.local_date), key) for key, top in tops.items()],
        [_ranked(_better(rows.exclude(doubt=""), key, tops.get(key)), key) for key in keys(family)],
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


def _ranked(rows: BestQuerySet, key: Key) -> BestQuerySet:
    """Return the best row of the key; of equals the one that was first."""
    measure, span = key
    order = "-value" if measure == POWER else "value"
    return rows.filter(measure=measure, span=span).order_by(order, "local_date", "pk")[:1]


def _better(rows: BestQuerySet, key: Key, top: Best | None) -> BestQuerySet:
    if top is None:
        return rows
    return rows.filter(value__gt=top.value) if key[0] == POWER else rows.filter(value__lt=top.value)


def _first(queries: Iterable[BestQuerySet]) -> dict[Key, Best]:
    """Ask all of the queries, each of one row at most, in one statement."""
    several = list(queries)
    if not several:
        return {}
    found = several[0].union(*several[1:], all=True) if len(several) > 1 else several[0]
    return {(row.measure, row.span): row for row in found}


def _both(ones: Sequence[BestQuerySet], others: Sequence[BestQuerySet]) -> tuple[dict[Key, Best], dict[Key, Best]]:
    """Ask two sets of such queries in one statement; return what each found."""
    told = [rows.annotate(part=Value(part)) for part, queries in enumerate((ones, others)) for rows in queries]
    found: tuple[dict[Key, Best], dict[Key, Best]] = ({}, {})
    for row in told[0].union(*told[1:], all=True) if len(told) > 1 else told[0]:
        found[row.part][row.measure, row.span] = row  # type: ignore[attr-defined]
    return found


def _lately(rows: BestQuerySet) -> dict[Key, Best]:
    """Return the best of each key among few rows; one query that reads them all."""
    rank = Case(When(Q(measure=POWER), then=-F("value")), default=F("value"), output_field=FloatField())
    ordered = rows.order_by("measure", "span", rank, "local_date", "pk").distinct("measure", "span")
    return {(row.measure, row.span): row for row in ordered}
