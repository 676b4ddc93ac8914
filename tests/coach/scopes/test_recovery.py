"""Recovery: in the personal range, by one provider and one kind, and honest about nights that are not there."""

import math
from itertools import cycle, islice
from typing import Any

import pytest

from coach import narrator, scopes
from coach.gateway import grounding
from coach.models import Athlete
from coach.scopes.facts import Facts
from tests.coach.scopes.rows import measures, nights

WEEK = [62.0, 70.0, 58.0, 66.0, 75.0, 61.0, 68.0]
SLEPT = [420.0, 450.0, 500.0, 390.0, 480.0, 460.0, 510.0]
RMSSD, SDNN, RESTING = "hrv_rmssd_ms", "hrv_sdnn_ms", "resting_heart_rate_bpm"


def recovery(owner: Athlete) -> Facts:
    return scopes.facts_for("recovery", owner, "current")


def around(value: float, *, days: int = 53, by: float = 4.0) -> list[float]:
    return list(islice(cycle((value - by, value, value + by)), days))


def test_the_week_of_the_vector(ana: Athlete) -> None:
    measures(ana, RMSSD, WEEK)
    nights(ana, SLEPT)
    facts = recovery(ana)
    assert round(math.log(float(facts["hrv_7d"].value or 0)), 3) == 4.182
    assert round(float(facts["hrv_7d"].value or 0), 1) == 65.5
    assert round(float(facts["hrv_cv"].value or 0), 2) == 2.12
    assert facts["debt"].value == 150
    assert (facts["hrv_7d"].display, facts["hrv_cv"].display, facts["debt"].display) == ("65 ms", "2.1 %", "2 h 30 min")


def test_the_band_is_that_of_the_vector(ana: Athlete) -> None:
    spread = 0.15 * math.sqrt(59 / 60)  # so that the sample SD of thirty pairs is 0.15
    measures(ana, RMSSD, [math.exp(4.20 + sign * spread) for _ in range(30) for sign in (-1, 1)])
    facts = recovery(ana)
    edges = [round(float(facts[key].value or 0), 1) for key in ("hrv_low", "hrv_high")]
    assert edges == [59.6, 74.6]
    assert facts["hrv_position"].display == "within"


def test_sdnn_is_called_sdnn_and_is_never_beside_rmssd(ana: Athlete) -> None:
    measures(ana, SDNN, around(50.0, days=60), provider="Apple Watch")
    measures(ana, RMSSD, [200.0] * 9)
    facts = recovery(ana)
    assert (facts["hrv_kind"].display, facts["hrv_from"].display) == ("SDNN", "Apple Watch")
    assert float(facts["hrv_high"].value or 0) < 60
    for seed in range(4):
        said = str(narrator.write(facts, language="en", seed=seed))
        assert "rMSSD" not in said
    assert "SDNN" in facts.charts["hrv"]["title"]


def test_several_readings_of_a_night_are_one_value(ana: Athlete) -> None:
    measures(ana, RMSSD, [60.0] * 5)
    for row in list(ana.measures.all()):
        row.pk, row.at, row.value = None, row.at.replace(hour=2), 80.0
        row.save()
    assert round(float(recovery(ana)["hrv_7d"].value or 0), 6) == 70


def test_too_few_nights_say_how_many_are_to_come(ana: Athlete) -> None:
    measures(ana, RMSSD, [60.0] * 9)
    measures(ana, RESTING, [50.0, 51.0])
    nights(ana, [400.0, None, 420.0])
    facts = recovery(ana)
    assert facts["hrv_nights_short"].display == "5"
    assert facts["rhr_days_short"].display == "12"
    assert facts["nights_short"].display == "2"
    assert {"hrv_position", "asleep_mean", "debt", "rhr_delta"} <= set(facts.missing)
    assert facts["agreement"].display == "too few to compare"


def test_a_night_that_is_not_there_is_no_night_without_sleep(ana: Athlete) -> None:
    nights(ana, [480.0, None, 420.0, None, 480.0, 480.0, None])
    facts = recovery(ana)
    assert facts["debt"].value == 60
    assert facts["asleep_mean"].value == 465
    assert facts["last_night"].value == "2026-11-25"
    assert facts.charts["sleep"]["bars"][-1] is None


def test_the_need_is_the_athletes_own(ana: Athlete) -> None:
    nights(ana, SLEPT)
    ana.sleep_need_min = 420
    assert recovery(ana)["debt"].value == 0


