"""Load: exact, on every calendar day, and honest about what it rests on."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from coach import scopes
from coach.models import Athlete
from coach.scopes.facts import Facts
from coach.scopes.load.days import days_of
from coach.scopes.load.terms import phase
from tests.coach.scopes.rows import TODAY, activity, athlete, training

YESTERDAY = TODAY - timedelta(days=1)
DAY = timedelta(days=1)


def load(owner: Athlete) -> Facts:
    return scopes.facts_for("load", owner, "current")


def test_six_weeks_of_a_hundred_a_day(ana: Athlete) -> None:
    training(ana, days=42, until=YESTERDAY, load=100)
    facts = load(ana)
    assert (facts["ctl"].display, facts["atl"].display, facts["tsb"].display) == ("63", "100", "−37")
    assert facts["ctl"].value == pytest.approx(63.21, abs=0.005)
    assert facts["load_week"].value == 700


def test_rest_days_count_as_nothing_done(ana: Athlete) -> None:
    training(ana, days=42, until=TODAY - timedelta(days=8), load=100)
    facts = load(ana)
    assert facts["ctl"].value == pytest.approx(53.51, abs=0.005)
    assert facts["atl"].value == pytest.approx(36.70, abs=0.005)
    assert facts["tsb"].value == pytest.approx(16.81, abs=0.005)


def test_a_day_that_is_not_over_is_no_rest_day(ana: Athlete) -> None:
    training(ana, days=42, until=YESTERDAY, load=100)
    before = load(ana)
    assert before["tsb"].value == pytest.approx(before["ctl"].value - before["atl"].value)
    assert before.get("tsb_tomorrow") is None
    activity(ana, TODAY, load=100)
    after = load(ana)
    assert after["tsb"].value == before["tsb"].value
    assert after["ctl"].value > before["ctl"].value
    assert after["tsb_tomorrow"].value == pytest.approx(after["ctl"].value - after["atl"].value)


def test_a_plan_or_a_clock_ahead_counts_for_nothing(ana: Athlete) -> None:
    training(ana, days=42, until=YESTERDAY)
    before = load(ana)
    activity(ana, TODAY + DAY, load=300)
    assert load(ana).facts == before.facts


def test_several_sessions_a_day_add_up(ana: Athlete) -> None:
    activity(ana, YESTERDAY, load=40)
    activity(ana, YESTERDAY, load=60, sport="cycling", load_from="power")
    assert load(ana)["load_week"].value == 100


def test_rest_lifts_form_on_the_morning_seven_days_ahead(ana: Athlete) -> None:
    training(ana, days=42, until=TODAY, load=100)
    facts = load(ana)
    chart = facts.charts["load"]
    assert facts["projected_on"].value == (TODAY + timedelta(days=7)).isoformat()
    assert chart["projected"][0]["date"] == (TODAY + DAY).isoformat()
    assert chart["projected"][0]["tsb"] == pytest.approx(facts["tsb_tomorrow"].value, abs=0.01)
    assert chart["projected"][-1]["tsb"] == pytest.approx(facts["tsb_projected"].value, abs=0.01)
    ctl = 63.21 * (1 - 0.023529) ** 6
    assert chart["projected"][-2]["ctl"] == pytest.approx(ctl, abs=0.02)


@pytest.mark.parametrize("last", [TODAY, YESTERDAY, TODAY - 42 * DAY])
def test_while_there_is_training_the_chart_ends_today_and_agrees_with_the_facts(ana: Athlete, last: Any) -> None:
    training(ana, days=300, until=last)
    facts = load(ana)
    days = facts.charts["load"]["days"]
    assert len(days) == 180
    assert days[-1]["date"] == TODAY.isoformat()
    for key in ("ctl", "atl", "tsb"):
        assert days[-1][key] == pytest.approx(facts[key].value, abs=0.01)
    assert set(days[0]) == {"date", "ctl", "atl", "tsb", "load"}
    assert len(facts.charts["load"]["projected"]) == 7
    assert facts.charts["load"]["mark"] == "today"


def test_the_share_of_load_by_how_it_was_measured(ana: Athlete) -> None:
    for number, way in enumerate(("power", "power", "heart_rate", "estimate")):
        activity(ana, YESTERDAY - timedelta(days=number), load=50, load_from=way)
    activity(ana, TODAY - timedelta(days=60), load=900, load_from="pace")
    facts = load(ana)
    shares = {key: facts[f"share_{key}"].display for key in ("power", "pace", "heart_rate", "estimate")}
    assert shares == {"power": "50 %", "pace": "0 %", "heart_rate": "25 %", "estimate": "25 %"}


@pytest.mark.parametrize(
    ("days", "ramp", "tsb", "word"),
    [
        (41, 9, -40, "starting"),
        (42, 7.1, -5, "overdoing"),
        (42, 2, -31, "overdoing"),
        (100, 1, -5, "building"),
        (100, 0.9, 5, "holding"),
        (100, -0.9, 5, "holding"),
        (100, -1, 20, "easing"),
    ],
)
def test_the_phase_is_a_rule(days: int, ramp: float, tsb: float, word: str) -> None:
    assert phase(days_away=42, days=days, ramp=ramp, tsb=tsb) == word
    assert phase(days_away=43, days=days, ramp=ramp, tsb=tsb) == "away"


def test_too_little_for_a_ratio_is_said_as_missing(ana: Athlete) -> None:
    activity(ana, YESTERDAY)
    facts = load(ana)
    assert {"load_ratio", "monotony", "strain"} <= set(facts.missing)
    assert facts["load_ratio"].display == "–"


def test_the_first_session_may_be_of_today(ana: Athlete) -> None:
    activity(ana, TODAY, load=100)
    facts = load(ana)
    assert facts["tsb"].display == "0"
    assert len(facts.charts["load"]["days"]) == 1


def test_without_activities_it_says_what_to_upload(ana: Athlete) -> None:
    facts = load(ana)
    assert "Upload" in facts.insufficient
    assert facts.facts == ()


def test_what_is_only_planned_is_no_training(ana: Athlete) -> None:
    activity(ana, TODAY + DAY)
    assert "Upload" in load(ana).insufficient


def test_a_device_that_lost_its_clock_does_not_stretch_history(ana: Athlete) -> None:
    activity(ana, TODAY.replace(year=1989))
    activity(ana, YESTERDAY)
    assert len(load(ana).charts["load"]["days"]) == 2


def test_only_ones_own_load_counts(ana: Athlete) -> None:
    training(athlete("mate"), days=50)
    assert load(ana).insufficient


def test_load_has_one_subject(ana: Athlete) -> None:
    with pytest.raises(scopes.UnknownSubject, match="always current"):
        scopes.facts_for("load", ana, "2026-W48")


def test_load_takes_one_query(ana: Athlete, django_assert_max_num_queries: Any) -> None:
    training(ana, days=100)
    with django_assert_max_num_queries(1):
        load(ana)


def test_the_table_stands_behind_the_chart(ana: Athlete) -> None:
    training(ana, days=300, until=YESTERDAY)
    table = load(ana).tables["load"]
    assert len(table["rows"]) == 12
    assert table["rows"][0] == ["Wed 25 Nov", "420", "60", "60", "0"]
    assert all(len(row) == len(table["columns"]) for row in table["rows"])


def test_years_are_read_in_one_row(ana: Athlete) -> None:
    training(ana, days=400, load=50)
    activity(ana, TODAY - DAY * 500, load_from="power")
    read = []

    def count(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        result = execute(sql, params, many, context)
        read.append(context["cursor"].rowcount)
        return result

    with connection.execute_wrapper(count):
        found = days_of(ana)
    assert found is not None
    assert (found.loads.size, found.loads.sum(), read) == (501, 400 * 50 + 60, [1])
