"""While history is measured again, by an edit or by a new version, each page that depends on it says so."""

from contextlib import ExitStack
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from coach import scale, thresholds
from coach.models import Activity, Athlete, Threshold
from jobs import api, testing
from jobs.models import Job
from tests import factories
from tests.coach.test_imports import gpx, hand_in
from tests.coach.test_training_days import beside
from tests.coach.views.rows import signed_in
from tests.processes import until

pytestmark = pytest.mark.django_db(transaction=True)
DEPEND = ("today", "week", "load", "trends", "records", "activities", "calendar", "year")
DO_NOT = ("recovery", "body", "settings", "imports")
COMING, RUNNING = "about to be measured again", "is being measured again: 1 of 2 sessions"


@pytest.fixture(autouse=True)
def data_folder(settings: Any, tmp_path: Any) -> None:
    settings.DATA = tmp_path


@pytest.fixture
def ana() -> Athlete:
    owner = factories.athlete(birth_year=1990)
    hand_in(owner, ("1.gpx", gpx(1)), ("5.gpx", gpx(5)))
    testing.run_due()
    return owner


def edit(owner: Athlete) -> api.Ticket:
    Threshold.objects.create(athlete=owner, kind=Threshold.Kind.PACE, value=300, valid_from="2026-05-01")
    return thresholds.changed(owner)


def pages_that_say(client: Client, sentence: str) -> set[str]:
    return {name for name in (*DEPEND, *DO_NOT) if sentence in client.get(reverse(name)).content.decode()}


def test_pages_say_that_it_is_coming_how_far_it_is_and_nothing_once_it_is_over(ana: Athlete) -> None:
    client, first = signed_in(ana.user), Activity.objects.get(local_date="2026-05-01")
    assert pages_that_say(client, "measured again") == set()
    edit(ana)
    assert pages_that_say(client, COMING) == set(DEPEND)
    with ExitStack() as stack, transaction.atomic():
        Activity.objects.select_for_update().get(pk=first.pk)
        stack.enter_context(beside(testing.run_due))
        until(lambda: Athlete.objects.get().measured == 1, what="the newer one is measured")
        assert pages_that_say(client, RUNNING) == set(DEPEND)
    assert pages_that_say(client, "measured again") == set()


def poll(client: Client, *, seen: str) -> Any:
    page = {"HX-Request": "true", "HX-Current-URL": "http://testserver/load/?range=all"}
    return client.get(reverse("measuring"), {"seen": seen}, headers=page)


def test_an_open_page_is_told_how_far_it_is_and_when_it_is_over(ana: Athlete) -> None:
    client = signed_in(ana.user)
    Athlete.objects.update(measured=1, to_measure=2)
    asks = f'hx-get="{reverse("measuring")}?seen=1-2"'
    assert asks in client.get(reverse("load")).content.decode()
    assert poll(client, seen="1-2").status_code == 204
    moved = poll(client, seen="0-2").content.decode()
    assert (RUNNING in moved, asks in moved) == (True, True)
    Athlete.objects.update(measured=None, to_measure=None)
    over = poll(client, seen="1-2").content.decode()
    assert "has been measured again" in over
    assert 'href="/load/?range=all"' in over
    assert "hx-get" not in over


def test_without_script_its_address_leads_to_the_line(ana: Athlete) -> None:
    assert signed_in(ana.user).get(reverse("measuring"))["Location"] == reverse("line")


def test_it_is_said_in_chinese_and_on_the_page_of_a_session(ana: Athlete) -> None:
    Athlete.objects.update(language="zh-hans", measured=1, to_measure=2)
    shown = signed_in(ana.user).get(reverse("activity", args=[Activity.objects.all()[0].pk])).content.decode()
    assert "2 次训练中已完成 1 次" in shown


def test_saying_so_asks_the_database_nothing(ana: Athlete) -> None:
    client = signed_in(ana.user)

    def queries() -> list[int]:
        counts = []
        for name in DEPEND:
            client.get(reverse(name))
            with CaptureQueriesContext(connection) as asked:
                client.get(reverse(name))
            counts.append(len(asked))
        return counts

    before = queries()
    Athlete.objects.update(measured=1, to_measure=2)
    assert queries() == before


def test_a_stopped_measuring_is_not_said_to_go_on(ana: Athlete) -> None:
    ticket = edit(ana)
    assert Athlete.objects.get().to_measure == 0
    api.stop(ticket.id, by="ana")
    testing.run_due()
    assert Athlete.objects.get().to_measure is None


def test_an_edit_that_changes_nothing_says_nothing(ana: Athlete) -> None:
    edit(ana)
    testing.run_due()
    assert thresholds.changed(ana).is_finished
    assert Athlete.objects.get().to_measure is None


# An upgrade


def looks() -> int:
    return Job.objects.filter(kind=thresholds.UPGRADE).count()


def migrate() -> None:
    call_command("migrate", verbosity=0, interactive=False)


@pytest.fixture
def newer(ana: Athlete, monkeypatch: Any) -> None:
    """A version that measures otherwise, after this one has measured everything."""
    migrate()
    testing.run_due()
    for module in (scale, thresholds):
        monkeypatch.setattr(module, "VERSION", scale.VERSION + 1)


def test_a_version_that_measures_otherwise_measures_history_again_after_its_migrate(newer: None) -> None:
    old = set(Activity.objects.values_list("measured_with", flat=True))
    migrate()
    assert looks() == 2
    testing.run_due()
    assert old.isdisjoint(Activity.objects.values_list("measured_with", flat=True))


def test_a_version_that_comes_back_measures_as_it_did(newer: None, monkeypatch: Any) -> None:
    old = set(Activity.objects.values_list("measured_with", flat=True))
    migrate()
    testing.run_due()
    monkeypatch.undo()
    migrate()
    testing.run_due()
    assert set(Activity.objects.values_list("measured_with", flat=True)) == old


def test_the_same_version_looks_once(newer: None) -> None:
    for _ in range(3):
        migrate()
        testing.run_due()
    assert looks() == 2


def test_migrations_that_are_taken_back_ask_for_nothing(newer: None) -> None:
    thresholds.after_migrate(plan=[(None, True)])
    assert looks() == 1


def test_a_site_without_athletes_asks_for_nothing(db: None) -> None:
    migrate()
    assert looks() == 0
