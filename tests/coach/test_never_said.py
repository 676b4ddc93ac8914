"""What no text of the narrator says, in any language: each "wrong to say" of the domain."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from coach import narrator
from coach.gateway import vocabulary
from coach.gateway.rules.passage import PLACE, fold
from coach.narrator import LANGUAGES
from coach.narrator.activity import TOO_HARD
from coach.scopes.facts import Facts
from tests.coach import stories, stories_of_days

SPOKEN = sorted(LANGUAGES)
TOKEN = re.compile(r"\{\{(\w+)\}\}")
SEEDS = range(4)


def either(english: str, chinese: str) -> dict[str, re.Pattern[str]]:
    return {"en": re.compile(rf"\b(?:{english})\b", re.IGNORECASE), "zh-hans": re.compile(chinese)}


RISK = either(r"risks?", "风险|隐患")
NORM = either(
    r"norms?|normal|healthy|people|others your age|population|everybody|anybody",
    "正常|常人|一般人|人群|同龄|健康人|标准值",
)
CAVEAT = either(
    r"no score|says? little|for good or not|no sign|a change, no more", "说明不了|不算|好坏不论|别无他意|不是得分"
)
REST = either(r"(?<!at )rest|easy|gentle|day off|lie low", "休息|放轻松|练轻|轻松训练")
EATING = either(r"eat\w*|food|meals?|diet\w*|calori\w*|carb\w*|fasting|portions?", "吃|饮食|热量|卡路里|碳水|节食|餐")
PRAISE = either(
    r"well done|good (?:work|sign|result)|great|success\w*|progress|improv\w*", "好样|成功|进步|不错|改善|优秀|棒"
)
MOVING = either(
    r"rise[sn]?|rising|fall(?:s|en|ing)?|up|down|increase\w*|decrease\w*|gain\w*|los[et]\w*",
    "上升|下降|增加|减少|往上|往下",
)
CAUSE = either(r"because|due to|thanks to|caused?|owing to|reasons?", "因为|由于|导致|得益|归功|原因|多亏")
DONE = either(r"you (?:did|have done|completed|finished)|is done|went well", "练完|做完|已完成|跑完|骑完|完成得")
NEW = either(r"new (?:over|record|entry)|a new", "新纪录|刷新为|有了新")
OTHER_VERDICTS = {
    "en": {"easy": r"\bhard\b|\bas planned\b", "hard": r"\beasy\b|\bas planned\b", "as planned": r"\beasy\b|\bhard\b"},
    "zh-hans": {"easy": "高强度|按计划", "hard": "轻松|按计划", "as planned": "轻松|高强度"},
}


def told(made: Iterator[Facts], language: str) -> Iterator[tuple[Facts, dict[str, Any]]]:
    """Go through what the narrator writes about these facts, in its variants."""
    for facts in made:
        seen = stories.in_language(facts, language)
        for seed in SEEDS:
            yield seen, narrator.write(seen, language=language, seed=seed)


def said(text: dict[str, Any], *names: str) -> str:
    """Return the words of these parts, or of all, without what stands in for facts."""
    parts = [text[name] for name in ("headline", "summary") if not names or name in names]
    for name in ("findings", "suggestions"):
        parts += [each["text"] for each in text[name] if not names or name in names]
    return "\n".join(TOKEN.sub(PLACE, part) for part in parts)


def finding(text: dict[str, Any], key: str) -> str:
    return "\n".join(TOKEN.sub(PLACE, each["text"]) for each in text["findings"] if key in each["facts"])


# Every phrase there is, whether or not a story reaches it


def phrases(language: str) -> Iterator[tuple[str, str]]:
    for slot, variants in LANGUAGES[language].items():
        yield from ((slot, TOKEN.sub(PLACE, variant)) for variant in variants)


@pytest.mark.parametrize("language", SPOKEN)
def test_no_phrase_counts_in_words_or_names_a_date(language: str) -> None:
    words = vocabulary.of(language)
    for slot, phrase in phrases(language):
        assert not words.numerals.search(words.not_numerals.sub(" ", fold(phrase))), (slot, phrase)
        assert not words.dates.search(phrase), (slot, phrase)


@pytest.mark.parametrize("language", SPOKEN)
def test_no_phrase_is_of_medicine_hype_or_praise(language: str) -> None:
    words = vocabulary.of(language)
    for slot, phrase in phrases(language):
        for pattern in (words.banned, words.hype, words.praise):
            assert not pattern.search(fold(phrase)), (slot, phrase)


@pytest.mark.parametrize("language", SPOKEN)
def test_no_phrase_speaks_of_risk_or_of_other_people(language: str) -> None:
    for slot, phrase in phrases(language):
        for pattern in (RISK, NORM):
            assert not pattern[language].search(phrase), (slot, phrase)


def test_no_chinese_phrase_has_marks_or_letters_of_another_script() -> None:
    words = vocabulary.of("zh-hans")
    for slot, phrase in phrases("zh-hans"):
        assert not re.search(r"[,.:;?!()\"']|(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff])", phrase), (slot, phrase)
        assert not re.search("[a-z]", words.borrowed.sub("", phrase.lower())), (slot, phrase)


def test_chinese_sentences_end_and_suggestions_do_not() -> None:
    for slot, phrase in phrases("zh-hans"):
        is_sentence = not re.match(r"when|empty|(?:\w+\.){1,2}(?:headline|advice|keep|next)", slot)
        assert phrase.endswith("。") == is_sentence, (slot, phrase)


@pytest.mark.parametrize("language", SPOKEN)
def test_no_phrase_names_a_kind_of_hrv_or_a_unit_of_weight(language: str) -> None:
    for slot, phrase in phrases(language):
        if slot.startswith(("recovery", "today", "body")):
            assert not re.search(r"rmssd|sdnn|\bkg\b|\blb\b|(?<!每)公斤|磅", phrase.lower()), (
                slot,
                phrase,
            )


# Today


@pytest.mark.parametrize("language", SPOKEN)
def test_the_verdict_is_the_rules_and_no_other(language: str) -> None:
    for facts, text in told(stories_of_days.todays(), language):
        assert "{{verdict}}" in text["headline"] + text["summary"]
        others = OTHER_VERDICTS[language][str(facts["verdict"].value)]
        assert not re.search(others, said(text, "headline", "summary")), text


@pytest.mark.parametrize("language", SPOKEN)
def test_what_is_planned_is_never_told_as_done(language: str) -> None:
    for _facts, text in told(stories_of_days.todays(), language):
        about = "\n".join((said(text, "headline", "summary"), finding(text, "planned")))
        assert not DONE[language].search(about), about


@pytest.mark.parametrize("language", SPOKEN)
def test_a_single_night_decides_nothing_of_today(language: str) -> None:
    for _facts, text in told(stories_of_days.todays(), language):
        assert "sleep_last" not in "".join(str(each) for each in text["findings"]) + text["summary"]


# Recovery


@pytest.mark.parametrize("language", SPOKEN)
def test_a_lone_signal_asks_for_no_rest(language: str) -> None:
    for facts, text in told(stories_of_days.recoveries(), language):
        if facts["agreement"].value in ("one stands apart", "all as usual", "too few to compare"):
            advice = text["suggestions"][0]["text"]
            assert not REST[language].search(said(text, "headline", "summary") + advice), text


@pytest.mark.parametrize("language", SPOKEN)
@pytest.mark.parametrize("made", [stories_of_days.recoveries, stories_of_days.todays])
def test_hrv_above_the_range_is_no_praise(language: str, made: Any) -> None:
    for facts, text in told(made(), language):
        about = finding(text, "hrv_position")
        if about and facts["hrv_position"].value == "above":
            assert CAVEAT[language].search(about), about
        assert not PRAISE[language].search(about), about


@pytest.mark.parametrize("language", SPOKEN)
def test_hrv_is_called_by_its_kind(language: str) -> None:
    for _facts, text in told(stories_of_days.recoveries(), language):
        for each in text["findings"]:
            assert "{{hrv_7d}}" not in each["text"] or "{{hrv_kind}}" in each["text"]


# Body


@pytest.mark.parametrize("language", SPOKEN)
def test_too_few_weigh_ins_or_an_open_interval_have_no_direction(language: str) -> None:
    for facts, text in told(stories_of_days.bodies(), language):
        slope_is = facts.get("slope_is")
        if slope_is is None or slope_is.value == "open":
            assert not MOVING[language].search(said(text)), text


@pytest.mark.parametrize("language", SPOKEN)
def test_weight_is_told_without_food_and_without_praise(language: str) -> None:
    for _facts, text in told(stories_of_days.bodies(), language):
        assert not EATING[language].search(said(text)), text
        assert not PRAISE[language].search(said(text)), text


@pytest.mark.parametrize("language", SPOKEN)
def test_a_change_of_weight_stands_with_its_interval(language: str) -> None:
    for _facts, text in told(stories_of_days.bodies(), language):
        for each in text["findings"]:
            if "{{slope}}" in each["text"]:
                assert {"slope_low", "slope_high"} <= set(TOKEN.findall(each["text"])), each


# Records and trends


@pytest.mark.parametrize("language", SPOKEN)
def test_each_best_is_named_and_dated_and_only_what_is_new_is_called_so(language: str) -> None:
    for facts, text in told(stories.all_records(), language):
        for each in text["findings"]:
            keys = [key for key in TOKEN.findall(each["text"]) if re.fullmatch(r"best_(?:power|time)_\d+", key)]
            for key in keys:
                assert {f"{key}_what", f"{key}_on"} <= set(TOKEN.findall(each["text"])), each
        gain = facts.get("newest_gain")
        if not facts["new_count"].value or gain is None or not gain.value:
            assert not NEW[language].search(text["headline"]), text["headline"]


@pytest.mark.parametrize("language", SPOKEN)
def test_a_line_has_its_interval_and_no_cause(language: str) -> None:
    for _facts, text in told(stories.all_trends(), language):
        assert not CAUSE[language].search(said(text)), text
        for each in text["findings"]:
            assert any(key.endswith(("_margin", "_n")) for key in TOKEN.findall(each["text"])), each


@pytest.mark.parametrize("language", SPOKEN)
def test_noise_has_no_direction(language: str) -> None:
    for facts, text in told(stories.all_trends(), language):
        if not facts["clear_count"].value:
            assert not MOVING[language].search(said(text, "headline", "findings").replace("up to", "")), text


# A text that does not contradict itself


@pytest.mark.parametrize("language", SPOKEN)
def test_a_session_that_strayed_is_no_model_of_an_easy_one(language: str) -> None:
    held_up = either("as this|well (?:under|below)|all it has to be", "保持这样|离阈值很远|做到这样|托住")
    for facts, text in told(stories.activities(), language):
        hard = facts.get("hard_share")
        if hard is not None and float(hard.value or 0.0) >= TOO_HARD:
            assert not held_up[language].search(said(text, "summary", "suggestions")), text


@pytest.mark.parametrize("language", SPOKEN)
def test_a_signal_that_did_not_decide_is_told_with_why(language: str) -> None:
    for facts, text in told(stories_of_days.todays(), language):
        used = slots_of(text, language)
        position = facts.get("hrv_position")
        if position is None or position.value != "below":
            used -= {"today.hrv.below"}  # its words are those of within, and the fact says which
        if facts["verdict"].value == "easy":
            assert not used & {"today.hrv.alone", "today.rhr.alone"}
        else:
            assert not used & {"today.hrv.below", "today.rhr.raised"}


def slots_of(text: dict[str, Any], language: str) -> set[str]:
    told = {each["text"] for each in text["findings"]}
    return {slot for slot, variants in LANGUAGES[language].items() if told.intersection(variants)}
