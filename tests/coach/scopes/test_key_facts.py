"""The facts that the reference lists for each screen are there, each with unit, meaning, formula and source."""

import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest

from coach import display, narrator, scopes
from coach.gateway import grounding, prompt
from coach.models import Athlete
from coach.scopes.facts import Fact, Facts
from coach.scopes.goal import OF_WEEK
from coach.scopes.terms import Term
from tests.coach.scopes.rich import made, ride_of
from tests.coach.scopes.rows import TODAY
from tests.coach.scopes.test_registry import ALL

DAY = timedelta(days=1)
WORDS_AND_DAYS = {"word", *display.DAYS}

# By scope, as the reference lists them: what it is called there, and by which facts it is told here.
LISTED: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "today": {
        "tsb, ctl, atl": ("tsb", "ctl", "atl"),
        "load_yesterday": ("load_yesterday",),
        "days_since_hard": ("days_since_hard",),
        "hrv_7d and band position": ("hrv_7d", "hrv_position"),
        "rhr_delta": ("rhr_delta",),
        "sleep_last and sleep_debt": ("sleep_last", "sleep_debt"),
        "planned session": ("planned", "planned_load"),
        "verdict": ("verdict",),
        "the goal": ("goal_in", "goal_day", "goal_sport", "goal_distance", "goal_target"),
    },
    "week": {
        "per sport sessions, timer, distance, ascent, load": (
            "running_sessions", "running_timer", "running_distance", "running_ascent", "running_load",
        ),
        "delta to the median of four weeks": ("load_usual", "load_change", "timer_usual", "timer_change"),
        "intensity split": ("easy_share", "moderate_share", "hard_share"),
        "longest": ("longest", "longest_sport", "longest_day"),
        "days elapsed": ("days_counted",),
        "the goal": ("goal_on", "goal_weeks", "goal_sport", "goal_distance", "goal_target"),
    },
    "whole week": {"monotony": ("monotony", "strain")},
    "trends": {
        f"{name}: slope with interval and n, first and last value": (
            f"{key}_slope", f"{key}_margin", f"{key}_n", f"{key}_start", f"{key}_end",
        )
        for name, key in {
            "EF": "running_efficiency", "pace": "running_pace", "volume": "running_volume", "VDOT": "running_vdot",
            "CTL": "fitness",
        }.items()
    }
    | {"at given HR": ("running_pace_pulse",)},
    "load": {
        "ctl, atl, tsb": ("ctl", "atl", "tsb"),
        "ramp": ("ramp",),
        "monotony, strain": ("monotony", "strain"),
        "7/21 ratio": ("load_ratio",),
        "projected tsb at rest in 7 days": ("tsb_projected", "projected_on"),
        "share of load from power, HR, pace, estimate": (
            "share_power", "share_heart_rate", "share_pace", "share_estimate", "share_effort",
        ),
        "phase and convention": ("phase", "convention", "ramp_guide"),
    },
    "activity": {
        "sport, indoor or virtual": ("sport", "place"),
        "timer, moving, elapsed": ("timer", "moving", "elapsed"),
        "distance, ascent, HR": ("distance", "ascent", "heart_rate_avg", "heart_rate_max"),
        "NP, IF, TSS, VI": ("np", "intensity", "load", "load_from", "variability"),
        "decoupling": ("decoupling",),
        "zone times": ("zones_by", "zone_1", "zone_2", "zone_7"),
        "intervals found": ("interval_count", "interval_length", "interval_power"),
        "rank among similar sessions": ("peer_rank", "peer_count", "peer_day", "peer_change"),
        "quality flags": ("doubts",),
    },
    "records": {
        "best per duration and distance with date": ("best_power_300", "best_power_300_what", "best_power_300_on"),
        "previous best, gain": ("best_power_300_before", "best_power_300_gain", "newest_best_before", "newest_gain"),
        "age in days": ("newest_best_age",),
        "CP, W′": ("cp", "w_prime", "cp_points"),
    },
    "running records": {
        "best per distance with date": ("best_time_5000", "best_time_5000_what", "best_time_5000_on"),
        "VDOT": ("vdot", "vdot_from", "vdot_from_on"),
        "predictions with their input": ("predicted_10000", "predicted_10000_from"),
    },
    "recovery": {
        "nights n": ("nights",),
        "asleep mean and last": ("asleep_mean", "asleep_last"),
        "debt": ("debt", "need"),
        "bedtime SD": ("bedtime_sd",),
        "stages if measured": ("deep", "rem", "light", "awake"),
        "HRV 7 d, band, CV": ("hrv_7d", "hrv_low", "hrv_high", "hrv_position", "hrv_cv"),
        "rhr and delta": ("rhr_7d", "rhr_delta"),
        "source": ("sleep_from", "hrv_from", "rhr_from", "hrv_kind"),
    },
    "body": {
        "trend": ("weight",),
        "slope with interval": ("slope", "slope_low", "slope_high"),
        "last raw, n": ("last_raw", "last_day", "weigh_ins"),
        "goal gap": ("goal", "goal_gap"),
        "W/kg at trend": ("w_per_kg", "ftp", "ftp_is"),
    },
}  # fmt: skip
SUBJECTS = {
    "today": ("today", "current"), "week": ("week", "2026-W48"), "whole week": ("week", "2026-W47"),
    "trends": ("trends", "180d"), "load": ("load", "current"), "records": ("records", "cycling"),
    "running records": ("records", "running"), "recovery": ("recovery", "current"), "body": ("body", "current"),
}  # fmt: skip


