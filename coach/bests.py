"""Keeps the best efforts of each session beside it; called wherever what is derived of an activity is written."""

from collections.abc import Iterable
from datetime import date

from coach.metrics.peaks import Peak
from coach.metrics.sports import sport
from coach.models import Athlete, Best


def keep(athlete: Athlete, activity: int, peaks: Iterable[Peak], *, sport_name: str, day: date, is_new: bool) -> None:
    """Write the best efforts of an activity in place of those it had: one statement for a new one, else two."""
    if not is_new:
        Best.objects.filter(activity=activity).delete()
    family = sport(sport_name).family
    Best.objects.bulk_create(
        Best(
            activity_id=activity,
            athlete=athlete,
            family=family,
            measure=peak.measure,
            span=peak.span,
            value=peak.value,
            local_date=day,
            doubt=peak.doubt,
        )
        for peak in peaks
    )
