"""The list of activities: newest first, by pages that stay quick."""

import re

import pytest
from django.urls import reverse

from coach.views.activities import PAGE
from tests.coach.views.rows import HTMX, ridden


@pytest.fixture
def many(source):
    return [ridden(source, hours_ago=number * 30) for number in range(PAGE + 5)]


def shown(body: str) -> list[int]:
    return [int(pk) for pk in re.findall(r'class="entry" href="/activities/(\d+)/"', body)]


def test_the_newest_come_first(as_ana, many):
    body = as_ana.get(reverse("activities")).content.decode()
    assert shown(body) == [activity.pk for activity in many[:PAGE]]


def test_older_ones_follow_without_a_gap_or_a_repetition(as_ana, many):
    body = as_ana.get(reverse("activities")).content.decode()
    older = re.search(r'hx-get="([^"]*)"', body)[1]
    assert shown(as_ana.get(older).content.decode()) == [activity.pk for activity in many[PAGE:]]


def test_sessions_that_started_together_are_neither_lost_nor_repeated(as_ana, source):
    first = ridden(source)
    same = [ridden(source) for _ in range(3)]
    type(first).objects.update(started_at=first.started_at)
    body = as_ana.get(f"{reverse('activities')}?before={same[1].pk}").content.decode()
    assert shown(body) == [same[0].pk, first.pk]


def test_a_part_of_the_list_goes_on_in_its_month(as_ana, many):
    body = as_ana.get(f"{reverse('activities')}?before={many[0].pk}", headers=HTMX).content.decode()
    assert "<html" not in body
    assert f"<h2>{many[0].local_date:%B %Y}</h2>" not in body


def test_the_list_takes_as_many_queries_for_forty_as_for_one(as_ana, many, django_assert_max_num_queries):
    with django_assert_max_num_queries(8):
        as_ana.get(reverse("activities"))


def test_a_page_after_somebody_elses_activity_is_not_found(as_ben, many):
    assert as_ben.get(f"{reverse('activities')}?before={many[0].pk}").status_code == 404


def test_an_empty_list_says_what_to_do(as_ana):
    body = as_ana.get(reverse("activities")).content.decode()
    assert "Nothing here yet." in body
    assert reverse("imports") in body
