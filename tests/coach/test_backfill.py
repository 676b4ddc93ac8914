"""After an import the texts whose facts changed are asked for, last of all and in their order."""

import pytest

from coach import backfill, imports, insights, scopes
from coach.models import Insight
from jobs import testing
from jobs.models import Job
from tests import factories
from tests.coach.test_imports import gpx, hand_in

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def ana():
    return factories.athlete()


def asked():
    found = Job.objects.filter(kind=insights.KIND).order_by("turn", "pk")
    return [subject.partition("/")[0] for subject in found.values_list("subject", flat=True)]


def test_an_import_asks_for_the_texts_it_changed_in_their_order(ana, settings, tmp_path):
    settings.DATA = tmp_path
    factories.season(ana)
    hand_in(ana, ("ride.gpx", gpx()))
    testing.run_due()
    scopes_asked = list(dict.fromkeys(asked()))
    assert scopes_asked == [name for name in scopes.ORDER if name in scopes_asked]
    assert {"activity", "load"} <= set(scopes_asked)


def test_they_come_after_whatever_is_looked_at(ana):
    factories.season(ana)
    backfill.after_change(ana)
    testing.run_due()
    assert set(Job.objects.filter(kind=insights.KIND).values_list("priority", flat=True)) == {backfill.LAST}


def test_the_same_files_once_more_ask_for_nothing(ana, settings, tmp_path):
    settings.DATA = tmp_path
    hand_in(ana, ("ride.gpx", gpx()))
    testing.drain()
    before = Job.objects.exclude(kind=imports.KIND).count()
    hand_in(ana, ("ride.gpx", gpx()))
    testing.drain()
    assert Job.objects.exclude(kind=imports.KIND).count() == before


def test_a_text_of_these_very_facts_is_not_asked_for_again(ana):
    factories.season(ana)
    backfill.after_change(ana)
    testing.drain()
    written = Insight.objects.count()
    assert written
    backfill.after_change(ana)
    testing.drain()
    assert Insight.objects.count() == written
    assert Job.objects.filter(kind=insights.KIND).count() == written


def test_many_changes_make_one_round(ana):
    for _ in range(5):
        backfill.after_change(ana)
    assert Job.objects.filter(kind=backfill.KIND).count() == 1
