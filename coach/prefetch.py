"""The morning round: texts that will probably be looked at today are asked for behind everybody who waits."""

from datetime import timedelta

from coach import backfill, scopes, thresholds
from coach.models import Activity, Athlete, Night
from jobs import api

ACTIVE_DAYS = 14


def around(run: api.Run) -> dict[str, int]:
    """Enqueue the texts of athletes who trained lately or whose nights came in, where the facts have changed.

    What an older version measured is measured again first, once: the same rules and thresholds ask for nothing.
    """
    asked = 0
    for athlete in Athlete.objects.select_related("user").order_by("pk").iterator():
        run.check()
        thresholds.changed(athlete, priority=api.PREFETCH)
        for scope, subject in subjects(athlete):
            asked += backfill.ask(athlete, scope, subject)
    return {"asked": asked}


def subjects(athlete: Athlete) -> list[tuple[str, str]]:
    """Return what somebody who trains, or whose nights come in, will look at."""
    since = athlete.today() - timedelta(days=ACTIVE_DAYS)
    latest = Activity.objects.filter(athlete=athlete, local_date__gte=since).newest_first()[:1]
    if latest or Night.objects.filter(athlete=athlete, wake_date__gte=since).exists():
        return scopes.subjects_after(athlete, latest)
    return []
