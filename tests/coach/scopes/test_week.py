"""Week: compared with equal weekdays, sports kept apart."""

from datetime import date, timedelta
from typing import Any

import pytest

from coach import scopes
from coach.models import Athlete, Goal, Planned
from coach.scopes.facts import Facts
from tests.coach.scopes.rows import TODAY, activity, athlete, training

MONDAY = date(2026, 11, 23)
DAY, WEEK = timedelta(days=1), timedelta(days=7)


def week(owner: Athlete, name: str = "2026-W48") -> Facts:
    return scopes.facts_for("week", owner, name)


def usual_weeks(owner: Athlete, *, weeks: int = 6) -> None:
    """Make weeks with 50 points on Monday and Wednesday and 200 on Saturday, this one not yet at its Saturday."""
    for number in range(weeks + 1):
        start = MONDAY - WEEK * number
        for offset, load in ((0, 50.0), (2, 50.0), (5, 200.0)):
            if start + DAY * offset <= TODAY:
                activity(owner, start + DAY * offset, load=load, timer_s=load * 60)


def test_a_thursday_is_compared_with_thursdays(ana: Athlete) -> None:
    usual_weeks(ana)
    facts = week(ana)
    assert facts["load"].display == "100"
    assert facts["load_usual"].display == "100"
    assert facts["load_change"].display == "0 %"
    assert facts["timer_change"].display == "0 %"
    assert facts["days_counted"].display == "3"
    assert facts["counted_until"].display == "Wednesday"


def test_today_counts_once_there_is_a_session_on_it(ana: Athlete) -> None:
    usual_weeks(ana)
    for number in range(1, 5):
        activity(ana, TODAY - WEEK * number, load=30)
    assert week(ana)["load_usual"].value == 100
    activity(ana, TODAY, load=60)
    facts = week(ana)
    assert facts["load_usual"].value == 130
    assert facts["counted_until"].display == "Thursday"
    assert facts["load_change"].value == pytest.approx(23.08, abs=0.01)


def test_a_past_week_is_compared_whole(ana: Athlete) -> None:
    usual_weeks(ana)
    activity(ana, MONDAY - DAY, load=150)
    facts = week(ana, "2026-W47")
    assert facts["load"].value == 450
    assert facts["load_change"].display == "+50 %"
    assert facts.get("days_counted") is None
    assert facts["monotony"].value == pytest.approx(0.8018, abs=0.0001)
    assert facts.as_of == MONDAY - DAY


def test_the_median_forgives_one_odd_week(ana: Athlete) -> None:
    usual_weeks(ana)
    activity(ana, MONDAY - WEEK * 2, load=900)
    assert week(ana)["load_usual"].value == 100


def test_the_week_in_which_somebody_began_is_no_yardstick(ana: Athlete) -> None:
    training(ana, days=20, until=TODAY)  # began on a Saturday three weeks ago
    assert len(week(ana)["load"].history) == 3
    training(ana, days=1, until=TODAY - timedelta(days=9))
    assert week(ana)["load_usual"].value is not None


def test_a_first_week_has_nothing_to_compare_with(ana: Athlete) -> None:
    activity(ana, MONDAY)
    facts = week(ana)
    assert facts["load_change"].value is None
    assert {"load_usual", "load_change", "timer_change"} <= set(facts.missing)


def test_sports_are_kept_apart(ana: Athlete) -> None:
    activity(ana, MONDAY, distance_m=10_000, ascent_m=120)
    activity(ana, MONDAY + DAY, sport="cycling", distance_m=40_000, timer_s=5400, load=80)
    activity(ana, MONDAY + DAY, sport="open_water-swim", distance_m=None, timer_s=1200, load=10)
    facts = week(ana)
    assert facts["running_distance"].display == "10.0 km"
    assert facts["cycling_distance"].display == "40.0 km"
    assert facts["running_ascent"].display == "120 m"
    assert facts.get("cycling_ascent") is None
    assert facts.get("distance") is None
    assert facts["open_water_swim_sessions"].display == "1"
    assert [row[0] for row in facts.tables["sports"]["rows"]] == ["Cycling", "Running", "Open water-swim"]


def test_the_longest_session_has_a_day_and_a_sport(ana: Athlete) -> None:
    activity(ana, MONDAY)
    activity(ana, MONDAY + DAY, sport="cycling", timer_s=9000)
    facts = week(ana)
    assert (facts["longest"].display, facts["longest_sport"].display) == ("2:30:00", "cycling")
    assert facts["longest_day"].display == "Tuesday"


def test_intensity_splits_by_heart_rate_and_else_by_power(ana: Athlete) -> None:
    activity(ana, MONDAY, zone_seconds={"heart_rate": [600, 600, 300, 300, 200, 0, 0]})
    activity(ana, MONDAY + DAY, zone_seconds={"power": [0, 1000, 0, 0, 0, 0, 0]})
    facts = week(ana)
    shares = [facts[f"{name}_share"].display for name in ("easy", "moderate", "hard")]
    assert shares == ["73 %", "20 %", "7 %"]


