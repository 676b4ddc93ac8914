"""Which provider's values count: one a metric, never mixed, and SDNN never beside rMSSD."""

from datetime import timedelta

from django.db.models import Count, Max, Q, Sum

from coach.models import Athlete, Measure, Night
from coach.models.wellness import MeasureQuerySet, NightQuerySet

RECENT = timedelta(days=90)  # before the last value: who measured most of these days is preferred
HRV = ("hrv_rmssd_ms", "hrv_sdnn_ms")


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
