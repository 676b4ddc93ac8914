"""The first visit to a screen, which puts its text in line: as few questions to the database as any other page."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from coach.models import Activity
from jobs.models import Job, Watch
from tests import history
from tests.coach.views.rows import signed_in
from tests.coach.views.test_scale import MOST_QUERIES

pytestmark = pytest.mark.django_db(transaction=True)  # as a site does: what runs on commit runs
SCREENS = [
    ("today", ()),
    ("week", ()),
    ("load", ()),
    ("trends", ()),
    ("trends", ("365d",)),
    ("records", ("cycling",)),  # without a sport the page is that of the one done most, whichever that is today
    ("records", ("running",)),
    ("recovery", ()),
    ("body", ()),
]


@pytest.fixture
def athlete(settings, tmp_path) -> Client:
    settings.DATA = tmp_path
    return signed_in(history.grown("ana", years=0.5).user)


def addresses() -> Iterator[str]:
    yield from (reverse(name, args=args) for name, args in SCREENS)
    yield reverse("week", args=[f"{datetime.now(UTC) - timedelta(days=21):%G-W%V}"])
    rows = Activity.objects.newest_first().values_list("pk", flat=True)
    yield from (reverse("activity", args=[pk]) for pk in rows[history.around.IN_LINE : history.around.IN_LINE + 3])


def asked(client: Client, address: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        assert client.get(address).status_code == 200
    return len(queries)


def test_no_first_visit_and_no_later_one_asks_more_than_fifteen_times(athlete):
    """One after the other, so that most of them take the place of an earlier watch; and with watches to be renewed."""
    first = {}
    for address in addresses():
        before = Job.objects.count()
        first[address] = asked(athlete, address)
        assert Job.objects.count() == before + 1, address
    again = {address: asked(athlete, address) for address in first}
    Watch.objects.update(until="2020-01-01T00:00Z")
    renewed = {address: asked(athlete, address) for address in first}
    assert {
        address: count for found in (first, again, renewed) for address, count in found.items() if count > MOST_QUERIES
    } == {}