def test_an_estimated_share_is_said_only_where_there_is_one(ana: Athlete) -> None:
    activity(ana, MONDAY, load=75)
    assert week(ana).get("estimate_share") is None
    activity(ana, MONDAY + DAY, load=25, load_from="estimate")
    assert week(ana)["estimate_share"].display == "25 %"


def test_the_week_of_somebody_who_begins_on_sunday(ana: Athlete) -> None:
    ana.week_starts_on = 7
    activity(ana, MONDAY - DAY, load=10)
    activity(ana, MONDAY + DAY * 5, load=20)
    days = week(ana).charts["week"]["days"]
    assert days[0]["date"] == "2026-11-22"
    assert [day["label"] for day in days] == ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    assert [day["load"] for day in days] == [10, 0, 0, 0, 0, 0, 20]


def test_the_chart_has_seven_days_with_their_sessions(ana: Athlete) -> None:
    row = activity(ana, MONDAY)
    chart = week(ana).charts["week"]
    assert len(chart["days"]) == 7
    assert chart["days"][0]["sessions"] == [{"sport": "running", "timer_s": 3600.0, "activity_id": row.pk}]
    assert chart["days"][0]["timer_s"] == 3600


def test_what_is_planned_is_drawn_and_counted_nowhere(ana: Athlete) -> None:
    activity(ana, MONDAY)
    before = week(ana)
    Planned.objects.create(athlete=ana, day=MONDAY + DAY, title="Long ride", sport="cycling", duration_s=7200, load=90)
    after = week(ana)
    assert after.charts["week"]["days"][1]["planned"] == [{"sport": "cycling", "title": "Long ride", "timer_s": 7200.0}]
    assert after.charts["week"]["days"][1]["sessions"] == []
    assert [fact.display for fact in after.facts] == [fact.display for fact in before.facts]
    assert after.tables["week"]["rows"][1] == ["Tue 24 Nov", "–", "–", "–", "Long ride"]


def test_what_somebody_said_to_ignore_is_counted_nowhere(ana: Athlete) -> None:
    activity(ana, MONDAY)
    activity(ana, MONDAY, is_ignored=True)
    assert week(ana)["sessions"].value == 1
    assert scopes.facts_for("load", ana, "current")["load_week"].value == 60


def test_an_empty_week_says_what_to_do(ana: Athlete) -> None:
    training(ana, days=3, until=MONDAY - DAY)
    assert "so far" in week(ana).insufficient
    assert "If you trained" in week(ana, "2026-W40").insufficient
    assert "not begun" in week(ana, "2027-W02").insufficient
    assert len(week(ana).charts["week"]["days"]) == 7


def test_miles_and_feet(db: None) -> None:
    joe = athlete("joe", units="imperial")
    activity(joe, MONDAY, distance_m=16_093.44, ascent_m=304.8)
    facts = week(joe)
    assert facts["running_distance"].display == "10.0 mi"
    assert facts["running_ascent"].display == "1000 ft"


def test_the_goal_is_told_in_whole_weeks_and_counts_for_nothing(ana: Athlete) -> None:
    usual_weeks(ana)
    before = week(ana)
    goal = Goal.objects.create(athlete=ana, name="Race", day=MONDAY + DAY * 16, distance_m=21_097.5, target_s=5400.0)
    facts = week(ana)
    assert [facts[key].display for key in ("goal_on", "goal_weeks", "goal_distance", "goal_target")] == [
        "9 December 2026", "2", "21.1 km", "1:30:00",
    ]  # fmt: skip
    assert [facts[key].value for key in ("load", "sessions", "timer")] == [
        before[key].value for key in ("load", "sessions", "timer")
    ]
    assert not any("Race" in fact.display for fact in facts.facts)
    assert week(ana, "2026-W47").get("goal_on") is None
    goal.day = TODAY
    goal.save()
    assert week(ana)["goal_weeks"].display == "0"
    assert week(ana).charts["goal"]["aim"] == "21.1 km in 1:30:00"


def test_a_goal_that_is_over_stays_with_its_week(ana: Athlete) -> None:
    usual_weeks(ana)
    Goal.objects.create(athlete=ana, name="Race", day=MONDAY - DAY)
    assert week(ana, "2026-W47")["goal_on"].display == "22 November 2026"
    assert week(ana).get("goal_on") is None


def test_a_week_takes_four_queries(ana: Athlete, django_assert_max_num_queries: Any) -> None:
    usual_weeks(ana, weeks=14)
    with django_assert_max_num_queries(4):
        week(ana)


def test_what_is_no_week_is_unknown(ana: Athlete) -> None:
    with pytest.raises(scopes.UnknownSubject, match="Invalid week"):
        week(ana, "2026-W99")


def test_facts_change_with_the_week_and_not_with_reading_it(ana: Athlete) -> None:
    usual_weeks(ana)

    def mark() -> str:
        return week(ana).fingerprint(writer="builtin/1", language="en", units="metric")

    before = mark()
    assert mark() == before
    activity(ana, TODAY)
    assert mark() != before