@pytest.mark.parametrize(("last", "word"), [(57.0, "raised"), (50.5, "as usual")])
def test_a_raised_resting_heart_rate_is_named(ana: Athlete, last: float, word: str) -> None:
    measures(ana, RESTING, around(50.0, by=1.0) + [last] * 7)
    assert recovery(ana)["rhr_state"].display == word


def test_two_signals_agree_and_one_stands_apart(ana: Athlete) -> None:
    measures(ana, RMSSD, around(70.0) + [45.0] * 7)
    measures(ana, RESTING, around(50.0, by=1.0) + [50.0] * 7)
    assert recovery(ana)["agreement"].display == "one stands apart"
    nights(ana, [380.0] * 7)
    assert recovery(ana)["agreement"].display == "several agree"


def test_one_odd_night_is_no_signal(ana: Athlete) -> None:
    measures(ana, RMSSD, around(70.0) + [70.0] * 6 + [20.0])
    measures(ana, RESTING, around(50.0, by=1.0) + [52.5] * 6 + [60.0])
    nights(ana, [480.0] * 6 + [10.0])
    facts = recovery(ana)
    assert facts["hrv_position"].display == "below"
    assert facts["rhr_state"].display == "raised"
    assert float(facts["debt"].value or 0) > 300
    assert facts["agreement"].display == "all as usual"


def test_above_the_range_is_called_neither_good_nor_better(ana: Athlete) -> None:
    measures(ana, RMSSD, around(60.0) + [95.0] * 7)
    facts = recovery(ana)
    assert facts["hrv_position"].display == "above"
    assert all(fact.good == "" for fact in facts.facts if fact.key.startswith(("hrv", "rhr")))
    for seed in range(4):
        text = narrator.write(facts, language="en", seed=seed)
        assert not {"better", "healthy", "improv"} & set(str(text).lower().split())


def test_nothing_is_measured_against_other_people(ana: Athlete) -> None:
    measures(ana, RMSSD, around(18.0, by=1.0))  # low for most, and this athlete's usual
    facts = recovery(ana)
    assert facts["hrv_position"].display == "within"
    assert facts["agreement"].display != "several agree"


def test_bedtimes_and_stages_are_there_only_when_measured(ana: Athlete) -> None:
    nights(ana, [450.0] * 7, start_at=None)
    facts = recovery(ana)
    assert facts.get("bedtime_sd") is None
    assert facts.get("deep") is None
    nights(ana, [450.0] * 8, provider="Watch", stages={"deep": 60.0, "rem": 90.0, "light": 300.0})
    facts = recovery(ana)
    assert (facts["deep"].display, facts["sleep_from"].display) == ("1 h 00 min", "Watch")
    assert float(facts["bedtime_sd"].value or 0) == pytest.approx(11.9, abs=0.1)


def test_the_text_stands_on_what_came_in(ana: Athlete) -> None:
    measures(ana, RMSSD, around(70.0) + [45.0] * 7)
    measures(ana, RESTING, around(50.0, by=1.0) + [56.0] * 7)
    nights(ana, [380.0] * 14)
    facts = recovery(ana)
    for seed in range(4):
        assert grounding.check(narrator.write(facts, language="en", seed=seed), facts, language="en").violations == []


def test_hours_of_sleep_of_a_table_count_where_there_is_no_night(ana: Athlete) -> None:
    measures(ana, "sleep_min", SLEPT, provider="Diary")
    facts = recovery(ana)
    assert (facts["debt"].value, facts["sleep_from"].display) == (150, "Diary")


def test_without_nights_or_with_old_ones_it_says_what_to_upload(ana: Athlete) -> None:
    assert "Upload what your watch" in recovery(ana).insufficient
    measures(ana, RMSSD, WEEK + [None] * 20)
    assert "20 days old" in recovery(ana).insufficient


def test_facts_change_with_a_night_and_the_day_and_not_with_a_second_reading(ana: Athlete) -> None:
    nights(ana, SLEPT)

    def mark() -> str:
        return recovery(ana).fingerprint(writer="w", language="en", units="metric")

    before = mark()
    nights(ana, SLEPT, provider="Ring")  # the same export once more
    assert mark() == before
    nights(ana, [*SLEPT[:-1], 300.0])
    assert mark() != before


def test_recovery_takes_two_queries(ana: Athlete, django_assert_num_queries: Any) -> None:
    measures(ana, RMSSD, around(60.0))
    nights(ana, SLEPT)
    with django_assert_num_queries(2):
        recovery(ana)


def test_recovery_is_always_current(ana: Athlete) -> None:
    with pytest.raises(scopes.UnknownSubject):
        scopes.facts_for("recovery", ana, "2026-W48")
