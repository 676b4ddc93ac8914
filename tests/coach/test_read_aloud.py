"""What reading the narrator aloud found wrong: stories with what must be said of them, and what must not."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from coach import narrator
from coach.narrator import LANGUAGES
from coach.scopes.activity.kind import WORDS
from coach.scopes.facts import Facts
from coach.scopes.terms import Value
from tests.coach import stories, stories_of_days

SPOKEN = sorted(LANGUAGES)
TOKEN = re.compile(r"\{\{(\w+)\}\}")
SIGNED = r"\{\{\w+_(?:change|delta)\}\}|\{\{(?:decoupling|ramp|slope)\}\}"
RIDE: dict[str, Value] = {"kind": WORDS["hard"], "np": 250.0, "speed": 9.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    name: str
    facts: Callable[[], Facts]
    uses: str = ""  # a slot whose words must be there
    spares: str = ""  # slots, as a pattern, of which no words may be there
    finds: str = ""  # a fact that a finding must cite
    most: int = 4  # findings


def lines(*keys: str) -> Facts:
    named = {"fitness": ("", "fitness"), "running_pace": ("running", "pace"), "cycling_volume": ("cycling", "volume")}
    return stories.trends({key: named[key] for key in keys}, reading="falling" if keys == ("fitness",) else "rising")


def still() -> Facts:
    lines = {"fitness": ("", "fitness"), "running_pace": ("running", "pace"), "cycling_volume": ("cycling", "volume")}
    return stories.trends(lines, reading="no clear change")


def ready(**changes: Value) -> Facts:
    values: dict[str, Value] = {"verdict": "hard", "because": "form and the last hard day", "tsb": 14.0, "ctl": 22.0}
    return stories_of_days.today(**values | changes)


STORIES = (
    Story(
        name="a hard day after weeks without one is begun with care",
        facts=lambda: ready(atl=2.0, days_since_hard=40.0),
        uses="today.advice.hard.again",
        spares=r"today\.advice\.hard$|today\.form\.fresh",
    ),
    Story(
        name="so is one of which the history knows nothing",
        facts=lambda: ready(because="form and HRV", days_since_hard=None),
        uses="today.advice.hard.again",
        spares=r"today\.advice\.hard$",
    ),
    Story(
        name="a hard day after a usual pause is not hedged",
        facts=lambda: ready(atl=16.0, days_since_hard=4.0),
        uses="today.advice.hard",
        spares=r"today\.advice\.hard\.again|today\.form\.idle",
    ),
    Story(
        name="the day after a hard day is a light one",
        facts=lambda: stories_of_days.today(because="form and sleep", tsb=3.0, days_since_hard=1.0),
        uses="today.advice.free.spare",
        spares=r"today\.advice\.free$",
    ),
    Story(
        name="so is a tired one",
        facts=lambda: stories_of_days.today(because="form and HRV", tsb=-15.0, days_since_hard=4.0),
        uses="today.advice.free.spare",
    ),
    Story(
        name="form made of days off is called that",
        facts=lambda: ready(atl=2.0),
        uses="today.form.idle",
    ),
    Story(
        name="the advice to sleep comes with what it rests on",
        facts=lambda: stories_of_days.today(sleep_debt=200.0, because="form and yesterday"),
        uses="recovery.advice.sleep",
        finds="sleep_debt",
    ),
    Story(
        name="where days off lift form no more, nobody is told that they would",
        facts=lambda: stories.load(phase="easing", ramp=-3.0, tsb=17.0, tsb_projected=14.0),
        uses="load.rest.spent",
        spares=r"load\.rest\.gained",
    ),
    Story(
        name="a tired athlete hears what days off would do",
        facts=lambda: stories.load(tsb=-20.0, tsb_projected=8.0),
        uses="load.rest.gained",
        spares=r"load\.rest\.spent",
    ),
    Story(
        name="after an empty week the way back is easy",
        facts=lambda: stories.load(phase="easing", ramp=-3.0, tsb=17.0, load_week=0.0, load_ratio=None),
        uses="load.advice.easing.idle",
        spares=r"load\.advice\.easing$|load\.phase\.easing(?:\.back)?$",
    ),
    Story(
        name="a week above the weeks before it is no giving back of load",
        facts=lambda: stories.load(phase="easing", ramp=-1.2, tsb=11.0, load_ratio=1.22),
        uses="load.phase.easing.back",
        spares=r"load\.phase\.easing$",
    ),
    Story(
        name="the headline of trends says what moves",
        facts=lambda: lines("running_pace"),
        uses="trends.running_pace.headline",
        spares=r"trends\.headline",
    ),
    Story(
        name="falling fitness is first asked whether it was meant",
        facts=lambda: lines("fitness"),
        uses="trends.advice.down",
    ),
    Story(
        name="training that grows is not told to grow on",
        facts=lambda: lines("cycling_volume"),
        uses="trends.advice.up",
    ),
    Story(
        name="noise is not told line by line",
        facts=still,
        uses="trends.advice.none",
        most=2,
    ),
    Story(
        name="a week says what its change is made of",
        facts=lambda: stories.week(load_change=40.0, sessions=6.0, sessions_usual=4.0),
        uses="week.how.often.up",
        finds="sessions_usual",
    ),
    Story(
        name="longer sessions are not told as more of them",
        facts=lambda: stories.week(load_change=40.0, timer_change=35.0, sessions=6.0, sessions_usual=6.0),
        uses="week.how.long.up",
        spares=r"week\.how\.often",
    ),
    Story(
        name="in a week that runs, the advice is for the days that are left",
        facts=lambda: stories.week(load_change=76.0, days_counted=2.0, counted_until="2026-11-24"),
        uses="week.next.up.running",
        spares=r"week\.next\.up$",
    ),
    Story(
        name="much hard time is not answered with moderate sessions",
        facts=lambda: stories.week(load_change=-24.0, easy_share=69.0, moderate_share=11.0, hard_share=20.0),
        uses="week.next.easier.hard",
        spares=r"week\.next\.easier\.moderate",
    ),
    Story(
        name="shares of nothing are not listed",
        facts=lambda: stories.week(easy_share=100.0, moderate_share=0.0, hard_share=0.0),
        uses="week.split.all",
        spares=r"week\.split\.easy",
    ),
    Story(
        name="an effort that no threshold allows asks for another threshold",
        facts=lambda: stories.activity(**RIDE | {"intensity": 1.08, "timer": 2580.0}),
        uses="activity.advice.outdone",
    ),
    Story(
        name="a brief effort above threshold does not",
        facts=lambda: stories.activity(**RIDE | {"intensity": 1.08, "timer": 1500.0}),
        spares=r"activity\.advice\.outdone",
    ),
    Story(
        name="bedtimes that wander are not called regular",
        facts=lambda: stories_of_days.recovery(bedtime_sd=80.0),
        uses="recovery.rhythm.loose",
        spares=r"recovery\.rhythm\.steady",
    ),
)


@pytest.mark.parametrize("language", SPOKEN)
@pytest.mark.parametrize("story", STORIES, ids=lambda each: each.name)
def test_read_aloud(story: Story, language: str) -> None:
    facts = stories.in_language(story.facts(), language)
    for seed in range(5):
        text = narrator.write(facts, language=language, seed=seed)
        used = slots_of(text, language)
        assert not story.uses or story.uses in used, text
        assert not [slot for slot in used if story.spares and re.search(story.spares, slot)], text
        assert not story.finds or any(story.finds in each["facts"] for each in text["findings"]), text
        assert len(text["findings"]) <= story.most, text


@pytest.mark.parametrize("language", SPOKEN)
def test_a_sign_is_not_told_twice(language: str) -> None:
    """ "Decreased by −7 %" would be an increase."""
    twice = {
        "en": rf"(?:increased?|decreased?|higher|lower|rose|fell|raised)(?: of| by)? (?:{SIGNED})",
        "zh-hans": rf"(?:增加|减少|上升|下降|提高|降低)了?(?:{SIGNED})",
    }
    for slot, phrases in LANGUAGES[language].items():
        if not slot.endswith((".up", "raised")):  # there it has a plus
            for phrase in phrases:
                assert not re.search(twice[language], phrase), slot


def test_nobody_is_said_to_have_walked_a_ride() -> None:
    for slot, phrases in LANGUAGES["zh-hans"].items():
        assert not any("走完" in phrase for phrase in phrases), slot


def test_a_week_that_runs_is_not_told_with_full_confidence() -> None:
    facts = stories.week(days_counted=2.0, counted_until="2026-11-24")
    assert narrator.write(facts, language="en", seed=0)["confidence"] == "medium"


def slots_of(text: dict[str, Any], language: str) -> set[str]:
    """Return the slots of which a phrase is in the text."""
    said = [text["headline"], text["summary"], *(each["text"] for each in (*text["findings"], *text["suggestions"]))]
    whole = set(said[2:]) | {text["headline"]}
    return {
        slot
        for slot, phrases in LANGUAGES[language].items()
        if any(phrase in whole or phrase in text["summary"] for phrase in phrases)
    }
