"""Which provider's values count: one a metric, never mixed, and SDNN never beside rMSSD."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from statistics import fmean

from django.db.models import Count, Max, Q, Sum

from coach.formats.wellness import METRICS
from coach.models import Athlete, Measure, Night
from coach.models.wellness import NEWEST_FILE, MeasureQuerySet, NightQuerySet

RECENT = timedelta(days=90)  # before the last value: who measured most of these days is preferred
HRV = ("hrv_rmssd_ms", "hrv_sdnn_ms")
WEIGHT = "weight_kg"
BY_HAND = "By hand"  # the provider of what an athlete typed in; for its day it goes before any scale


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """What one provider measured of one metric: a value a day."""

    metric: str
    provider: str
    values: Mapping[date, float]


def measures(athlete: Athlete, metric: str) -> MeasureQuerySet:
    """Return the metric's values of the preferred provider, one a moment or day; none when there are none."""
    found = provider_of(athlete, metric)
    return Measure.objects.none() if found is None else of(athlete, *found)


def hrv(athlete: Athlete) -> MeasureQuerySet:
    """Return the HRV of one provider and one kind, rMSSD or SDNN; `metric` of its rows says which."""
    found = provider_of(athlete, *HRV)
    return Measure.objects.none() if found is None else of(athlete, *found)


def of(athlete: Athlete, metric: str, provider: str) -> MeasureQuerySet:
    kept = Measure.objects.filter(athlete=athlete, provider=provider).once(metric)
    return Measure.objects.filter(pk__in=kept.values("pk")).order_by("at")


def provider_of(athlete: Athlete, *metrics: str) -> tuple[str, str] | None:
    """Return the metric and provider with most days among the last ninety.

    Ties go to who read most often, and of those to who counted most: a phone left at home counts few steps.
    """
    asked = Measure.objects.filter(athlete=athlete, metric__in=metrics)
    last = asked.aggregate(last=Max("local_date"))["last"]
    if last is None:
        return None
    recent = asked.filter(local_date__gt=last - RECENT).order_by().values_list("metric", "provider")
    counted = recent.annotate(days=Count("local_date", distinct=True), readings=Sum("samples"), total=Sum("value"))
    metric, provider, *_ = min(counted, key=lambda row: (-row[2], -row[3], -row[4], row[0], row[1]))
    return metric, provider


def nights(athlete: Athlete) -> NightQuerySet:
    """Return the nights of the preferred provider, one a wake date."""
    provider = sleeper_of(athlete)
    if provider is None:
        return Night.objects.none()
    kept = Night.objects.filter(athlete=athlete, provider=provider).once()
    return Night.objects.filter(pk__in=kept.values("pk")).order_by("wake_date")


def sleeper_of(athlete: Athlete) -> str | None:
    """Return who measured the sleep of most nights among the last ninety days; ties go to who knows stages."""
    asked = Night.objects.filter(athlete=athlete)
    last = asked.aggregate(last=Max("wake_date"))["last"]
    if last is None:
        return None
    counted = asked.filter(wake_date__gt=last - RECENT).order_by().values_list("provider").annotate(
        asleep=Count("wake_date", distinct=True, filter=Q(asleep_min__isnull=False)),
        staged=Count("wake_date", distinct=True, filter=~Q(stages={})),
        nights=Count("wake_date", distinct=True),
    )  # fmt: skip
    return str(min(counted, key=lambda row: (-row[1], -row[2], -row[3], row[0]))[0])


# Many metrics at once, for screens that must not ask the database for each


def daily(athlete: Athlete, groups: Sequence[tuple[str, ...]], *, since: date, until: date) -> list[Series | None]:
    """Return for each group of metrics the one series with most days, each day the mean of its readings; one query."""
    found: dict[tuple[str, str], dict[date, list[float]]] = {}
    for metric, provider, day, value in _readings(athlete, [name for group in groups for name in group], since, until):
        found.setdefault((metric, provider), {}).setdefault(day, []).append(value)
    return [_fullest({key: days for key, days in found.items() if key[0] in group}) for group in groups]


def weights(athlete: Athlete, *, since: date, until: date) -> Series | None:
    """Return a weight a day, its first weigh-in: of one scale, or what was typed in for that day; one query."""
    found: dict[tuple[str, str], dict[date, list[float]]] = {}
    for metric, provider, day, value in _readings(athlete, [WEIGHT], since, until):
        found.setdefault((metric, provider), {}).setdefault(day, []).append(value)
    typed = {day: values[0] for day, values in found.pop((WEIGHT, BY_HAND), {}).items()}
    if not found:
        return Series(metric=WEIGHT, provider=BY_HAND, values=typed) if typed else None
    (_, provider), days = min(found.items(), key=lambda item: (-len(item[1]), item[0]))
    values = {day: readings[0] for day, readings in days.items()} | typed
    named = f"{provider} and by hand" if typed else provider
    return Series(metric=WEIGHT, provider=named, values=dict(sorted(values.items())))


def recent_nights(athlete: Athlete, *, since: date, until: date) -> list[Night]:
    """Return the nights of the provider who measured the sleep of most of them, one a wake date; one query."""
    rows = Night.objects.filter(athlete=athlete).between(since, until).defer("pieces")
    by_provider: dict[str, dict[date, Night]] = {}
    for night in rows.order_by("wake_date", NEWEST_FILE):
        by_provider.setdefault(night.provider, {}).setdefault(night.wake_date, night)
    return [*min(by_provider.items(), key=_sleeper)[1].values()] if by_provider else []


def _readings(athlete: Athlete, metrics: Sequence[str], since: date, until: date) -> list[tuple[str, str, date, float]]:
    """Return metric, provider, day and value, in the order of time; of several files the newest counts."""
    rows = Measure.objects.filter(athlete=athlete, metric__in=metrics).between(since, until)
    kept: dict[tuple[str, str, date | datetime], tuple[datetime, date, float]] = {}
    for metric, provider, at, day, value in rows.order_by(NEWEST_FILE, "-at").values_list(
        "metric", "provider", "at", "local_date", "value"
    ):
        kept.setdefault((metric, provider, day if METRICS[metric].daily else at), (at, day, value))
    ordered = sorted(kept.items(), key=lambda item: (item[1][0], item[0][0], item[0][1]))
    return [(metric, provider, day, value) for (metric, provider, _), (_, day, value) in ordered]


def _fullest(found: Mapping[tuple[str, str], Mapping[date, list[float]]]) -> Series | None:
    """Return the series with most days; ties go to who read most often."""
    if not found:
        return None
    (metric, provider), days = min(
        found.items(), key=lambda item: (-len(item[1]), -sum(map(len, item[1].values())), item[0])
    )
    values = {day: fmean(readings) for day, readings in sorted(days.items())}
    return Series(metric=metric, provider=provider, values=values)


def _sleeper(item: tuple[str, Mapping[date, Night]]) -> tuple[int, int, int, str]:
    provider, nights = item
    asleep = sum(night.asleep_min is not None for night in nights.values())
    staged = sum(bool(night.stages) for night in nights.values())
    return -asleep, -staged, -len(nights), provider
