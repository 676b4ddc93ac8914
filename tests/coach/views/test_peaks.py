"""Trends and records: the curve, the lines, a way to every session, and few questions to the database."""

import re

import pytest
from django.urls import reverse

from coach.metrics.peaks import DISTANCES_M, POWER_S
from coach.models import Best
from coach.scopes.trends.facts import RANGES
from tests.coach.views.rows import ridden

KB = 1024


@pytest.fixture
def season(source):
    return [
        ridden(source, hours_ago=24 * day + 3, load=40 + day % 5 * 10, efficiency_factor=1.4 + day % 4 / 100)
        for day in range(60)
    ]


@pytest.fixture
def years(source):
    """Rides and runs of ten years, each with all its bests."""
    rows, bests = [], []
    for week in range(520):
        sport = "cycling" if week % 2 else "running"
        row = ridden(source, hours_ago=24 * 7 * week + 3, sport=sport, efficiency_factor=1.4, graded_speed_mps=3.0)
        rows.append(row)
        common = {"activity": row, "athlete": source.athlete, "family": sport, "local_date": row.local_date}
        bests += [Best(measure="power", span=span, value=400 - span / 30 + week % 90, **common) for span in POWER_S]
        bests += [Best(measure="time", span=span, value=span / 4 + week % 77, **common) for span in DISTANCES_M[sport]]
    Best.objects.bulk_create(bests)
    return rows


def test_each_record_leads_to_the_session_it_was_set_in(as_ana, ride):
    common = {"activity": ride, "athlete": ride.athlete, "family": "cycling", "local_date": ride.local_date}
    Best.objects.create(measure="power", span=300, value=341, **common)
    Best.objects.create(measure="power", span=60, value=417, **common)
    body = as_ana.get(reverse("records", args=["cycling"])).content.decode()
    table = body[body.index("all-records") :]
    assert re.search(rf'<a href="{reverse("activity", args=[ride.pk])}">341 W</a>', table)
    assert '<desc id="curve-power-words">' in body


def test_the_records_page_opens_with_the_sport_that_is_done_most(as_ana, source):
    ridden(source, sport="running")
    assert "Records: running" in as_ana.get(reverse("records")).content.decode()
    for day in range(2):
        ridden(source, hours_ago=24 * day + 5)
    assert "Records: cycling" in as_ana.get(reverse("records")).content.decode()


def test_a_best_that_does_not_count_says_why(as_ana, ride):
    common = {"activity": ride, "athlete": ride.athlete, "family": "cycling", "local_date": ride.local_date}
    Best.objects.create(measure="power", span=300, value=341, **common)
    Best.objects.create(measure="time", span=20_000, value=1500, doubt="downhill", **common)
    body = as_ana.get(reverse("records", args=["cycling"])).content.decode()
    assert "Faster, but not counted" in body
    assert ": downhill." in body


def test_trends_draw_each_line_with_its_points_and_a_table(as_ana, season):
    body = as_ana.get(reverse("trends")).content.decode()
    assert body.count('class="points"') == body.count('class="band"') > 1
    assert "n\u00a0=\u00a0" in body
    assert "Cycling: effort per heartbeat, as a table" in body


@pytest.mark.parametrize("subject", ["90", "1d", "week"])
def test_a_range_that_does_not_exist_is_not_found(as_ana, subject):
    assert as_ana.get(reverse("trends", args=[subject])).status_code == 404


@pytest.mark.parametrize("subject", ["golf", "e_biking"])
def test_a_sport_without_records_is_not_found(as_ana, subject):
    assert as_ana.get(reverse("records", args=[subject])).status_code == 404


@pytest.mark.parametrize(
    ("name", "subject"), [*(("trends", name) for name in RANGES), ("records", "cycling"), ("records", "running")]
)
def test_ten_years_cost_few_queries_and_little_html(as_ana, years, name, subject, django_assert_max_num_queries):
    as_ana.get(reverse(name, args=[subject]))  # the first look puts the text in line
    with django_assert_max_num_queries(15):
        response = as_ana.get(reverse(name, args=[subject]))
    assert len(response.content) < 60 * KB
    assert "as a table" in response.content.decode() or name == "records"


def test_somebody_elses_bests_are_not_shown(as_ben, ride):
    common = {"activity": ride, "athlete": ride.athlete, "family": "cycling", "local_date": ride.local_date}
    Best.objects.create(measure="power", span=300, value=341, **common)
    assert "341 W" not in as_ben.get(reverse("records", args=["cycling"])).content.decode()
