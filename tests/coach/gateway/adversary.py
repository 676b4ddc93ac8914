"""Answers of a model that means harm or is broken, from one seed, each with the lie that must not be shown."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from coach.gateway.rules.passage import TOKEN
from tests.coach.gateway.good_texts import all_good
from tests.coach.gateway.lies import lies

SEED = 20261130
PLACES = ("headline", "summary", "finding", "finding", "finding", "suggestion", "when", "reason", "everywhere")

SOUND = {
    language: [good for good in all_good() if good.language == language and good.facts.get("ramp")]
    for language in ("en", "zh-hans")
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    number: int
    language: str
    kind: str
    raw: str  # what the model sends
    lie: str  # with tokens; never to be read in the panel
    reasoning: bool = False  # it comes in the field for thoughts


def attack(number: int) -> Attack:
    """Return the answer of this number; the same number gives the same answer."""
    chance = Random(f"{SEED}:{number}")
    language = "en" if chance.random() < 0.6 else "zh-hans"
    kind, lie = chance.choice(list(lies(language).items()))
    said = lie(chance)
    text = lying(sound(language, chance), said, chance.choice(PLACES))
    dress = chance.choice(list(DRESSES))
    raw = DRESSES[dress](text, chance)
    return Attack(
        number=number,
        language=language,
        kind=f"{kind}, {dress}",
        raw=raw,
        lie=said,
        reasoning=dress == "reasoning only",
    )


def sound(language: str, chance: Random) -> dict[str, Any]:
    """Return an insight about load that would pass, for the lie to hide in."""
    good = chance.choice(SOUND[language])
    return {
        "headline": good.headline,
        "summary": good.summary,
        "findings": [finding(text) for text in good.findings],
        "suggestions": [{"text": good.suggestion, "facts": [], "when": ""}] if good.suggestion else [],
        "confidence": "high",
        "confidence_reasons": [],
        "missing": [],
    }


def finding(text: str) -> dict[str, Any]:
    return {"text": text, "facts": TOKEN.findall(text) or ["ctl"], "direction": "flat", "weight": 2}


def lying(text: dict[str, Any], lie: str, place: str) -> dict[str, Any]:
    """Put the lie into the text: in place of a part, or at its end."""
    match place:
        case "headline" | "summary":
            return {**text, place: lie}
        case "finding":
            return {**text, "findings": [finding(lie), *text["findings"]]}
        case "suggestion":
            return {**text, "suggestions": [{"text": lie, "facts": TOKEN.findall(lie), "when": "today"}]}
        case "when":
            return {**text, "suggestions": [{"text": text["headline"], "facts": [], "when": lie}]}
        case "reason":
            return {**text, "confidence_reasons": [lie], "missing": [lie, "power"]}
        case _:
            return {
                **text,
                "headline": lie,
                "summary": f"{text['summary']} {lie}",
                "findings": [finding(f"{each['text']} {lie}") for each in text["findings"]],
            }


def plain(text: dict[str, Any], chance: Random) -> str:
    return json.dumps(text, ensure_ascii=chance.random() < 0.3)


def cut(text: dict[str, Any], chance: Random) -> str:
    whole = plain(text, chance)
    return whole[: chance.randrange(len(whole))]


def doubled(text: dict[str, Any], chance: Random) -> str:
    """Give each key twice: a decent value and the lying one, in either order."""
    decent = {"headline": "Where you are", "summary": "See below.", "findings": [], "suggestions": []}
    pair = [plain(decent, chance)[1:-1], plain(text, chance)[1:-1]]
    chance.shuffle(pair)
    return "{" + ",".join(pair) + "}"


def nested(text: dict[str, Any], chance: Random) -> str:
    deep = chance.choice((60, 5_000, 20_000))
    return plain(text, chance)[:-1] + ',"findings":' + "[" * deep + "]" * deep + "}"


def huge(text: dict[str, Any], chance: Random) -> str:
    many = chance.choice((3_000, 70_000, 10_000_000 if chance.random() < 0.05 else 200_000))
    return plain({**text, "summary": text["summary"] + " and so on" * (many // 10)}, chance)


def odd_types(text: dict[str, Any], chance: Random) -> str:
    odd = chance.choice((None, 7, 1e308, True, [], {}, [[text]], "", "\x00", {"text": {"text": "x"}}))
    name = chance.choice(list(text))
    return plain({**text, name: odd}, chance)


def not_a_number(text: dict[str, Any], chance: Random) -> str:
    return plain(text, chance).replace(
        '"weight": 2', f'"weight": {chance.choice(("NaN", "Infinity", "-Infinity", "1e999"))}'
    )


DRESSES: dict[str, Callable[[dict[str, Any], Random], str]] = {
    "plain": plain,
    "plain again": plain,
    "plain once more": plain,
    "fenced": lambda text, it: f"```json\n{plain(text, it)}\n```",
    "after talk": lambda text, it: f"Sure! Here it is:\n{plain(text, it)}\nHope that helps!",
    "after thoughts": lambda text, it: f"<think>{plain(text, it)}</think>{plain(text, it)}",
    "unclosed thoughts": lambda text, it: f"<think>{plain(text, it)}",
    "reasoning only": plain,
    "cut": cut,
    "no JSON": lambda text, it: f"{text['headline']}\n\n{text['summary']}",
    "doubled keys": doubled,
    "nested": nested,
    "huge": huge,
    "odd types": odd_types,
    "not a number": not_a_number,
    "in a list": lambda text, it: f"[{plain(text, it)}]",
    "bad bytes": lambda text, it: plain(text, it).replace(" ", "\ufffd", 3),
    "surrogates": lambda text, it: plain(text, it)[:-1] + ',"more":"\\ud800\\udc00\\ud800"}',
}
