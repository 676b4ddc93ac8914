"""Rows for tests: people with a history, made without files."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.contrib.auth import get_user_model

from coach.models import Activity, Athlete, Source, Threshold


def athlete(name: str = "ana", **profile: Any) -> Athlete:
    user = get_user_model().objects.create_user(name, password="a long password")
    return Athlete.objects.create(user=user, **{"time_zone": "Europe/Berlin", "sex": "f", **profile})


def staff(name: str = "staff") -> Any:
    return get_user_model().objects.create_superuser(name, password="a long password")


def source(owner: Athlete, name: str = "Files") -> Source:
    return Source.objects.get_or_create(athlete=owner, name=name)[0]


def activity(owner: Athlete, day: date, **values: Any) -> Activity:
    """Create an hour's ride at noon, with a load of 60, unless told otherwise."""
    defaults: dict[str, Any] = {
        "source": source(owner),
        "started_at": datetime(day.year, day.month, day.day, 12, tzinfo=UTC),
        "time_zone": "Europe/Berlin",
        "local_date": day,
        "sport": "cycling",
        "timer_s": 3600,
        "moving_s": 3550,
        "elapsed_s": 3700,
        "distance_m": 30_000,
        "load": 60,
        "load_from": "power",
        "heart_rate_avg_bpm": 140,
        "power_avg_w": 180,
        "normalized_power_w": 195,
    }
    return Activity.objects.create(athlete=owner, **{**defaults, **values})


def season(owner: Athlete, *, days: int = 70, until: date | None = None) -> list[Activity]:
    """Create a ride on two of three days, up to today."""
    last = until or owner.today()
    return [
        activity(owner, last - timedelta(days=back), load=50 + back % 5 * 10)
        for back in range(days, -1, -1)
        if back % 3
    ]


def ftp(owner: Athlete, watts: float = 250, since: date = date(2020, 1, 1)) -> Threshold:
    return Threshold.objects.create(athlete=owner, kind=Threshold.Kind.FTP, value=watts, valid_from=since)
