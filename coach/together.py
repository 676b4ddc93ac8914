"""What several recordings of a source say together: doubled sessions, and months without any."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby
from typing import Any

from coach.models import Activity, Measure, Provenance, Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    count: int
    sentence: str
    details: list[dict[str, Any]]


def detail(activity: Activity | None, sentence: str) -> dict[str, Any]:
    if activity is None:
        return {"sentence": sentence}
    return {"activity": activity.pk, "day": activity.local_date.isoformat(), "sentence": sentence}


def doubled(source: Source) -> Found:
    """Find sessions that overlap another by more than half, and measures that several providers take."""
    mine = set(Provenance.objects.filter(file__run__source=source).values_list("activity", flat=True))
    rows = Activity.objects.filter(athlete=source.athlete).order_by("started_at", "pk")
    details, open_rows = [], list[Activity]()
    for row in rows.only("started_at", "elapsed_s", "local_date", "sport").iterator():
        open_rows = [other for other in open_rows if _end(other) > row.started_at]
        for other in open_rows:
            if _overlap_s(other, row) > min(other.elapsed_s, row.elapsed_s) / 2 and {other.pk, row.pk} & mine:
                details.append(detail(row, f"It overlaps another session that began at {other.started_at:%H:%M} UTC."))
        open_rows.append(row)
    details += _several_providers(source)
    sentence = f"{len(details)} {'things are' if len(details) != 1 else 'thing is'} there more than once."
    return Found(count=len(details), sentence=sentence, details=details)


def _end(activity: Activity) -> Any:
    return activity.started_at + timedelta(seconds=activity.elapsed_s)


def _overlap_s(one: Activity, other: Activity) -> float:
    return float((min(_end(one), _end(other)) - max(one.started_at, other.started_at)).total_seconds())


def _several_providers(source: Source) -> list[dict[str, Any]]:
    pairs = Measure.objects.filter(athlete=source.athlete, file__run__source=source)
    providers: dict[str, set[str]] = defaultdict(set)
    for metric, provider in pairs.order_by().values_list("metric", "provider").distinct():
        providers[metric].add(provider)
    return [
        {"sentence": f"{_label(metric)}: from {', '.join(sorted(names))}. Only one of them is used for a day."}
        for metric, names in sorted(providers.items())
        if len(names) > 1
    ]


def _label(metric: str) -> str:
    return str(dict(Measure._meta.get_field("metric").flatchoices).get(metric, metric))


def coverage(source: Source) -> Found:
    """Count the sessions of each month, and how many have heart rate, power and a distance."""
    rows = Activity.objects.filter(provenance__file__run__source=source).distinct()
    months: dict[date, list[Activity]] = defaultdict(list)
    for row in rows.only("local_date", "heart_rate_avg_bpm", "power_avg_w", "distance_m").iterator():
        months[row.local_date.replace(day=1)].append(row)
    every = list(_months(min(months), max(months))) if months else []
    empty = [month for month in every if month not in months]
    details = [
        {"day": _span(run), "sentence": _month(months.get(run[0], []))}
        for run in _runs(list(reversed(every)), lambda month: month in months)
    ]
    names = ", ".join(f"{month:%b %Y}" for month in empty[-6:])
    sentence = f"{len(empty)} of {len(every)} months have no session, the last of them {names}."
    return Found(count=len(empty), sentence=sentence, details=details)


def _months(first: date, last: date) -> Iterator[date]:
    while first <= last:
        yield first
        first = (first + timedelta(days=32)).replace(day=1)


def _runs(every: list[date], stands_alone: Callable[[date], bool]) -> Iterator[list[date]]:
    """Yield each month by itself, but those in a row without a session together; the latest first."""
    for alone, found in groupby(every, key=stands_alone):
        run = list(found)
        yield from ([month] for month in run) if alone else [run]


def _span(run: list[date]) -> str:
    return f"{run[0]:%Y-%m}" if len(run) == 1 else f"{run[-1]:%Y-%m} to {run[0]:%Y-%m}"


def _month(rows: list[Activity]) -> str:
    if not rows:
        return "No session."
    heart = sum(row.heart_rate_avg_bpm is not None for row in rows)
    power = sum(row.power_avg_w is not None for row in rows)
    far = sum(row.distance_m is not None for row in rows)
    count = f"{len(rows)} session{'s' if len(rows) > 1 else ''}"
    return f"{count}; heart rate in {heart}, power in {power}, distance in {far}."


CHECKS: dict[str, Callable[[Source], Found]] = {"doubled": doubled, "coverage": coverage}
