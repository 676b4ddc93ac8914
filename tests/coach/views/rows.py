"""What the tests of pages need besides tests.factories: sign-ins, sessions by the hour, and files to hand in."""

from datetime import UTC, datetime, timedelta
from io import BytesIO

from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from coach.models import Activity, Source
from tests import factories

HTMX = {"HX-Request": "true"}


def signed_in(user: User) -> Client:
    """Return a client whose session has its end, as one has that came in by the door."""
    client = Client()
    client.force_login(user)
    age = settings.STAFF_SESSION_AGE if user.is_staff else settings.SESSION_COOKIE_AGE
    session = client.session
    session.set_expiry(timezone.now() + timedelta(seconds=age))
    session.save()
    return client


def ridden(source: Source, *, hours_ago: float = 3, **values: object) -> Activity:
    started = datetime.now(UTC) - timedelta(hours=hours_ago)
    return factories.activity(source.athlete, started.date(), source=source, started_at=started, **values)


def upload(name: str = "ride.gpx", content: bytes = b"<gpx/>") -> BytesIO:
    file = BytesIO(content)
    file.name = name
    return file
