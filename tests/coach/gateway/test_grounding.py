"""The grounding check: what the facts do not say is not shown."""

from dataclasses import replace
from typing import Any

import pytest

from coach import display
from coach.display import Style
from coach.gateway.grounding import Checked, check
from coach.gateway.rules.passage import TOKEN
from coach.scopes.facts import Fact, Facts
from tests.coach.gateway import chinese_texts, hidden_texts
from tests.coach.gateway.good_texts import Good, all_good
from tests.coach.gateway.load_facts import fact
from tests.coach.gateway.texts import HOSTILE, SOUND


def insight(**parts: Any) -> dict[str, Any]:
    return {
        "headline": "Your load keeps its course",
        "summary": "Fitness stands at {{ctl}} and form this morning at {{tsb}}.",
        "findings": [finding("Fatigue stands at {{atl}} beside it.", ["atl"])],
        "suggestions": [],
        "confidence": "high",
        "confidence_reasons": [],
        "missing": [],
        **parts,
    }


def finding(text: str, facts: list[str], *, direction: str = "flat") -> dict[str, Any]:
    return {"text": text, "facts": facts, "direction": direction, "weight": 2}


def checked(facts: Facts, *texts: tuple[str, list[str]], language: str = "en", **parts: Any) -> Checked:
    """Check an insight with these findings and one that is surely sound."""
    sound = insight()["findings"]
    return check(insight(findings=[*(finding(*each) for each in texts), *sound], **parts), facts, language=language)


def said(result: Checked) -> list[str]:
    return [each["text"] for each in result.text["findings"]]


@pytest.mark.parametrize(("text", "keys"), SOUND)
def test_a_sound_finding_stays(facts: Facts, text: str, keys: list[str]) -> None:
    result = checked(facts, (text, keys))
    assert not result.violations
    assert result.ok
    assert len(said(result)) == 2


@pytest.mark.parametrize(("name", "text", "keys"), HOSTILE)
def test_a_finding_that_its_facts_do_not_carry_is_dropped(facts: Facts, name: str, text: str, keys: list[str]) -> None:
    result = checked(facts, (text, keys))
    assert name in {each["check"] for each in result.violations}
    assert said(result) == ["Fatigue stands at {{atl}} beside it."]
    assert result.ok
    assert len(result.dropped) == 1
    assert all(len(each["text"]) <= 80 for each in result.violations)


@pytest.mark.parametrize(("name", "text"), hidden_texts.ENGLISH)
def test_what_hides_is_found(facts: Facts, name: str, text: str) -> None:
    result = checked(facts, (text, TOKEN.findall(text)))
    assert name in {each["check"] for each in result.violations}
    assert said(result) == ["Fatigue stands at {{atl}} beside it."]


@pytest.mark.parametrize("good", tuple(all_good()), ids=lambda good: f"{good.language}-{good.headline}")
def test_a_good_text_of_a_model_passes_whole(good: Good) -> None:
    findings = [finding(text, TOKEN.findall(text)) for text in good.findings]
    ideas = [{"text": good.suggestion, "facts": [], "when": ""}] if good.suggestion else []
    text = insight(headline=good.headline, summary=good.summary, findings=findings, suggestions=ideas)
    result = check(text, good.facts, language=good.language)
    assert result.violations == []
    assert result.text["findings"] == [{**each, "facts": list(dict.fromkeys(each["facts"]))} for each in findings]


def test_there_are_thirty_good_texts() -> None:
    assert len(list(all_good())) == 30


def test_there_are_enough_adversarial_texts() -> None:
    assert len(HOSTILE) >= 60
    assert len(chinese_texts.HOSTILE) >= 60


@pytest.mark.parametrize("place", ["headline", "summary"])
def test_a_clause_rests_on_the_value_of_its_own_sentence(facts: Facts, place: str) -> None:
    """That fitness rose does not let form rise, although both are cited."""
    told = insight(**{place: "Form jumped: {{tsb}}."}, findings=[finding("Fitness rose to {{ctl}}.", ["ctl"])])
    assert not check(told, facts, language="en").ok


