"""The morning round: texts that will probably be looked at today are asked for behind everybody who waits."""

from datetime import timedelta

from coach import backfill, scopes, thresholds
from coach.models import Activity, Athlete
from jobs import api

ACTIVE_DAYS = 14


def around(run: api.Run) -> dict[str, int]:
    """Enqueue the texts of athletes who trained lately, where the facts have changed.

    What an older version measured is measured again first, once: the same rules and thresholds ask for nothing.
    """
    asked = 0
    for athlete in Athlete.objects.select_related("user").order_by("pk").iterator():
        run.check()
        thresholds.changed(athlete, priority=api.PREFETCH)
        latest = (
            Activity.objects.filter(athlete=athlete, local_date__gte=athlete.today() - timedelta(days=ACTIVE_DAYS))
            .newest_first()
            .first()
        )
        for scope, subject in scopes.subjects_after(athlete, [latest]) if latest else []:
            asked += backfill.ask(athlete, scope, subject)
    return {"asked": asked}
