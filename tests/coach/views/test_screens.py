"""Week, load and activity: facts at once, with their meaning, a chart and its table."""

import re

import pytest
from django.urls import reverse

from coach.metrics.load import NO_FTP
from tests.coach.views.rows import ridden


@pytest.fixture
def season(source):
    return [ridden(source, hours_ago=24 * day + 3, load=40 + day % 5 * 10) for day in range(60)]


def test_the_week_shows_seven_days_and_the_way_to_each_session(as_ana, season):
    body = as_ana.get(reverse("week")).content.decode()
    chart = body[body.index("week-chart") :]
    assert chart.count('class="day') == 7
    assert 'href="/activities/' in chart


def test_each_fact_says_what_it_means_on_tap(as_ana, season):
    body = as_ana.get(reverse("load")).content.decode()
    facts = re.findall(r'<details class="fact" id="fact-\w+">.*?</details>', body, re.DOTALL)
    assert len(facts) > 4
    assert all(re.search(r"<p>\s*\S", fact) for fact in facts)


def test_the_load_chart_has_a_title_a_description_and_a_table(as_ana, season):
    body = as_ana.get(reverse("load")).content.decode()
    assert '<title id="load-title">' in body
    assert '<desc id="load-words">' in body
    assert "as a table" in body


def test_earlier_and_later_weeks_are_a_link_away(as_ana, season):
    body = as_ana.get(reverse("week", args=["2026-W01"])).content.decode()
    assert f'rel="prev" href="{reverse("week", args=["2025-W52"])}"' in body
    assert f'rel="next" href="{reverse("week", args=["2026-W02"])}"' in body


def test_no_week_after_that_of_today_is_offered(as_ana, season):
    assert 'rel="next"' not in as_ana.get(reverse("week")).content.decode()


@pytest.mark.parametrize("subject", ["2026-W60", "yesterday", "2026-48"])
def test_a_week_that_does_not_exist_is_not_found(as_ana, subject):
    assert as_ana.get(reverse("week", args=[subject])).status_code == 404


def test_an_activity_says_what_to_doubt_and_where_it_comes_from(as_ana, ride, file):
    body = as_ana.get(reverse("activity", args=[ride.pk])).content.decode()
    assert "The device lost heart rate for 3 min; the gap is shown." in body
    assert reverse("original", args=[file.pk]) in body


def test_the_question_of_the_screen_stands_at_its_top(as_ana, season):
    assert "How did this week go?" in as_ana.get(reverse("week")).content.decode()


@pytest.mark.parametrize("name", ["week", "load"])
def test_a_screen_takes_a_bounded_number_of_queries(as_ana, season, name, django_assert_max_num_queries):
    with django_assert_max_num_queries(15):
        as_ana.get(reverse(name))


@pytest.mark.parametrize(("way", "leads"), [("estimate", True), ("power", False)])
def test_an_estimated_load_leads_to_the_thresholds_that_end_it(as_ana, ride, way, leads):
    type(ride).objects.filter(pk=ride.pk).update(load_from=way)
    body = as_ana.get(reverse("activity", args=[ride.pk])).content.decode()
    assert (f'href="{reverse("settings")}#thresholds"' in body) == leads


@pytest.mark.parametrize(
    ("flags", "way", "says"), [([NO_FTP], "estimate", True), ([NO_FTP], "heart_rate", False), ([], "estimate", False)]
)
def test_today_says_when_loads_are_estimates_for_want_of_a_threshold(as_ana, ride, flags, way, says):
    type(ride).objects.filter(pk=ride.pk).update(load_from=way, flags=flags)
    body = as_ana.get(reverse("today")).content.decode()
    assert ("The load of 1 session of the last six weeks is an estimate" in body) == says
