"""The two people of a trial: a demo athlete and a staff user, each with a password that is shown once."""

import secrets

from django.contrib.auth.models import User

from coach import thresholds
from coach.demo import athlete as demo
from coach.models import Athlete, Threshold
from deploy.tryout import say

ATHLETE = "demo"
STAFF = "staff"


def introduce() -> tuple[Athlete, str | None]:
    """Return the athlete, and her password if she was made just now; print who may log in."""
    athlete_user, athlete_password = person(ATHLETE)
    person(STAFF, staff=True)
    athlete, _ = Athlete.objects.get_or_create(user=athlete_user)
    return athlete, athlete_password


def person(name: str, *, staff: bool = False) -> tuple[User, str | None]:
    user = User.objects.filter(username=name).first()
    if user is not None:
        say(f"{name} is here already (a new password: .venv/bin/python manage.py changepassword {name}).")
        return user, None
    password = secrets.token_urlsafe(12)
    user = User.objects.create_user(name, password=password, is_staff=staff, is_superuser=staff)
    say(f"{name}, password {password} (shown this once)")
    return user, password


def give_season(athlete: Athlete) -> None:
    """Make the athlete the one whose training coach.demo writes; a profile that was edited stays."""
    if athlete.thresholds.exists():
        return
    profile = demo.profile()
    Athlete.objects.filter(pk=athlete.pk).update(
        time_zone=profile.time_zone,
        units=profile.units,
        language=profile.language,
        sex=profile.sex,
        birth_year=profile.birth_year,
        week_starts_on=profile.week_starts_on,
    )
    athlete.refresh_from_db()
    Threshold.objects.bulk_create(
        Threshold(athlete=athlete, kind=known.kind, value=known.value, valid_from=known.valid_from)
        for known in demo.thresholds(until=athlete.today())
    )
    if athlete.activities.exists():
        thresholds.changed(athlete)
