"""Makes the rows that the tests of pages need, and what they send."""

from datetime import UTC, datetime, timedelta
from io import BytesIO

from django.contrib.auth.models import User
from django.test import Client

from coach.models import Activity, Athlete, Source

HTMX = {"HX-Request": "true"}
SECRET = "a long secret"


def athlete(name: str) -> Athlete:
    user = User.objects.create_user(name, password=SECRET)
    return Athlete.objects.create(user=user, time_zone="Europe/Zurich")


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def ridden(source: Source, *, hours_ago: float = 3, **values: object) -> Activity:
    started = datetime.now(UTC) - timedelta(hours=hours_ago)
    given = {
        "sport": "cycling",
        "timer_s": 3600,
        "moving_s": 3500,
        "elapsed_s": 3700,
        "distance_m": 30_000,
        "load": 55,
        **values,
    }
    return Activity.objects.create(
        athlete=source.athlete,
        source=source,
        started_at=started,
        time_zone="Europe/Zurich",
        local_date=started.date(),
        **given,
    )


def upload(name: str = "ride.gpx", content: bytes = b"<gpx/>") -> BytesIO:
    file = BytesIO(content)
    file.name = name
    return file
