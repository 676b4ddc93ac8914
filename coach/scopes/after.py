"""Says which screens a change of activities touches, for insights to be written before somebody asks."""

from collections.abc import Iterable, Sequence

from coach.metrics.peaks import DISTANCES_M
from coach.metrics.sports import sport
from coach.models import Activity, Athlete
from coach.scopes.calendar import week_of

NEWEST_ACTIVITIES = 3


def subjects_after(athlete: Athlete, activities: Iterable[Activity]) -> list[tuple[str, str]]:
    """Return (scope, subject) pairs, the one most likely to be opened first.

    Today, recovery and body, which nights and weights change; the newest of the activities, the week of the newest
    and this week, load, trends, and the records of the sport of the newest. An archive of years does not ask for a
    text about each of its sessions: those are written when somebody opens them. What has nothing to go on is passed
    over by who asks.
    """
    newest = sorted(activities, key=lambda activity: (activity.started_at, activity.pk), reverse=True)
    return [*of_the_day(), *of_training(athlete, newest)]


def of_the_day() -> list[tuple[str, str]]:
    return [(scope, "current") for scope in ("today", "recovery", "body")]


def of_training(athlete: Athlete, newest: Sequence[Activity]) -> list[tuple[str, str]]:
    if not newest:
        return []
    weeks = (
        week_of(newest[0].local_date, starts_on=athlete.week_starts_on),
        week_of(athlete.today(), starts_on=athlete.week_starts_on),
    )
    return [
        ("activity", str(newest[0].pk)),
        *dict.fromkeys(("week", week) for week in weeks),
        ("load", "current"),
        ("trends", "90d"),
        *(("records", family) for family in [sport(newest[0].sport).family] if family in DISTANCES_M),
        *(("activity", str(activity.pk)) for activity in newest[1:NEWEST_ACTIVITIES]),
    ]