@pytest.mark.parametrize("place", ["headline", "summary"])
def test_a_headline_or_summary_that_fails_fails_the_whole(facts: Facts, place: str) -> None:
    result = check(insight(**{place: "Your load doubled"}), facts, language="en")
    assert not result.ok
    assert {each["where"] for each in result.violations} == {place}


def test_no_finding_left_fails_the_whole(facts: Facts) -> None:
    result = check(insight(findings=[finding("Fitness is 64.", ["ctl"])]), facts, language="en")
    assert not result.ok


@pytest.mark.parametrize(
    "text",
    [None, [], "text", {}, {"headline": "x"}, insight(findings="x"), insight(headline=7), insight(summary="  ")],
)
def test_what_has_not_the_shape_of_an_insight_fails(facts: Facts, text: Any) -> None:
    result = check(text, facts, language="en")
    assert not result.ok
    assert result.violations[0]["check"] == "schema"


def test_odd_parts_are_left_out_and_the_rest_stays(facts: Facts) -> None:
    odd = [None, {"text": 5}, *insight()["findings"]]
    result = check(insight(findings=odd, suggestions=[3], confidence="sure", extra="x"), facts, language="en")
    assert result.ok
    assert result.text["confidence"] == "low"
    assert "extra" not in result.text
    assert len(result.text["findings"]) == 1


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("You rode 62.3 km.", "You rode {{distance}}."),
        ("You rode 62,3 km.", "You rode {{distance}}."),
        ("You rode 62.34 km.", "You rode {{distance}}."),
        ("You rode 62,340 m.", "You rode {{distance}}."),
        ("You rode 38.74 mi.", "You rode {{distance}}."),
        ("It took 2:04:12.", "It took {{timer}}."),
        ("The pace was 4:42 /km.", "The pace was {{pace}}."),
        ("The pace was 4'42\"/km.", "The pace was {{pace}}."),
        ("Power came to 231 W.", "Power came to {{power_np}}."),
        ("The share is 61%.", "The share is {{share_power}}."),
        ("Fitness is 50, which is fine.", "Fitness is {{ctl}}, which is fine."),
        ("Fitness is 50 points.", "Fitness is {{ctl}}."),
        ("Form is −13.", "Form is {{tsb}}."),
        ("You slept 7 h 17 min.", "You slept {{asleep}}."),
        ("HRV is between 60 and 75 ms.", "HRV is between {{hrv_low}}–{{hrv_high}}."),
        ("HRV ranges over 60–75 ms.", "HRV ranges over {{hrv_low}}–{{hrv_high}}."),
        ("You weigh 72.4 kg.", "You weigh {{weight}}."),
        ("You weigh 159.6 lb.", "You weigh {{weight}}."),
        ("You burnt 1,024 kcal.", "You burnt {{energy}}."),
        ("You burnt 1.024 kcal.", "You burnt {{energy}}."),
        ("You ran 10,02 km.", "You ran {{run}}."),
    ],
)
def test_a_number_that_is_a_cited_fact_with_its_unit_becomes_its_token(facts: Facts, written: str, read: str) -> None:
    told = with_units(facts)
    result = checked(told, (written, [each.key for each in told.facts]))
    assert said(result)[0] == read


@pytest.mark.parametrize(
    "written",
    [
        "Fitness is 51.", "Fitness is 50 weeks old.", "Fitness is 50 sessions.", "Form is 13.",
        "You slept 7 h 18 min.", "HRV ranges over 60–76 ms.", "HRV ranges over 61–75 ms.", "You weigh 72.4 lb.",
        "You burnt 1,025 kcal.", "You burnt 1.024 km.", "You ran 10,03 km.", "You ran 10 km.", "You ran 10.02 mi.",
        "It took 2:04:11.", "It took 2:04.", "The share is 61.", "The share is 61 W.", "Fitness is 5e1.",
        "Fitness is 0x32.",
        "Fitness is 50.2.1.", "Between 50 and 63.", "It was 3 of 3.", "Power was 2 31 W.",
        "Power was 231Watts.",
    ],
)  # fmt: skip
def test_a_number_that_is_no_cited_fact_stays_and_is_caught(facts: Facts, written: str) -> None:
    told = with_units(facts)
    result = checked(told, (written, [each.key for each in told.facts]))
    assert "numeral" in {each["check"] for each in result.violations}
    assert len(said(result)) == 1


