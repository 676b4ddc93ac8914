"""Recovery and body as pages: charts with their tables, weights by hand, and few questions to the database."""

from datetime import date, timedelta

import pytest
from django.urls import reverse

from coach import panels, scopes
from coach.models import Measure
from jobs import testing
from tests import factories
from tests.coach.views.mornings import mornings

MOST_QUERIES = 15


def put(client, weight="72,5", **more):
    return client.post(reverse("body"), {"weight": weight, "weighed_on": more.get("weighed_on", "2026-05-31")})


def test_each_chart_of_recovery_has_a_title_words_and_a_table(as_ana, ana):
    mornings(ana)
    body = as_ana.get(reverse("recovery")).content.decode()
    for name in ("hrv", "sleep", "resting"):
        assert f'<title id="{name}-title">' in body
        assert f'<desc id="{name}-words">' in body
    assert body.count("as a table") == 3


def test_an_empty_recovery_says_what_to_upload_and_draws_nothing(as_ana):
    body = as_ana.get(reverse("recovery")).content.decode()
    assert "No night of the last 90 days is here" in body
    assert "<figure" not in body


def test_a_weight_is_typed_in_with_a_comma_and_removed_again(as_ana, ana):
    assert put(as_ana).url == reverse("body")
    row = Measure.objects.get()
    assert (row.value, row.provider, row.file, row.local_date) == (72.5, "By hand", None, date(2026, 5, 31))
    assert "72.5 kg" in as_ana.get(reverse("body")).content.decode()
    as_ana.post(reverse("weight_delete", args=[row.pk]))
    assert not Measure.objects.exists()


def test_pounds_are_stored_as_kilograms(as_ana, ana):
    ana.units = "imperial"
    ana.save()
    put(as_ana, "160")
    assert round(Measure.objects.get().value, 3) == 72.575


@pytest.mark.parametrize("weight", ["", "heavy", "7", "700", "nan", "inf", "-70", "7" * 40, "72\x00"])
def test_a_weight_that_nobody_has_is_refused_with_a_sentence(as_ana, weight):
    response = put(as_ana, weight)
    assert response.status_code in (400, 422)
    assert not Measure.objects.exists()


@pytest.mark.parametrize("day", ["", "2199-01-01", "1970-01-01", "yesterday"])
def test_a_day_that_cannot_be_is_refused(as_ana, day):
    assert put(as_ana, weighed_on=day).status_code == 422
    assert not Measure.objects.exists()


def test_a_weight_of_a_file_is_not_removed_by_hand(as_ana, ana):
    mornings(ana, days=3)
    row = Measure.objects.filter(metric="weight_kg").first()
    assert as_ana.post(reverse("weight_delete", args=[row.pk])).status_code == 404
    assert Measure.objects.filter(pk=row.pk).exists()


@pytest.mark.parametrize("name", ["today", "recovery", "body"])
@pytest.mark.django_db(transaction=True)
def test_a_page_takes_few_queries_with_and_without_its_text(as_ana, ana, name, django_assert_max_num_queries):
    mornings(ana, days=400)
    factories.season(ana)
    as_ana.get(reverse(name))
    with django_assert_max_num_queries(MOST_QUERIES):
        waiting = as_ana.get(reverse(name))
    testing.run_due()
    facts = scopes.facts_for(name, ana, "current")
    assert panels.peek(ana, name, "current").headline
    with django_assert_max_num_queries(MOST_QUERIES):
        written = as_ana.get(reverse(name))
    assert max(len(waiting.content), len(written.content)) < 60_000
    assert facts.title.encode() in written.content


def test_yesterdays_mornings_are_nobody_elses(as_ben, ana):
    mornings(ana)
    body = as_ben.get(reverse("recovery")).content.decode() + as_ben.get(reverse("body")).content.decode()
    assert "rMSSD" not in body
    assert "kg" not in body.replace("(kg)", "")


def test_a_night_that_comes_in_asks_for_the_day_recovery_and_body(ana):
    mornings(ana)
    asked = [scope for scope, _ in scopes.subjects_after(ana, [])]
    assert asked == sorted(asked, key=scopes.ORDER.index)
    assert timedelta(0) == ana.today() - max(Measure.objects.values_list("local_date", flat=True))
