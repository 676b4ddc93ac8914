"""Load after a long break: what was, what is left of it, and a picture of the training there was."""

from datetime import date, timedelta
from typing import Any

import pytest

from coach import narrator, scopes
from coach.gateway import grounding
from coach.models import Athlete
from coach.scopes.facts import Facts
from tests.coach.scopes.rows import TODAY, activity, training

LAST = date(2026, 3, 8)
DAY = timedelta(days=1)
OF_TRAINING = {
    "ramp",
    "ramp_guide",
    "load_week",
    "load_ratio",
    "monotony",
    "strain",
    "tsb_projected",
    "projected_on",
    "tsb_tomorrow",
}


def load(owner: Athlete) -> Facts:
    return scopes.facts_for("load", owner, "current")


def test_more_than_six_weeks_without_a_session_is_away(ana: Athlete) -> None:
    training(ana, days=60, until=TODAY - 43 * DAY)
    assert load(ana)["phase"].value == "away"
    activity(ana, TODAY - 42 * DAY)
    assert load(ana)["phase"].value != "away"


def test_it_says_since_when_and_what_fitness_was_then(ana: Athlete) -> None:
    training(ana, days=42, until=LAST, load=100)
    facts = load(ana)
    assert not facts.insufficient
    assert facts.as_of == TODAY
    assert (facts["last_session"].display, facts["days_away"].value) == ("8 March 2026", 263)
    assert facts["ctl_then"].value == pytest.approx(63.21, abs=0.005)


def test_fitness_and_fatigue_are_those_of_today(ana: Athlete) -> None:
    training(ana, days=42, until=TODAY - 50 * DAY, load=100)
    facts = load(ana)
    # Yesterday is the last counted day: 49 days of rest, τ of 42 and 7.
    assert facts["ctl"].value == pytest.approx(63.212 * 0.311403, abs=0.01)
    assert facts["atl"].value == pytest.approx(99.75 * 0.000912, abs=0.001)
    assert facts["tsb"].value == pytest.approx(facts["ctl"].value - facts["atl"].value)


def test_the_peak_is_that_of_the_whole_history(ana: Athlete) -> None:
    training(ana, days=100, until=date(2013, 6, 30), load=120)
    training(ana, days=20, until=LAST, load=30)
    facts = load(ana)
    assert facts["ctl_peak_on"].display == "30 June 2013"
    assert facts["ctl_peak"].value > 100 > facts["ctl_then"].value


def test_nothing_is_said_of_a_ramp_or_a_week_that_was_not(ana: Athlete) -> None:
    training(ana, days=90, until=LAST)
    facts = load(ana)
    assert not OF_TRAINING & {fact.key for fact in facts.facts}
    assert facts.missing == ()


def test_shares_are_those_of_the_weeks_before_the_break(ana: Athlete) -> None:
    for number, way in enumerate(("power", "power", "heart_rate", "estimate")):
        activity(ana, LAST - number * 10 * DAY, load=50, load_from=way)
    activity(ana, LAST - 42 * DAY, load=900, load_from="pace")
    facts = load(ana)
    shares = {key: facts[f"share_{key}"].display for key in ("power", "pace", "heart_rate", "estimate")}
    assert shares == {"power": "50 %", "pace": "0 %", "heart_rate": "25 %", "estimate": "25 %"}


def test_the_chart_shows_the_training_and_a_week_after_it(ana: Athlete) -> None:
    training(ana, days=300, until=LAST)
    facts = load(ana)
    chart = facts.charts["load"]
    assert len(chart["days"]) == 180
    assert chart["days"][-1]["date"] == (LAST + 7 * DAY).isoformat()
    assert chart["days"][-8]["load"] == 60
    assert chart["days"][-8]["ctl"] == pytest.approx(facts["ctl_then"].value, abs=0.01)
    assert chart["projected"] == []


def test_the_chart_says_what_its_window_is(ana: Athlete) -> None:
    training(ana, days=10, until=LAST)
    chart = load(ana).charts["load"]
    assert len(chart["days"]) == 17
    assert chart["title"].endswith("up to a week after your last session")
    assert chart["mark"] == "15 March 2026"
    assert "8 March 2026" in chart["note"]


def test_the_table_has_the_weeks_of_the_chart_with_their_year(ana: Athlete) -> None:
    training(ana, days=300, until=LAST)
    table = load(ana).tables["load"]
    assert table["caption"].endswith("up to a week after your last session")
    assert len(table["rows"]) == 12
    assert [row[:2] for row in table["rows"][:2]] == [["15 March 2026", "0"], ["8 March 2026", "420"]]


def test_one_session_of_years_ago_is_enough(ana: Athlete, django_assert_max_num_queries: Any) -> None:
    activity(ana, date(2013, 5, 4), load=80)
    with django_assert_max_num_queries(1):
        facts = load(ana)
    assert (facts["ctl"].display, facts["ctl_then"].display) == ("0", "2")
    assert facts["ctl_peak_on"].value == "2013-05-04"
    assert len(facts.charts["load"]["days"]) == 8


@pytest.mark.parametrize("load_before", [0.0, 60.0])
@pytest.mark.parametrize("days", [43, 90, 4900])
def test_texts_about_it_are_sound(ana: Athlete, days: int, load_before: float) -> None:
    training(ana, days=60, until=TODAY - days * DAY, every=2, load=load_before)
    facts = load(ana)
    for seed in range(20):
        text = narrator.write(facts, language="en", seed=seed)
        assert grounding.check(text, facts, language="en").violations == []
