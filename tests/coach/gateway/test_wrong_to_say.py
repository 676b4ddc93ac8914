"""What the reference calls wrong on each screen is refused, whoever writes it; what is near it and right is not."""

from typing import Any

import pytest

from coach import narrator
from coach.gateway import grounding
from coach.scopes.facts import Facts
from tests.coach import stories, stories_of_days

STORIES = (
    *stories.loads(), *stories.weeks(), *stories.activities(), *stories.all_records(), *stories.all_trends(),
    *stories_of_days.recoveries(), *stories_of_days.bodies(), *stories_of_days.todays(),
)  # fmt: skip
INTERVALS = stories.activity(
    kind="interval session", np=240.0, variability=1.35, interval_count=5.0, interval_length=240.0, interval_power=310.0
)
WRONG = [
    # today
    ("today", "Go hard whatever {{verdict}} means.", ["verdict"]),
    ("today", "An HRV of {{hrv_7d}} is a symptom of illness.", ["hrv_7d"]),
    # week
    ("week", "Already down {{load_change}} on Tuesday.", ["load_change"]),
    # trends
    ("trends", "It moved by {{fitness_slope}} because you slept well.", ["fitness_slope"]),
    ("trends", "Your new shoes led to {{fitness_slope}}.", ["fitness_slope"]),
    # load
    ("load", "A ramp of {{ramp}} brings a risk of injury.", ["ramp"]),
    ("load", "With {{ctl}} you are race-ready.", ["ctl"]),
    ("load", "Fitness of {{ctl}} means that you can run faster.", ["ctl"]),
    # activity
    ("activity", "In the heat {{timer}} was long.", ["timer"]),
    ("activity", "You must have felt every minute of {{timer}}.", ["timer"]),
    ("activity", "An impressive {{timer}}.", ["timer"]),
    ("activity", "No heart rate was recorded over {{timer}}.", ["timer"]),
    # records
    ("records", "{{newest_best}} says that you can finish an ultra.", ["newest_best"]),
    # recovery
    ("recovery", "{{hrv_7d}} is usual for your age.", ["hrv_7d"]),
    ("recovery", "{{hrv_7d}} is what healthy adults have.", ["hrv_7d"]),
    ("recovery", "With {{hrv_7d}}, the higher the better.", ["hrv_7d"]),
    ("recovery", "{{hrv_7d}} hints at sleep apnoea.", ["hrv_7d"]),
    # body
    ("body", "You lost weight since yesterday: {{last_raw}}.", ["last_raw"]),
    ("body", "Eat little until {{weight}} is behind you.", ["weight"]),
    ("body", "Great work, {{slope}}.", ["slope"]),
]


def with_facts(scope: str, keys: list[str]) -> Facts:
    """Return a story of the scope that has these facts; of today one whose verdict is easy."""
    fitting = [
        facts
        for facts in STORIES
        if facts.scope == scope and all((fact := facts.get(key)) and fact.value is not None for key in keys)
    ]
    easy = [facts for facts in fitting if (fact := facts.get("verdict")) and fact.value == "easy"]
    return (easy or fitting)[0]


def refusals(facts: Facts, text: str, keys: list[str], *, language: str = "en") -> list[dict[str, str]]:
    finding = {"text": text, "facts": keys, "direction": "flat", "weight": 1}
    written: dict[str, Any] = narrator.write(facts, language=language, seed=0) | {"findings": [finding]}
    found = grounding.check(written, facts, language=language).violations
    return [each for each in found if each["where"].startswith("findings[")]


@pytest.mark.parametrize(("scope", "text", "keys"), WRONG)
def test_what_is_wrong_on_its_screen_is_refused(scope: str, text: str, keys: list[str]) -> None:
    assert refusals(with_facts(scope, keys), text, keys)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("A variability of {{variability}} is poor pacing.", True),
        ("A variability of {{variability}} is too uneven.", True),
        ("Intervals are uneven on purpose, as {{variability}} shows.", False),
    ],
)
def test_intervals_are_not_scolded_for_being_uneven(text: str, wrong: bool) -> None:
    assert bool(refusals(INTERVALS, text, ["variability"])) == wrong


def test_what_the_athlete_wrote_may_be_spoken_of() -> None:
    facts = with_facts("activity", ["timer"])
    noted = Facts(
        scope="activity", subject=facts.subject, title=facts.title, facts=facts.facts, notes="Wind on the way back"
    )
    assert refusals(facts, "The wind made {{timer}} of it.", ["timer"])
    assert not refusals(noted, "The wind made {{timer}} of it.", ["timer"])


def test_a_hard_day_may_be_advised_against() -> None:
    facts = with_facts("today", ["verdict"])
    assert facts["verdict"].value == "easy"
    assert not refusals(facts, "The verdict is {{verdict}}: do not go hard.", ["verdict"])


def test_chinese_is_held_to_the_same() -> None:
    facts = stories.in_language(stories.load(), "zh-hans")
    assert refusals(facts, "体能 {{ctl}}，你会跑得更快。", ["ctl"], language="zh-hans")
    ride = stories.in_language(with_facts("activity", ["timer"]), "zh-hans")
    assert refusals(ride, "天气不好，用了 {{timer}}。", ["timer"], language="zh-hans")
