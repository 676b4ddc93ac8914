"""The narrator says only what the facts say, in words that keep changing."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from coach import narrator
from coach.gateway import grounding
from coach.narrator import LANGUAGES
from coach.narrator.english import ENGLISH
from coach.scopes.activity.kind import WORDS
from coach.scopes.facts import Facts
from tests.coach import stories, stories_of_days

STORIES = (
    *stories.loads(),
    *stories.weeks(),
    *stories.activities(),
    *stories.all_records(),
    *stories.all_trends(),
    *stories_of_days.recoveries(),
    *stories_of_days.bodies(),
    *stories_of_days.todays(),
)
SPOKEN = sorted(LANGUAGES)
TOKEN = re.compile(r"\{\{(\w+)\}\}")


def write(facts: Facts, *, seed: int = 0, language: str = "en", **more: Any) -> dict[str, Any]:
    return narrator.write(facts, language=language, seed=seed, **more)


def told(language: str) -> list[Facts]:
    """Return the facts of all stories as their readers see them."""
    if language == "en":
        return list(STORIES)
    return [stories.in_language(facts, language) for facts in STORIES]


def strings(text: dict[str, Any]) -> Iterator[str]:
    yield text["headline"]
    yield text["summary"]
    yield from (part["text"] for name in ("findings", "suggestions") for part in text[name])


@pytest.mark.parametrize(
    ("language", "facts"),
    [(language, facts) for language in SPOKEN for facts in told(language)],
    ids=lambda part: part.scope if isinstance(part, Facts) else part,
)
def test_texts_in_a_row_are_grounded_and_repeat_nothing(language: str, facts: Facts) -> None:
    recent: list[dict[str, Any]] = []
    for seed in range(6):
        text = write(facts, seed=seed, language=language)
        checked = grounding.check(text, facts, language=language, recent=recent)
        assert checked.violations == []
        assert checked.ok
        recent = [text, *recent][:3]


@pytest.mark.parametrize("language", SPOKEN)
def test_a_seed_out_of_the_row_still_repeats_nothing_recent(language: str) -> None:
    facts = stories.in_language(stories.week(), language)
    recent = [write(facts, seed=seed, language=language) for seed in (0, 1, 2)]
    for seed in (0, 1, 2, 17):
        text = write(facts, seed=seed, language=language, recent=recent)
        checked = grounding.check(text, facts, language=language, recent=recent)
        assert checked.violations == []


def test_the_same_seed_and_facts_give_the_same_words() -> None:
    assert write(stories.load(), seed=4) == write(stories.load(), seed=4)
    assert write(stories.load(), seed=4) != write(stories.load(), seed=5)


@pytest.mark.parametrize("language", SPOKEN)
def test_numbers_are_tokens_and_nothing_else(language: str) -> None:
    for slot, phrases in LANGUAGES[language].items():
        for phrase in phrases:
            assert not re.search(r"\d", TOKEN.sub("", phrase)), slot
            assert not re.search("[!！]", phrase)


@pytest.mark.parametrize("language", SPOKEN)
def test_every_slot_has_four_phrases_that_differ(language: str) -> None:
    for slot, phrases in LANGUAGES[language].items():
        assert slot.startswith("when.") or len(set(phrases)) >= 4, slot


def test_chinese_has_every_slot_that_english_has() -> None:
    assert set(LANGUAGES["zh-hans"]) == set(ENGLISH)


@pytest.mark.parametrize("language", SPOKEN)
def test_every_slot_is_used_by_some_story(language: str) -> None:
    written = {
        part
        for facts in told(language)
        for seed in range(5)
        for part in strings(write(facts, seed=seed, language=language))
    }
    said = "\n".join(written)
    unused = [
        slot
        for slot, phrases in LANGUAGES[language].items()
        if not slot.startswith(("when.", "empty")) and not any(phrase in said for phrase in phrases)
    ]
    assert unused == []


@pytest.mark.parametrize("language", SPOKEN)
def test_tokens_of_a_finding_are_among_the_facts_it_cites(language: str) -> None:
    for facts in told(language):
        for seed in range(5):
            for finding in write(facts, seed=seed, language=language)["findings"]:
                assert set(TOKEN.findall(finding["text"])) <= set(finding["facts"])


def test_a_text_begins_with_a_capital_or_a_number() -> None:
    known = {fact.key: fact.display for facts in STORIES for fact in facts.facts if fact.value is not None}
    for slot, phrases in ENGLISH.items():
        for phrase in phrases:
            shown = TOKEN.sub(lambda match: known.get(match[1], "?"), phrase)
            assert slot.startswith("when.") or not shown[0].islower(), phrase


def test_an_interval_session_is_never_scolded_for_being_uneven() -> None:
    facts = stories.activity(
        kind="interval session",
        np=240.0,
        variability=1.35,
        decoupling=9.0,
        interval_count=5.0,
        interval_length=240.0,
        interval_power=310.0,
    )
    for seed in range(5):
        text = write(facts, seed=seed)
        assert "interval" in (text["headline"] + text["summary"]).lower()
        assert not {"variability", "decoupling"} & {key for part in text["findings"] for key in part["facts"]}


def test_missing_power_is_said_only_where_it_is_missing() -> None:
    assert "ower" not in " ".join(strings(write(stories.activity(load_from="heart rate"))))
    text = write(stories.activity(power_avg=None, load_from="heart rate"))
    assert text["missing"] == ["power_avg"]


@pytest.mark.parametrize("scope", [*narrator.PLANS, "other"])
def test_without_data_it_says_what_to_upload(scope: str) -> None:
    sentence = "There is nothing here. Upload the recordings of your training."
    facts = Facts(scope=scope, subject="s", title="T", insufficient=sentence)
    for seed in range(4):
        text = write(facts, seed=seed)
        assert text["summary"] == sentence
        assert text["findings"] == []
        assert text["suggestions"][0]["when"] == "now"
        violations = grounding.check(text, facts, language="en").violations
        assert [each["text"] for each in violations] == ["none is left"]


def test_a_language_without_phrases_is_written_in_english() -> None:
    assert write(stories.load(), seed=1, language="de") == write(stories.load(), seed=1)


def test_a_scope_without_chinese_is_written_in_english() -> None:
    facts = Facts(scope="unheard", subject="s", title="T", insufficient="Upload the recordings of your training.")
    assert write(facts, seed=1, language="zh-hans") == write(facts, seed=1)


@pytest.mark.parametrize("scope", narrator.PLANS)
def test_without_data_it_says_in_chinese_what_to_upload(scope: str) -> None:
    facts = Facts(scope=scope, subject="s", title="标题", insufficient="这里还没有内容。请上传训练的记录。")
    for seed in range(4):
        text = write(facts, seed=seed, language="zh-hans")
        assert text["suggestions"][0]["when"] == "现在"
        violations = grounding.check(text, facts, language="zh-hans").violations
        assert [each["text"] for each in violations] == ["none is left"]


def test_chinese_sentences_stand_without_blanks_between_them() -> None:
    text = write(stories.in_language(stories.load(), "zh-hans"), language="zh-hans")
    assert "。" in text["summary"][:-1]
    assert " " not in text["summary"]


@pytest.mark.parametrize("way", ["power", "pace", "heart rate", "estimate"])
def test_in_chinese_too_an_estimate_is_called_one(way: str) -> None:
    facts = stories.activity(load_from=way, kind=WORDS["unmeasured" if way == "estimate" else "steady"])
    for seed in range(8):
        text = write(stories.in_language(facts, "zh-hans"), seed=seed, language="zh-hans")
        said = TOKEN.sub(lambda match: facts[match[1]].display, " ".join(strings(text)))
        assert bool(re.search("估算|猜", said)) == (way == "estimate")


@pytest.mark.parametrize("language", SPOKEN)
@pytest.mark.parametrize("measured", ["heart_rate_avg", "np", "graded_pace"])
def test_nobody_is_told_to_wear_what_the_recording_has(language: str, measured: str) -> None:
    known = dict.fromkeys(("heart_rate_avg", "np", "graded_pace")) | {measured: 140.0}
    facts = stories.in_language(stories.activity(load_from="estimate", **known), language)
    said = [write(facts, seed=seed, language=language)["suggestions"][0]["text"] for seed in range(20)]
    assert not re.search("strap|sensor|心率带|设备", " ".join(said))


def test_an_estimated_load_lowers_confidence_and_is_said() -> None:
    text = write(stories.load(share_power=0.0, share_heart_rate=20.0, share_estimate=80.0))
    assert text["confidence"] == "low"
    assert "load_mostly_estimated" in text["confidence_reasons"]
    assert any("share_estimate" in finding["facts"] for finding in text["findings"])


def test_after_a_break_it_says_since_when_and_nothing_of_ramp_or_rest() -> None:
    facts = stories.away()
    for seed in range(20):
        text = write(facts, seed=seed)
        assert "{{last_session}}" in text["summary"]
        assert {"{{ctl_then}}", "{{ctl}}"} <= set(re.findall(r"\{\{\w+\}\}", text["summary"]))
        assert not re.search("ramp|monotony|ratio", " ".join(strings(text)))
        assert len(text["suggestions"]) == 1
        assert "easy" in text["suggestions"][0]["text"]
        assert text["confidence_reasons"] == ["long_break"]


@pytest.mark.parametrize("way", ["power", "pace", "heart rate", "estimate"])
def test_what_the_load_was_taken_from_reads_well(way: str) -> None:
    facts = stories.activity(load_from=way, kind=WORDS["unmeasured" if way == "estimate" else "steady"])
    for seed in range(8):
        said = TOKEN.sub(lambda match: facts[match[1]].display, " ".join(strings(write(facts, seed=seed))))
        assert not re.search(r"(?:from|by|by an|on) estimate", said)
        assert ("estimate" in said or "guess" in said) == (way == "estimate")


@pytest.mark.parametrize("language", SPOKEN)
@pytest.mark.parametrize(
    "facts", [facts for facts in STORIES if facts.scope == "activity"], ids=lambda each: each.subject
)
def test_lines_about_sessions_in_a_row_are_grounded_short_and_differ(language: str, facts: Facts) -> None:
    facts = facts if language == "en" else stories.in_language(facts, language)
    recent: list[dict[str, Any]] = []
    for seed in range(6):
        line = narrator.note(facts, language=language, seed=seed, recent=recent)
        if facts.insufficient:
            assert line == {}
            continue
        checked = grounding.check_note(line, facts, language=language, recent=recent)
        assert [each for each in checked.violations if each["check"] != "repetition"] == []
        assert line["text"] not in [each["text"] for each in recent]
        recent = [line, *recent][:3]
