"""The grounding check: what the facts do not say is not shown."""

from typing import Any

import pytest

from coach.gateway.grounding import Checked, check
from coach.scopes.facts import Facts


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


SOUND = [
    ("Fitness rose to {{ctl}} while form is {{tsb}}.", ["ctl", "tsb"]),
    ("The ramp of {{ramp}} is positive growth.", ["ramp"]),
    ("You are building, with a ramp of {{ramp}}.", ["ramp", "phase"]),
    ("Form has not risen: it is {{tsb}} this morning.", ["tsb"]),
    (
        "The week carried {{load_week}} points, more than the weeks before ({{load_ratio}}).",
        ["load_week", "load_ratio"],
    ),
    ("Your pace came out at {{pace}}, faster than usual by {{pace_delta}}.", ["pace", "pace_delta"]),
    ("Better pace than usual: {{pace_delta}}.", ["pace_delta"]),
    ("Your best effort gave {{effort_best_20min}}.", ["effort_best_20min"]),
    ("You may rest until {{projected_on}}; form would then be {{tsb_projected}}.", ["projected_on", "tsb_projected"]),
    ("One of the shares stands out: {{share_power}} from power.", ["share_power"]),
    ("Warm up well; the session took {{timer}}.", ["timer"]),
    ("Range of form: {{tsb}}–{{tsb_projected}}.", ["tsb", "tsb_projected"]),
    ("The session of {{ distance }} took {{timer}}.", ["distance", "timer"]),
    ("Great work on fitness, now at {{ctl}}.", ["ctl"]),
    ("The strain – {{strain}} – comes from {{monotony}} monotony.", ["strain", "monotony"]),
    ("Ramps like {{ramp}} are a guide and no limit.", ["ramp"]),
    ("Fatigue (a short mean) is {{atl}}.", ["atl"]),
]


@pytest.mark.parametrize(("text", "keys"), SOUND)
def test_a_sound_finding_stays(facts: Facts, text: str, keys: list[str]) -> None:
    result = checked(facts, (text, keys))
    assert not result.violations
    assert result.ok
    assert len(said(result)) == 2