def with_units(facts: Facts) -> Facts:
    more = (
        fact("asleep", 26_240.0, "s", "7 h 17 min", "Asleep"),
        fact("hrv_low", 59.6, "ms", "60 ms", "Lower end"),
        fact("hrv_high", 74.6, "ms", "75 ms", "Upper end"),
        fact("weight", 72.41, "kg", "72.4 kg", "Weight"),
        fact("energy", 1024.0, "kcal", "1,024 kcal", "Energy"),
        fact("run", 10_021.0, "m", "10.02 km", "Run"),
    )
    return replace(facts, facts=(*facts.facts, *more))


def test_claims_of_missing_data_need_a_missing_fact_of_that_kind(facts: Facts) -> None:
    text = ("HRV was not recorded beside {{ctl}}.", ["ctl"])
    assert len(said(checked(facts, text, missing=["hrv_7d"]))) == 2
    assert len(said(checked(facts, text, missing=["cadence"]))) == 1


def test_keys_that_are_not_missing_are_not_passed_on_as_missing(facts: Facts) -> None:
    result = checked(facts, missing=["hrv_7d", "ctl", "nonsense", "cadence"])
    assert result.text["missing"] == ["cadence", "hrv_7d"]
    assert {each["text"] for each in result.violations} == {"ctl", "nonsense"}


@pytest.mark.parametrize(
    ("claimed", "keys", "shown"),
    [("up", ["ctl"], "up"), ("up", ["distance"], "flat"), ("flat", ["ctl"], "flat"), ("down", ["ctl"], None)],
)
def test_the_direction_of_a_finding_fits_its_facts(
    facts: Facts, claimed: str, keys: list[str], shown: str | None
) -> None:
    text = finding(f"See {{{{{keys[0]}}}}} on the chart.", keys, direction=claimed)
    result = check(insight(findings=[text, *insight()["findings"]]), facts, language="en")
    assert [each["direction"] for each in result.text["findings"]][:-1] == ([shown] if shown else [])


def test_a_suggestion_may_name_a_direction_but_not_report_one(facts: Facts) -> None:
    ideas = ["Go up a gear more than usual", "Rest, since load rose", "Do two hard sessions"]
    wishes = [{"text": each, "facts": ["load_week"], "when": "today"} for each in ideas]
    result = check(insight(suggestions=wishes), facts, language="en")
    assert [each["text"] for each in result.text["suggestions"]] == ideas[:1]
    assert len(result.dropped) == 2


def test_sentences_of_the_last_three_insights_are_not_said_again(facts: Facts) -> None:
    old = [insight(), insight(headline="Something else"), insight(), insight(headline="An old headline")]
    assert not check(insight(), facts, language="en", recent=old).ok
    fresh = insight(
        headline="An old headline",
        summary="This morning you start with {{tsb}}.",
        findings=[finding("On the other side there is {{atl}}.", ["atl"])],
    )
    assert check(fresh, facts, language="en", recent=old).ok


def test_a_text_of_mostly_the_same_words_is_a_repetition(facts: Facts) -> None:
    before = insight(summary="Everything is where the plan wants it to be on this day at {{ctl}} points.")
    after = insight(
        headline="Another look at it",
        summary="Everything is where the plan wants it to be on this day at {{atl}} again.",
        findings=[finding("What stands out is {{atl}}.", ["atl"])],
    )
    result = check(after, facts, language="en", recent=[before])
    assert [each["check"] for each in result.violations] == ["repetition"]


def test_invisible_characters_and_angles_are_gone_from_what_is_kept(facts: Facts) -> None:
    text = "Fit\u202eness\u200b is\x00 {{ctl}}:\nrest > haste,\u2028and so on."
    result = checked(facts, (text, ["ctl"]))
    assert said(result)[0] == "Fitness is {{ctl}}: rest › haste, and so on."


