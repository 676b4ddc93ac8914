"""Every page with ten years of data: how often it asks the database, what it weighs, and that neither has grown.

Which pages there are is found by their links, so a new one is measured as soon as it can be reached.
"""

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from coach.metrics.peaks import DISTANCES_M
from coach.models import Activity, Streams
from coach.scopes.registry import scopes
from coach.scopes.trends.facts import RANGES
from tests import history, walk
from tests.coach.views.rows import signed_in

pytestmark = pytest.mark.django_db  # without it no database is made for a module alone
MOST_QUERIES = 15
MOST_BYTES = 60_000
YEARS = (1, 10)
CLOSER = "activity_closer?from&to"  # a part of one session's samples, when somebody asks to see it closer
SAMPLES = f'"{Streams._meta.db_table}"."packed"'


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    status: int
    queries: int
    size: int
    reads_samples: bool


@pytest.fixture(scope="module")
def clients(django_db_setup, django_db_blocker, tmp_path_factory) -> Iterator[dict[int, Any]]:
    """Two athletes signed in, in a transaction that is rolled back after the last test of this module."""
    with pytest.MonkeyPatch.context() as patch, django_db_blocker.unblock(), transaction.atomic():
        patch.setattr("django.conf.settings.DATA", tmp_path_factory.mktemp("data"))
        logging.getLogger("django.request").setLevel(logging.ERROR)  # the walk tries what only takes a POST
        made = {years: signed_in(history.grown(f"years{years}", years=years).user) for years in YEARS}
        connection.check_constraints()  # once, and not again at the end of every test
        yield made
        logging.getLogger("django.request").setLevel(logging.NOTSET)
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def pages(clients) -> dict[int, dict[str, walk.Page]]:
    return {years: {page.kind: page for page in walk.pages(client)} for years, client in clients.items()}


@pytest.fixture(scope="module")
def measured(clients, pages) -> dict[int, dict[str, Measured]]:
    """Each page as it answers once its text is in line and watched, which the walk has seen to."""
    return {
        years: {kind: measure(clients[years], page) for kind, page in found.items()} for years, found in pages.items()
    }


def measure(client: Any, page: walk.Page) -> Measured:
    with CaptureQueriesContext(connection) as queries:
        response = page.get(client)
    return Measured(
        status=response.status_code,
        queries=len(queries),
        size=len(response.content),
        reads_samples=any(SAMPLES in query["sql"] for query in queries),
    )


def test_every_page_can_be_reached_by_links_or_is_explained(clients, pages):
    assert walk.unreached(clients[10], list(pages[10].values())) == []


def test_each_range_each_sport_and_the_panel_of_each_screen_is_among_them(pages):
    wanted = {f"trends {name}" for name in RANGES} | {f"records {name}" for name in DISTANCES_M}
    assert wanted - set(pages[10]) == set()
    assert {f"panel {name}" for name in scopes()} - {kind.partition("?")[0] for kind in pages[10]} == set()


def test_what_is_left_out_is_still_there(pages):
    assert set(walk.OUTSIDE) - set(walk.addresses()) == {"admin"}


def test_no_page_fails(measured):
    assert {kind: page.status for kind, page in measured[10].items() if page.status not in (200, 204, 302)} == {}


def test_no_page_asks_the_database_more_than_fifteen_times(measured):
    assert {kind: page.queries for kind, page in measured[10].items() if page.queries > MOST_QUERIES} == {}


def test_ten_years_take_no_query_more_than_one(measured):
    young, old = measured[1], measured[10]
    grown = {kind: (young[kind].queries, old[kind].queries) for kind in young.keys() & old.keys()}
    assert {kind: both for kind, both in grown.items() if both[1] > both[0]} == {}


def test_ten_years_have_the_pages_that_one_has(measured):
    assert set(measured[1]) - set(measured[10]) == set()


def test_no_page_weighs_more_than_sixty_thousand_bytes(measured):
    assert {kind: page.size for kind, page in measured[10].items() if page.size > MOST_BYTES} == {}


def test_no_page_reads_the_samples_of_a_session_but_the_closer_look(measured):
    assert [kind for kind, page in measured[10].items() if page.reads_samples] == [CLOSER]


def test_the_page_of_a_session_draws_and_tells_what_was_made_of_its_samples(clients):
    """Of two recordings, so that it says what each gave; and none of it is read from samples."""
    newest = Activity.objects.filter(athlete__user__username="years10").newest_first()[0]
    with CaptureQueriesContext(connection) as queries:
        body = clients[10].get(reverse("activity", args=[newest.pk])).content.decode()
    assert "data-streams" in body
    assert "It gives altitude." in body
    assert [query["sql"] for query in queries if SAMPLES in query["sql"]] == []
