"""The athlete's sessions as they are listed: chosen by sport, days and name, in three orders, page by page."""

from dataclasses import dataclass
from datetime import date

from django.db.models import Case, Count, F, Q, Sum, Value, When

from coach.models import Activity, Athlete
from coach.models.activity import ActivityQuerySet

ORDERS = {"": "started_at", "longest": "timer_s", "load": "load"}

KIND = Case(
    When(~Q(stated_type=""), then=F("stated_type")), When(is_race=True, then=Value("race")), default=F("session_type")
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    sport: str = ""
    kind: str = ""  # what the athlete said it was, else what it looks like
    first: date | None = None
    last: date | None = None
    name: str = ""
    sort: str = ""  # one of ORDERS; newest first by default

    @property
    def narrows(self) -> bool:
        return bool(self.sport or self.kind or self.first or self.last or self.name)


def chosen(athlete: Athlete, wish: Wish) -> ActivityQuerySet:
    """Return the sessions that were asked for, in their order; the ignored ones are among them."""
    rows = Activity.objects.filter(athlete=athlete)
    if wish.sport:
        rows = rows.filter(sport=wish.sport)
    if wish.kind:
        rows = rows.alias(kind=KIND).filter(kind=wish.kind)
    if wish.first:
        rows = rows.filter(local_date__gte=wish.first)
    if wish.last:
        rows = rows.filter(local_date__lte=wish.last)
    if wish.name:
        rows = rows.filter(Q(name__icontains=wish.name) | Q(note__icontains=wish.name))
    return rows.order_by(f"-{ORDERS[wish.sort]}", "-pk")


def after(rows: ActivityQuerySet, last: Activity, *, wish: Wish) -> ActivityQuerySet:
    """Return what comes after one of them, by its place in the order: no page grows slow with its number."""
    field = ORDERS[wish.sort]
    value = getattr(last, field)
    return rows.filter(**{f"{field}__lte": value}).exclude(**{field: value, "pk__gte": last.pk})


def totals(rows: ActivityQuerySet) -> tuple[int, float, float]:
    """Return how many sessions count, their time in seconds, and their load."""
    summed = rows.counted().order_by().aggregate(count=Count("pk"), seconds=Sum("timer_s"), load=Sum("load"))
    return summed["count"], summed["seconds"] or 0.0, summed["load"] or 0.0


def choices(athlete: Athlete) -> tuple[list[str], list[str]]:
    """Return the sports and the types that the athlete's sessions are of."""
    rows = Activity.objects.filter(athlete=athlete).order_by()
    found = set(rows.annotate(kind=KIND).values_list("sport", "kind").distinct())
    return sorted({sport for sport, _ in found}), sorted({kind for _, kind in found} - {""})
