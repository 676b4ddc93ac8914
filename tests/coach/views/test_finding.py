"""Finding sessions: by sport, days and name, in three orders; as a month, as a year, and on the same route."""

import re
from datetime import date

import pytest
from django.urls import reverse

from coach import months
from coach.templatetags.drawing import heat
from coach.views.activities import PAGE
from tests import factories
from tests.coach.views.rows import HTMX, ridden

DAY = date(2026, 3, 14)


def shown(response) -> list[int]:
    return [int(pk) for pk in re.findall(r'class="entry" href="/activities/(\d+)/"', response.content.decode())]


def listed(client, **asked):
    return client.get(reverse("activities"), asked)


@pytest.fixture
def few(ana):
    return {
        "run": factories.activity(
            ana, date(2026, 1, 5), sport="running", timer_s=1800, load=90, name="By the canal", session_type="long"
        ),
        "ride": factories.activity(
            ana, date(2026, 2, 5), timer_s=7200, load=80, session_type="long", stated_type="tempo"
        ),
        "swim": factories.activity(
            ana, date(2026, 3, 5), sport="swimming", timer_s=900, load=10, note="Cold water", is_race=True
        ),
    }


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        ({"sport": "running"}, ["run"]),
        ({"kind": "long"}, ["run"]),
        ({"kind": "tempo"}, ["ride"]),
        ({"kind": "race"}, ["swim"]),
        ({"first": "2026-02-05"}, ["swim", "ride"]),
        ({"last": "2026-02-05"}, ["ride", "run"]),
        ({"first": "2026-02-01", "last": "2026-02-28"}, ["ride"]),
        ({"name": "CANAL"}, ["run"]),
        ({"name": "cold"}, ["swim"]),
        ({"sort": "longest"}, ["ride", "run", "swim"]),
        ({"sort": "load"}, ["run", "ride", "swim"]),
        ({"name": "100%_"}, []),
        ({}, ["swim", "ride", "run"]),
    ],
)
def test_the_list_shows_what_is_asked_for_in_its_order(as_ana, few, asked, names):
    assert shown(listed(as_ana, **asked)) == [few[name].pk for name in names]


def test_a_day_that_is_none_gets_a_sentence_and_the_rest_is_heard(as_ana, few):
    response = listed(as_ana, first="soon", sport="running")
    assert "Write the day like 2026-05-31." in response.content.decode()
    assert shown(response) == [few["run"].pk]


@pytest.mark.parametrize("asked", [{"sport": "golf"}, {"sort": "x"}, {"name": "\x00"}, {"before": "9" * 40}])
def test_nonsense_is_no_trouble(as_ana, few, asked):
    assert listed(as_ana, **asked).status_code in (200, 400, 404)


@pytest.mark.parametrize("sort", ["", "longest", "load"])
def test_pages_of_every_order_hold_each_session_once(as_ana, source, sort):
    rows = [
        ridden(source, hours_ago=number * 30, timer_s=600 + number % 7, load=number % 5) for number in range(PAGE + 9)
    ]
    first = listed(as_ana, sort=sort)
    older = re.search(r'hx-get="([^"]*)"', first.content.decode())[1].replace("&amp;", "&")
    second = as_ana.get(older, headers=HTMX)
    assert sorted(shown(first) + shown(second)) == sorted(row.pk for row in rows)
    assert ("sort=" in older) == bool(sort)


def test_the_total_leaves_out_what_is_ignored(as_ana, few):
    few["ride"].is_ignored = True
    few["ride"].save()
    response = listed(as_ana)
    assert "2 sessions that count, 45 min</p>" in response.content.decode()
    assert few["ride"].pk in shown(response)


def test_nothing_found_leads_back_to_everything(as_ana, few):
    assert "No session is like that." in listed(as_ana, name="nowhere").content.decode()


def test_the_month_shows_each_day_with_its_sessions(as_ana, ana):
    row = factories.activity(ana, DAY)
    body = as_ana.get(reverse("calendar", args=["2026-03"])).content.decode()
    assert "March 2026" in body
    assert reverse("activity", args=[row.pk]) in body
    assert "1 session, 1 h 00 min, load 60" in body


