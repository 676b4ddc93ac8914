"""What the clock calls. Each function only enqueues, so that a slow job never holds the clock up."""

from datetime import datetime
from typing import Any

from django.conf import settings
from django.utils import timezone

from jobs import api

PREFETCH = "prefetch"
WATCH, SWEEP = "watch-folder", "sweep-uploads"
CRONS = {"morning": "0 5 * * *", "watch": "* * * * *", "sweep": "17 * * * *"}  # by the name of the function
NOMINAL = "nominal"  # the argument by which the clock says when a tick was due


def morning(*, nominal: str = "") -> None:
    """Ask for the texts that athletes will want today."""
    tick("morning", PREFETCH, nominal=nominal)


def watch(*, nominal: str = "") -> None:
    """Have the watched folders looked into, where there are any."""
    if settings.WATCH is not None:
        tick("watch", WATCH, nominal=nominal)


def sweep(*, nominal: str = "") -> None:
    """Have uploads deleted that nobody went on with."""
    tick("sweep", SWEEP, nominal=nominal)


def tick(name: str, kind: str, *, nominal: str) -> None:
    """Ask for a job of the kind once for each moment at which the schedule was due, whoever says so and how often.

    The moment, as local time and offset, is the fingerprint: two clocks ask once, and the hour that comes twice when
    summer time ends is two hours. An old tick that comes again after a newer one asks for nothing.
    """
    at = datetime.fromisoformat(nominal) if nominal else timezone.now().replace(second=0, microsecond=0)
    last = api.ticket(kind, "", name)
    if last and (ticked := _moment(name, last.wanted_fingerprint or last.fingerprint)) and ticked >= at:
        return
    api.enqueue(kind, "", name, fingerprint=f"{name} {timezone.localtime(at).isoformat()}")


def _moment(name: str, fingerprint: str) -> datetime | None:
    """Return the moment that a tick left as its fingerprint; None where somebody else asked for the job."""
    try:
        return datetime.fromisoformat(fingerprint.removeprefix(f"{name} "))
    except ValueError:
        return None


def create(**kwargs: Any) -> None:
    """Create the schedules that are missing; staff edit them in the admin afterwards."""
    from django_q.models import Schedule

    for name, cron in CRONS.items():
        Schedule.objects.get_or_create(
            name=name,
            defaults={"func": f"coach.schedules.{name}", "schedule_type": Schedule.CRON, "cron": cron},
        )
    ours = Schedule.objects.filter(func__in=[f"coach.schedules.{name}" for name in CRONS])
    ours.exclude(intended_date_kwarg=NOMINAL).update(intended_date_kwarg=NOMINAL)