HOSTILE = [
    # 1: tokens
    ("token", "Fitness stands at {{vo2max}}.", ["vo2max"]),
    ("token", "Cadence was {{cadence}}.", ["cadence"]),
    ("uncited", "Fitness stands at {{ctl}}.", ["tsb"]),
    ("uncited", "Fitness stands where it should.", ["ctl"]),
    ("uncited", "Nothing is cited here.", []),
    ("markup", "Fitness stands at {ctl} and {{tsb}}.", ["ctl", "tsb"]),
    ("markup", "Fitness stands at {{{{ctl}}}}.", ["ctl"]),
    ("markup", "Fitness stands at {{ctl}} {{.", ["ctl"]),
    # 2: numbers in every dress
    ("numeral", "Fitness stands at 64 beside {{tsb}}.", ["tsb"]),
    ("numeral", "Fitness {{ctl}} is ٦٤ today.", ["ctl"]),
    ("numeral", "Fitness {{ctl}} is ６４ today.", ["ctl"]),
    ("numeral", "Fitness {{ctl}} is up ½ a point.", ["ctl"]),
    ("numeral", "Fitness {{ctl}} is level Ⅳ.", ["ctl"]),
    ("numeral", "Fitness {{ctl}} is x² of it.", ["ctl"]),
    ("numeral", "Fitness {{ctl}} in ④ steps.", ["ctl"]),
    ("numeral", "That is twice your usual {{load_week}}.", ["load_week"]),
    ("numeral", "That is double your usual {{load_week}}.", ["load_week"]),
    ("numeral", "Half of {{load_week}} came from power.", ["load_week"]),
    ("numeral", "Two-thirds of {{load_week}} were easy.", ["load_week"]),
    ("numeral", "Twenty-five points of {{load_week}} were hard.", ["load_week"]),
    ("numeral", "It took one hour to add {{load_week}}.", ["load_week"]),
    ("numeral", "One more week like {{load_week}} is fine.", ["load_week"]),
    ("numeral", "Your t w o sessions gave {{load_week}}.", ["load_week"]),
    ("numeral", "Your t\u200bw\u200bo sessions gave {{load_week}}.", ["load_week"]),
    ("numeral", "Your twó sessions gave {{load_week}}.", ["load_week"]),
    ("numeral", "Your 𝐭𝐰𝐨 sessions gave {{load_week}}.", ["load_week"]),
    ("numeral", "A dozen sessions gave {{load_week}}.", ["load_week"]),
    ("numeral", "You trained once a day for {{load_week}}.", ["load_week"]),
    ("numeral", "Zone IV gave most of {{load_week}}.", ["load_week"]),
    ("numeral", "A fortnight of {{load_week}}.", ["load_week"]),
    ("numeral", "You rode 62 sessions, {{distance}} in all.", ["distance"]),
    ("numeral", "You rode 62.4 km, or {{distance}}.", ["distance"]),
    ("numeral", "You rode 62 km, or {{distance}}.", ["distance"]),
    ("numeral", "You rode 62.3 miles, or {{distance}}.", ["distance"]),
    ("numeral", "You rode 62.3 km beside {{ctl}}.", ["ctl"]),
    ("numeral", "It took 2:04:13 or {{timer}}.", ["timer"]),
    ("numeral", "Power was 213 W against {{power_np}}.", ["power_np"]),
    ("numeral", "Power rose from 200 to 231 W in {{power_np}}.", ["power_np"]),
    ("date", "Since Tuesday fitness is {{ctl}}.", ["ctl"]),
    ("date", "Since march and in March fitness is {{ctl}}.", ["ctl"]),
    ("date", "In May fitness was {{ctl}}.", ["ctl"]),
    ("date", "On Sat you had {{ctl}}.", ["ctl"]),
    # a token made into another value
    ("unit", "Fitness is {{ctl}}%.", ["ctl"]),
    ("unit", "Fitness is {{ctl}} percent.", ["ctl"]),
    ("unit", "You rode {{distance}} hours.", ["distance"]),
    ("unit", "Fitness is minus {{ctl}}.", ["ctl"]),
    ("unit", "Fitness is -{{ctl}}.", ["ctl"]),
    ("unit", "Fitness is −{{ctl}}.", ["ctl"]),
    ("unit", "Fitness is {{ctl}}th.", ["ctl"]),
    ("unit", "Load is {{ctl}}k.", ["ctl"]),
    ("unit", "Fitness is {{ctl}} times {{atl}}.", ["ctl", "atl"]),
    ("unit", "About ~{{ctl}}.", ["ctl"]),
    # 4: directions
    ("direction", "Fitness fell to {{ctl}}.", ["ctl"]),
    ("direction", "Form rose to {{tsb}}.", ["tsb"]),
    ("direction", "Form is up at {{tsb}} while the ramp is {{ramp}}.", ["tsb", "ramp"]),
    ("direction", "Load rose to {{load_week}}.", ["load_week"]),
    ("direction", "You were slower by {{pace_delta}}.", ["pace_delta"]),
    ("direction", "Your pace got worse: {{pace_delta}}.", ["pace_delta"]),
    ("direction", "Fitness improved with a form of {{tsb}}.", ["tsb"]),
    ("direction", "A record for you: {{distance}}.", ["distance"]),
    ("direction", "Your longest ride ever, {{distance}}.", ["distance"]),
    ("direction", "Among similar sessions the best: {{rank_similar}}.", ["rank_similar"]),
    ("direction", "Fitness has not risen: {{ctl}}.", ["ctl"]),
    ("direction", "Fitness is unchanged at {{ctl}}.", ["ctl"]),
    ("direction", "Fitness is higher than your usual, {{distance}}.", ["distance"]),
    ("direction", "Fatigue declined to {{atl}}.", ["atl"]),
    # 5: what a coach does not say
    ("banned", "A load of {{load_week}} raises your injury risk.", ["load_week"]),
    ("banned", "A form of {{tsb}} hints at illness.", ["tsb"]),
    ("banned", "Overtraining shows in {{tsb}}.", ["tsb"]),
    ("banned", "See a doctor about {{tsb}}.", ["tsb"]),
    ("tone", "You are crushing it with {{ctl}}.", ["ctl"]),
    ("tone", "What a beast: {{ctl}}.", ["ctl"]),
    ("tone", "Fitness is {{ctl}}!", ["ctl"]),
    ("praise", "Impressive ride of {{distance}}.", ["distance"]),
    ("praise", "Well done with form at {{tsb}}.", ["tsb"]),
    ("missing", "There is no power data behind {{ctl}}.", ["ctl"]),
    ("missing", "Heart rate is missing, so {{ctl}} is a guess.", ["ctl"]),
    ("missing", "HRV was not recorded beside {{ctl}}.", ["ctl"]),
    # markup, other scripts, other languages
    ("markup", "<script>alert(document.cookie)</script> {{ctl}}", ["ctl"]),
    ("markup", "Fitness <b>is</b> {{ctl}}.", ["ctl"]),
    ("markup", "See [this](javascript:alert) {{ctl}}.", ["ctl"]),
    ("markup", "Read https://example.org about {{ctl}}.", ["ctl"]),
    ("markup", "Read www.example.org about {{ctl}}.", ["ctl"]),
    ("markup", "![x](data:image/png;base64,AA) {{ctl}}", ["ctl"]),
    ("markup", "Fitness &lt;i&gt; {{ctl}}.", ["ctl"]),
    ("markup", "{% include x %} {{ctl}}", ["ctl"]),
    ("markup", "**Fitness** is {{ctl}}.", ["ctl"]),
    ("markup", "Write to me@example.org about {{ctl}}.", ["ctl"]),
    ("language", "Die Fitneß ist {{ctl}}, жаль.", ["ctl"]),
    ("language", "Your twо sessions gave {{load_week}}.", ["load_week"]),
    ("language", "体能为{{ctl}}。", ["ctl"]),
    ("language", "Fitness is {{ctl}} 🚀", ["ctl"]),
    ("length", "Fitness is {{ctl}} " + "and so on " * 40, ["ctl"]),
]


