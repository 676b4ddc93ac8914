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


@pytest.mark.parametrize("edit", ["take", "add", "remove"])
def test_an_edit_of_thresholds_leads_back_to_them_and_is_told_there(as_ana, ana, suggestion, edit):
    old = Threshold.objects.create(athlete=ana, kind="lthr_bpm", value=170, valid_from=suggestion.day)
    match edit:
        case "take":
            response = as_ana.post(reverse("suggestion_answer", args=[suggestion.pk]), {"answer": "take"})
        case "add":
            form = {"threshold": "1", "kind": "ftp_w", "value": "250", "valid_from": "2026-05-01"}
            response = as_ana.post(reverse("settings"), form)
        case _:
            response = as_ana.post(reverse("threshold_delete", args=[old.pk]))
    assert response.url.endswith("#thresholds")
    body = as_ana.get(response.url).content.decode()
    assert body.count('class="message') == 1
    assert body.index('id="thresholds"') < body.index('class="message') < body.index('id="threshold"')


def test_an_edit_of_the_profile_is_told_above_it(as_ana, ana):
    form = {"profile": "", "time_zone": "UTC", "units": "metric", "week_starts_on": "1", "language": "en", "sex": ""}
    response = as_ana.post(reverse("settings"), form | {"sleep_need_min": "8:00"})
    body = as_ana.get(response.url).content.decode()
    assert body.index('class="message') < body.index('id="profile"')
