"""Suggested thresholds on the settings and the load page, with two answers."""

import pytest
from django.urls import reverse

from coach.models import Suggestion, Threshold


@pytest.fixture
def suggestion(ana, ride):
    return Suggestion.objects.create(
        athlete=ana, activity=ride, kind="ftp_w", value=296, day=ride.local_date, sentence="95 % of 312 W."
    )


@pytest.mark.parametrize("name", ["settings", "load"])
def test_it_is_shown_with_where_it_comes_from(as_ana, suggestion, name):
    body = as_ana.get(reverse(name)).content.decode()
    assert "Functional threshold power: 296 W" in body
    assert "95 % of 312 W." in body
    assert not Threshold.objects.exists()


@pytest.mark.parametrize(("answer", "held"), [("take", [296]), ("leave", [])])
def test_an_answer_is_kept_and_leads_back(as_ana, suggestion, answer, held):
    there = reverse("suggestion_answer", args=[suggestion.pk])
    response = as_ana.post(there, {"answer": answer, "back": "load"})
    assert response.url == reverse("load")
    assert list(Threshold.objects.values_list("value", flat=True)) == held
    assert "Suggested thresholds" not in as_ana.get(reverse("load")).content.decode()
    assert as_ana.post(there, {"answer": answer}).status_code == 404


def test_anything_else_is_no_answer(as_ana, suggestion):
    assert as_ana.post(reverse("suggestion_answer", args=[suggestion.pk]), {"answer": "maybe"}).status_code == 400
    assert Suggestion.objects.get().state == "open"


def test_nobody_else_answers_it(as_ben, suggestion):
    response = as_ben.post(reverse("suggestion_answer", args=[suggestion.pk]), {"answer": "take"})
    assert response.status_code == 404
    assert not Threshold.objects.exists()
