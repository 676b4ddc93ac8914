"""Body: the trend and its interval, never one weigh-in as a change, and units that are not mixed."""

from datetime import date, timedelta
from typing import Any

import pytest

from coach import narrator, preferred, scopes, weights
from coach.gateway import grounding
from coach.models import Athlete, Threshold
from coach.scopes.facts import Facts
from tests.coach.scopes.rows import TODAY, athlete, measures

VECTOR = [80.0, 80.6, 79.8, 80.2, 79.4, 79.0]
FALLING = [75.0 - 0.05 * day + (day % 3 - 1) * 0.1 for day in range(28)]


def body(owner: Athlete) -> Facts:
    return scopes.facts_for("body", owner, "current")


def weigh(owner: Athlete, values: Any, provider: str = "Scale") -> None:
    measures(owner, "weight_kg", values, provider=provider)


def texts(facts: Facts) -> str:
    return " ".join(str(narrator.write(facts, language="en", seed=seed)) for seed in range(4))


def test_the_trend_is_that_of_the_vector(ana: Athlete) -> None:
    weigh(ana, VECTOR)
    facts = body(ana)
    assert round(float(facts["weight"].value or 0), 3) == 79.887
    assert [round(value or 0, 2) for value in facts["weight"].history] == [80.0, 80.06, 80.03, 80.05, 79.99, 79.89]
    assert facts["weight"].display == "79.9 kg"


def test_the_change_has_its_interval_and_number(ana: Athlete) -> None:
    weigh(ana, FALLING)
    facts = body(ana)
    assert facts["slope"].value == pytest.approx(-0.35, abs=0.02)
    assert (
        float(facts["slope_low"].value or 0) < float(facts["slope"].value or 0) < float(facts["slope_high"].value or 0)
    )
    assert (facts["slope_is"].display, facts["weigh_ins"].display) == ("clear", "28")


def test_older_weigh_ins_have_no_part_in_the_change(ana: Athlete) -> None:
    weigh(ana, [90.0] * 60 + [70.0] * 28)
    assert body(ana)["slope"].value == pytest.approx(0, abs=1e-9)
    assert body(ana)["weigh_ins"].value == 28


def test_one_weigh_in_is_no_change(ana: Athlete) -> None:
    weigh(ana, [*[75.0] * 3, None, None, 71.0])
    facts = body(ana)
    assert facts["slope"].value is not None  # four of them
    ana.measures.filter(value=75.0).delete()
    facts = body(ana)
    assert facts["slope"].value is None
    assert "slope" in facts.missing
    assert facts["weigh_ins_short"].display == "3"
    assert not any(word in texts(facts) for word in ("falls", "fell", "rises", "rose", "{{slope"))


def test_what_may_be_none_is_told_without_a_direction(ana: Athlete) -> None:
    weigh(ana, [75.0 + (day % 4 - 1.5) * 0.6 for day in range(28)])
    facts = body(ana)
    assert facts["slope_is"].display == "open"
    assert not any(word in texts(facts) for word in ("falls", "decrease", "rises", "increase"))


def test_losing_fast_is_named_and_not_praised(ana: Athlete) -> None:
    weigh(ana, [80.0 - 0.2 * day for day in range(28)])
    facts = body(ana)
    assert float(facts["slope_share"].value or 0) < -1
    assert facts["fast"].display == "1 % a week"
    assert "slope_share" in texts(facts)
    assert all(fact.good == "" for fact in facts.facts)  # nothing that praise could rest on
    for seed in range(4):
        text = narrator.write(facts, language="en", seed=seed)
        assert grounding.check(text, facts, language="en").violations == []
        assert not {"eat", "eating", "calories", "food", "well", "good"} & set(str(text["suggestions"]).lower().split())


def test_the_goal_is_a_gap_to_the_trend(ana: Athlete) -> None:
    weigh(ana, [72.0] * 10)
    assert body(ana).get("goal_gap") is None
    ana.weight_goal_kg = 70
    assert body(ana)["goal_gap"].display == "+2.0 kg"
    assert body(ana).charts["weight"]["level"] == 70


@pytest.mark.parametrize(("estimated", "word"), [(True, "estimated"), (False, "as you entered it")])
def test_power_to_weight_is_of_the_threshold_valid_today(ana: Athlete, estimated: bool, word: str) -> None:
    weigh(ana, [72.0] * 10)
    assert body(ana).get("w_per_kg") is None
    for watts, day in ((200.0, date(2025, 1, 1)), (252.0, date(2026, 6, 1)), (300.0, TODAY + timedelta(days=1))):
        Threshold.objects.create(athlete=ana, kind="ftp_w", value=watts, valid_from=day, estimated=estimated)
    facts = body(ana)
    assert (facts["w_per_kg"].display, facts["ftp_is"].display) == ("3.50 W/kg", word)


def test_pounds_are_pounds_everywhere(db: None) -> None:
    joe = athlete("joe", units="imperial", weight_goal_kg=70.0)
    weigh(joe, [72.0 + day * 0.001 for day in range(10)])
    facts = body(joe)
    shown = [fact.display for fact in facts.facts if fact.unit in ("kg", "kg/week")]
    assert all(" lb" in each for each in shown)
    assert facts["weight"].display == "158.7 lb"
    assert (facts.charts["weight"]["unit"], facts.charts["weight"]["level"]) == ("lb", 154.32)
    assert not any("kg" in cell for row in facts.tables["weight"]["rows"] for cell in row)


def test_of_two_scales_one_counts_and_what_was_typed_in_goes_before_it(ana: Athlete) -> None:
    weigh(ana, [75.0] * 20, provider="Scale")
    weigh(ana, [60.0] * 5, provider="Gym")
    assert body(ana)["weight"].value == pytest.approx(75)
    weights.put(ana, TODAY, 73.0)
    facts = body(ana)
    assert (facts["last_raw"].display, facts["weight_from"].display) == ("73.0 kg", "Scale and by hand")


def test_a_weight_typed_in_twice_for_a_day_stands_once(ana: Athlete) -> None:
    for kilograms in (74.0, 73.5):
        weights.put(ana, TODAY, kilograms)
    assert [row.value for row in weights.typed(ana)] == [73.5]
    assert body(ana)["weight_from"].display == preferred.BY_HAND


def test_the_line_is_drawn_between_weigh_ins_and_not_beyond(ana: Athlete) -> None:
    weigh(ana, [70.0, None, 70.0, None, None])
    chart = body(ana).charts["weight"]
    assert chart["line"][-5:] == [70.0, 70.0, 70.0, None, None]
    assert chart["dots"][-5:] == [70.0, None, 70.0, None, None]


def test_without_a_weight_or_with_old_ones_it_says_what_to_do(ana: Athlete) -> None:
    assert "Type in" in body(ana).insufficient
    weigh(ana, [70.0, *[None] * 100])
    assert "100 days old" in body(ana).insufficient


def test_facts_change_with_weigh_in_goal_and_unit(ana: Athlete) -> None:
    weigh(ana, VECTOR)

    def mark() -> str:
        return body(ana).fingerprint(writer="w", language="en", units=ana.units)

    marks = [mark(), mark()]
    ana.weight_goal_kg = 78
    marks.append(mark())
    weights.put(ana, TODAY, 70)
    marks.append(mark())
    ana.units = "imperial"
    marks.append(mark())
    assert marks[0] == marks[1]
    assert len(set(marks)) == 4


def test_body_takes_two_queries(ana: Athlete, django_assert_num_queries: Any) -> None:
    weigh(ana, FALLING * 12)
    with django_assert_num_queries(2):
        body(ana)