@pytest.mark.parametrize(("name", "text", "keys"), HOSTILE)
def test_a_finding_that_its_facts_do_not_carry_is_dropped(facts: Facts, name: str, text: str, keys: list[str]) -> None:
    result = checked(facts, (text, keys))
    assert name in {each["check"] for each in result.violations}
    assert said(result) == ["Fatigue stands at {{atl}} beside it."]
    assert result.ok
    assert len(result.dropped) == 1
    assert all(len(each["text"]) <= 80 for each in result.violations)


def test_there_are_enough_adversarial_texts() -> None:
    assert len(HOSTILE) >= 60


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
    ],
)
def test_a_number_that_is_a_cited_fact_with_its_unit_becomes_its_token(facts: Facts, written: str, read: str) -> None:
    result = checked(facts, (written, ["distance", "timer", "pace", "power_np", "share_power"]))
    assert said(result)[0] == read


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
    before = insight(summary="Fitness is where the plan wants it to be on this day at {{ctl}} points.")
    after = insight(
        headline="Another look at it",
        summary="Fitness is where the plan wants it to be on this day at {{atl}} again.",
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


CHINESE_SOUND = [
    ("体能上升，现为{{ctl}}。", ["ctl"]),
    ("一些疲劳仍在：{{atl}}。", ["atl"]),
    ("本周的负荷为{{load_week}}，FTP保持原样。", ["load_week"]),
]
CHINESE_HOSTILE = [
    ("numeral", "负荷是平时的两倍：{{load_week}}。", ["load_week"]),
    ("numeral", "一半来自功率：{{share_power}}。", ["share_power"]),
    ("numeral", "体能为{{ctl}}，共三次训练。", ["ctl"]),
    ("date", "周二的体能为{{ctl}}。", ["ctl"]),
    ("direction", "体能下降到{{ctl}}。", ["ctl"]),
    ("banned", "{{tsb}}说明可能受伤。", ["tsb"]),
    ("tone", "太棒了，体能{{ctl}}。", ["ctl"]),
    ("praise", "骑行{{distance}}，非常出色。", ["distance"]),
    ("missing", "没有功率数据，只有{{ctl}}。", ["ctl"]),
    ("unit", "体能为{{ctl}}公里。", ["ctl"]),
    ("language", "Fitness is at {{ctl}} now.", ["ctl"]),
]


def chinese(text: str, keys: list[str]) -> dict[str, Any]:
    return insight(
        headline="目前的情况",
        summary="今晨状态为{{tsb}}。",
        findings=[finding(text, keys), finding("疲劳为{{atl}}。", ["atl"])],
    )


@pytest.mark.parametrize(("text", "keys"), CHINESE_SOUND)
def test_a_sound_chinese_finding_stays(facts: Facts, text: str, keys: list[str]) -> None:
    assert not check(chinese(text, keys), facts, language="zh-hans").violations


@pytest.mark.parametrize(("name", "text", "keys"), CHINESE_HOSTILE)
def test_a_chinese_finding_that_its_facts_do_not_carry_is_dropped(
    facts: Facts, name: str, text: str, keys: list[str]
) -> None:
    result = check(chinese(text, keys), facts, language="zh-hans")
    assert name in {each["check"] for each in result.violations}
    assert len(said(result)) == 1