@pytest.fixture
def rich(db: None) -> Athlete:
    return made()


def facts_of(owner: Athlete, name: str) -> Facts:
    if name == "activity":
        return scopes.facts_for("activity", owner, str(ride_of(owner)))
    return scopes.facts_for(SUBJECTS[name][0], owner, SUBJECTS[name][1])


@pytest.mark.parametrize("name", LISTED)
def test_every_listed_fact_is_there_with_all_that_explains_it(rich: Athlete, name: str) -> None:
    facts = facts_of(rich, name)
    assert facts.insufficient == ""
    for listed, keys in LISTED[name].items():
        for key in keys:
            fact = facts.get(key)
            assert fact is not None, f"{listed}: {key}"
            assert unexplained(fact) == [], f"{listed}: {key}"


def unexplained(fact: Fact) -> list[str]:
    """Return what a fact lacks: a value, its display, a meaning; a number also its formula and source."""
    parts = {"label": fact.label, "display": fact.display.strip(display.UNKNOWN), "meaning": fact.meaning}
    if isinstance(fact.value, float):
        parts |= {"convention": fact.convention, "source": fact.source}
    return [name for name, part in parts.items() if not part] + ([] if fact.value is not None else ["value"])


@pytest.mark.parametrize("term", [*ALL, *OF_WEEK], ids=lambda term: term.key)
def test_every_number_has_a_formula_and_a_source(term: Term) -> None:
    if term.kind not in WORDS_AND_DAYS:
        assert term.convention.endswith("."), term.convention
        assert term.source


UNITS = {
    "duration": "s", "hours": "s", "span": "min", "distance": "m", "height": "m", "pace": "m/s", "swim_pace": "m/s",
    "speed": "m/s", "power": "W", "heart_rate": "bpm", "signed_heart_rate": "bpm", "milliseconds": "ms", "weight": "kg",
    "signed_weight": "kg", "weekly_weight": "kg/week", "power_to_weight": "W/kg", "kilojoules": "J", "percent": "%",
    "signed_percent": "%", "signed_percent_tenths": "%", "percent_tenths": "%", "energy": "kcal", "cadence": "rpm",
    "steps": "rpm", "signed_pace": "s/km", "pace_spread": "s/km", "signed_hours": "h", "hours_spread": "h",
}  # fmt: skip


@pytest.mark.parametrize("term", [*ALL, *OF_WEEK], ids=lambda term: term.key)
def test_the_unit_is_that_of_the_way_it_is_shown(term: Term) -> None:
    if term.kind in UNITS:
        assert term.unit == UNITS[term.kind]


def test_what_passes_by_itself_is_shown_but_no_text_is_made_of_it(rich: Athlete, monkeypatch: Any) -> None:
    """The age of a record is another one every morning; its text is not."""
    facts = facts_of(rich, "records")
    assert facts["newest_best_age"].display == "5"
    assert "newest_best_age" not in prompt.messages(facts, language="en")[1]["content"]
    said = {"text": "Set {{newest_best_age}} days ago.", "facts": ["newest_best_age"], "direction": "flat", "weight": 1}
    text = narrator.write(facts, language="en", seed=0) | {"findings": [said]}
    assert any("newest_best_age" in each["text"] for each in grounding.check(text, facts, language="en").violations)
    monkeypatch.setattr(Athlete, "today", lambda athlete: TODAY + DAY)
    later = facts_of(rich, "records")
    assert later["newest_best_age"].display == "6"
    assert mark(later) == mark(facts)


def mark(facts: Facts) -> str:
    return facts.fingerprint(writer="w", language="en", units="metric")


def test_the_shares_of_load_add_up_and_say_every_way(rich: Athlete) -> None:
    facts = facts_of(rich, "load")
    shares = [fact.value for fact in facts.facts if fact.key.startswith("share_")]
    assert len(shares) == 5
    assert sum(value for value in shares if isinstance(value, float)) == 100


def test_sports_are_never_added_up_in_distance(rich: Athlete) -> None:
    keys = [fact.key for fact in facts_of(rich, "week").facts if "distance" in fact.key or "ascent" in fact.key]
    assert all(re.match(r"(running|cycling|goal)_", key) for key in keys)