def test_a_month_comes_to_what_its_list_and_its_row_of_the_year_come_to(as_ana, ana):
    for day in ("2026-02-28", "2026-03-01", "2026-03-14", "2026-03-14", "2026-03-31", "2026-04-01"):
        factories.activity(ana, date.fromisoformat(day), timer_s=1234.5, load=20.4)
    factories.activity(ana, DAY, load=500, is_ignored=True)
    body = as_ana.get(reverse("calendar", args=["2026-03"])).content.decode()
    assert "4 sessions, 1 h 22 min, load 82" in body
    its_list = re.search(r'href="([^"]*)">List<', body)[1].replace("&amp;", "&")
    response = as_ana.get(its_list)
    assert "4 sessions that count, 1 h 22 min, load 82" in response.content.decode()
    assert len(shown(response)) == 5
    year = as_ana.get(reverse("year", args=[2026])).content.decode()
    assert "March</a></th><td>4</td><td>1 h 22 min</td><td>82</td>" in year


def test_months_begin_on_the_athletes_weekday_and_hold_whole_weeks(ana):
    for starts_on, head in ((1, "Mon"), (6, "Sat"), (7, "Sun")):
        ana.week_starts_on = starts_on
        shown_month = months.month(ana, "2026-02")
        assert shown_month.heads[0] == head
        assert {len(week) for week in shown_month.weeks} == {7}
        assert sum(day.inside for week in shown_month.weeks for day in week) == 28


@pytest.mark.parametrize("month", ["2026-13", "2026-00", "1066-10", "march", "2026-1"])
def test_a_month_that_is_none_is_not_found(as_ana, month):
    assert as_ana.get(reverse("calendar", args=[month])).status_code == 404


def test_the_year_counts_its_months(as_ana, ana):
    factories.activity(ana, DAY, load=90)
    factories.activity(ana, DAY, load=50)
    factories.activity(ana, date(2026, 12, 31), load=500, is_ignored=True)
    body = as_ana.get(reverse("year", args=[2026])).content.decode()
    assert re.search(r"March</a></th><td>2</td><td>2 h 00 min</td><td>140</td>", body)
    assert "1 day of 2026 with load; the most, 140 points, on 14 March 2026." in body
    assert body.count('class="l4"') == 1


@pytest.mark.parametrize("year", [0, 1969, 2201, 99999])
def test_a_year_that_is_none_is_not_found(as_ana, year):
    assert as_ana.get(f"/activities/year/{year}/").status_code == (200 if year == 0 else 404)


def test_every_day_of_a_year_has_one_square():
    for year, days in ((2026, 365), (2028, 366)):
        drawn = heat.chart({date(year, 1, 1): 50.0}, year=year, starts_on=7)
        paths = [path for half in drawn.halves for path in (half.empty, *(path for _, path in half.levels))]
        assert sum(path.count("M") for path in paths) == days
        assert [len(half.months) for half in drawn.halves] == [6, 6]


@pytest.mark.parametrize("name", ["activities", "calendar", "year"])
def test_ten_years_take_few_queries_and_little_html(as_ana, source, name, django_assert_max_num_queries):
    for number in range(300):
        ridden(source, hours_ago=number * 12)
    with django_assert_max_num_queries(8):
        response = as_ana.get(reverse(name))
    assert len(response.content) < 60 * 1024


def test_sessions_on_the_same_route_are_beside_each_other(as_ana, ana, ride):
    way = [[47 + step * 0.002, 8.0] for step in range(16)]
    ride.route = way
    ride.save()
    same = factories.activity(ana, DAY, route=way)
    back = factories.activity(ana, DAY, route=way[::-1])
    ignored = factories.activity(ana, DAY, route=way, is_ignored=True)
    longer = factories.activity(ana, DAY, route=way, distance_m=60_000)
    run = factories.activity(ana, DAY, route=way, sport="running")
    body = as_ana.get(reverse("activity", args=[ride.pk])).content.decode()
    table = body[body.index("same-route") : body.index('id="said"')]
    assert re.findall(r'href="/activities/(\d+)/"', table) == [str(same.pk)]
    assert not {str(row.pk) for row in (back, ignored, longer, run)} & set(re.findall(r"/activities/(\d+)/", table))


@pytest.mark.parametrize(
    ("row", "name"), [({}, "Ride"), ({"virtual": True}, "Virtual ride"), ({"name": "Hills"}, "Hills")]
)
def test_a_session_has_one_name_everywhere(as_ana, ana, row, name):
    ride = factories.activity(ana, ana.today(), **row)
    assert f"{name}</span>" in " ".join(listed(as_ana).content.decode().split())
    page = as_ana.get(reverse("activity", args=[ride.pk])).content.decode()
    assert f"<h1>{name}, " in page