def test_more_than_four_findings_and_three_suggestions_are_cut(facts: Facts) -> None:
    words = ["here", "there", "beside", "below", "again", "too"]
    many = [finding(f"Fatigue {word} is {{{{atl}}}}.", ["atl"]) for word in words]
    ideas = [{"text": f"Ride easily {word}", "facts": ["atl"], "when": "today"} for word in words]
    result = check(insight(findings=many, suggestions=ideas), facts, language="en")
    assert len(result.text["findings"]) == 4
    assert len(result.text["suggestions"]) == 3


def chinese(text: str, keys: list[str]) -> dict[str, Any]:
    return insight(
        headline="目前的情况",
        summary="今晨状态为{{tsb}}。",
        findings=[finding(text, keys), finding("疲劳为{{atl}}。", ["atl"])],
    )


@pytest.mark.parametrize(("text", "keys"), chinese_texts.SOUND)
def test_a_sound_chinese_finding_stays(facts: Facts, text: str, keys: list[str]) -> None:
    assert not check(chinese(text, keys), facts, language="zh-hans").violations


@pytest.mark.parametrize(("name", "text"), hidden_texts.CHINESE)
def test_what_hides_in_chinese_is_found(facts: Facts, name: str, text: str) -> None:
    result = check(chinese(text, TOKEN.findall(text)), facts, language="zh-hans")
    assert name in {each["check"] for each in result.violations}
    assert len(said(result)) == 1


@pytest.mark.parametrize(("name", "text", "keys"), chinese_texts.HOSTILE)
def test_a_chinese_finding_that_its_facts_do_not_carry_is_dropped(
    facts: Facts, name: str, text: str, keys: list[str]
) -> None:
    result = check(chinese(text, keys), facts, language="zh-hans")
    assert name in {each["check"] for each in result.violations}
    assert len(said(result)) == 1


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("骑了62.3公里。", "骑了{{distance}}。"),
        ("骑了62.3 公里，很稳。", "骑了{{distance}}，很稳。"),
        ("骑了62,340米。", "骑了{{distance}}。"),
        ("骑了38.74英里。", "骑了{{distance}}。"),
        ("用时2:04:12。", "用时{{timer}}。"),
        ("配速4:42/公里。", "配速{{pace}}。"),
        ("功率231瓦。", "功率{{power_np}}。"),
        ("占61%。", "占{{share_power}}。"),
        ("占61％。", "占{{share_power}}。"),
    ],
)
def test_a_number_with_a_chinese_unit_becomes_its_token(facts: Facts, written: str, read: str) -> None:
    han = replace(facts, facts=tuple(in_chinese(fact) for fact in facts.facts))
    keys = ["distance", "timer", "pace", "power_np", "share_power"]
    assert said(check(chinese(written, keys), han, language="zh-hans"))[0] == read


def in_chinese(fact: Fact) -> Fact:
    return replace(fact, display=display.with_unit_words(fact.display, style=Style(language="zh-hans")))


def test_a_chinese_suggestion_may_ask_for_a_direction_but_not_report_one(facts: Facts) -> None:
    ideas = ["今天放慢配速，减少强度", "负荷上升了，休息", "疲劳增加了，先恢复", "做两次高强度训练"]
    wishes = [{"text": each, "facts": ["load_week"], "when": "今天"} for each in ideas]
    result = check(chinese("体能上升，现为{{ctl}}。", ["ctl"]) | {"suggestions": wishes}, facts, language="zh-hans")
    assert [each["text"] for each in result.text["suggestions"]] == ideas[:1]


def test_missing_data_may_be_claimed_in_chinese_where_it_is_missing(facts: Facts) -> None:
    text = chinese("踏频没有记录，体能{{ctl}}。", ["ctl"])
    assert check(text | {"missing": ["cadence"]}, facts, language="zh-hans").ok
    assert len(said(check(text | {"missing": ["hrv_7d"]}, facts, language="zh-hans"))) == 1
