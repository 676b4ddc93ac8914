"""What the clock calls. Each function only enqueues, so that a slow job never holds the clock up."""

from typing import Any

from django.utils import timezone

from jobs import api

PREFETCH = "prefetch"
MORNING = "0 5 * * *"


def morning() -> None:
    """Ask for the texts that athletes will want today. Its nominal time is the fingerprint: two clocks ask once."""
    nominal = timezone.localtime().replace(hour=5, minute=0, second=0, microsecond=0)
    api.enqueue(PREFETCH, "", "morning", fingerprint=f"morning {nominal.isoformat()}")


def create(**kwargs: Any) -> None:
    """Create the schedules that are missing; staff edit them in the admin afterwards."""
    from django_q.models import Schedule

    Schedule.objects.get_or_create(
        name="morning",
        defaults={"func": "coach.schedules.morning", "schedule_type": Schedule.CRON, "cron": MORNING},
    )
