"""Makes a valid insight from the facts that stand in the prompt: tokens only, never a digit."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from random import Random
from typing import Any

from coach.trial import phrases

# A label with any of these would say more than the value does, so the sentence names the value without it.
TELLING = re.compile(
    r"\b(best|better|worst|worse|record|peak|fast\w*|slow\w*|high\w*|low\w*|more|less|most|least|up|down|rise|rising|"
    r"fall\w*|drop\w*|gain\w*|long\w*|short\w*|first|second|third|half|double|zero|one|two|three|four|five|six|seven|"
    r"eight|nine|ten|change|increase|decrease)\b",
    re.IGNORECASE,
)
Fact = Mapping[str, Any] | str  # an object with a label, or a line that begins with it and a colon
HOLE = re.compile(r"\{\w+\}")
NOT_AN_INSIGHT = "I see no facts in what you sent."


def answer(prompt: str, *, seed: int, number: int) -> str:
    """Return the text of a reply to this prompt; the same arguments give the same text."""
    data = facts_in(prompt)
    if data is None:
        return NOT_AN_INSIGHT
    facts = {key: fact for key, fact in data["facts"].items() if isinstance(fact, Mapping | str)}
    chance = Random(f"{seed}:{number}")  # noqa: S311 - variety, not a secret
    if data.get("reply") == "one sentence":
        return json.dumps(note(facts, data, chance), ensure_ascii=False)
    return json.dumps(insight(facts, data, chance), ensure_ascii=False)


def facts_in(prompt: str) -> dict[str, Any] | None:
    """Find the first JSON object in the prompt that holds `facts` by key."""
    decoder = json.JSONDecoder()
    for match in re.finditer(r"\{", prompt):
        try:
            found, _end = decoder.raw_decode(prompt, match.start())
        except ValueError:
            continue
        if isinstance(found, dict) and isinstance(found.get("facts"), dict) and found["facts"]:
            return found
    return None


def note(facts: Mapping[str, Fact], data: Mapping[str, Any], chance: Random) -> dict[str, Any]:
    """Say one thing about one of the facts, in words that were not used lately."""
    variants = phrases.CHINESE if data.get("language") == "zh-hans" else phrases.ENGLISH
    said = json.dumps(data.get("recent", ""), ensure_ascii=False)
    ways = [(variant, words) for variant in variants for words in variant.findings]
    chance.shuffle(ways)
    variant, words = next((way for way in ways if max(HOLE.split(way[1]), key=len) not in said), ways[0])
    key = chance.choice(list(facts))
    text = words.format(name=name_of(facts[key], variant), key=f"{{{{{key}}}}}")
    return {"text": text, "facts": [key], "direction": "flat"}


def insight(facts: Mapping[str, Fact], data: Mapping[str, Any], chance: Random) -> dict[str, Any]:
    words = phrases.CHINESE if data.get("language") == "zh-hans" else phrases.ENGLISH
    said = json.dumps(data.get("recent", ""), ensure_ascii=False)
    variant = next(unsaid(words, said, chance), words[0])
    told = [(key, f"{{{{{key}}}}}", name_of(fact, variant)) for key, fact in facts.items()]
    findings = [
        {"text": text.format(name=name, key=token), "facts": [key], "direction": "flat", "weight": weight}
        for text, weight, (key, token, name) in zip(variant.findings, (3, 2, 1), told, strict=False)
    ]
    summary = [variant.summary.format(name=name, key=token) for _key, token, name in told[:1]]
    return {
        "headline": variant.headline,
        "summary": "".join(summary) + variant.closing,
        "findings": findings,
        "suggestions": [{"text": variant.suggestion, "facts": list(facts)[:1], "when": variant.when}],
        "confidence": "medium",
        "confidence_reasons": [],
        "missing": [key for key in data.get("missing", []) if isinstance(key, str)],
    }


def unsaid(words: Iterable[phrases.Phrases], said: str, chance: Random) -> Iterator[phrases.Phrases]:
    """Go through the variants in a drawn order and give those that no recent insight used."""
    drawn = list(words)
    chance.shuffle(drawn)
    return (variant for variant in drawn if variant.headline not in said)


def name_of(fact: Fact, variant: phrases.Phrases) -> str:
    label = fact.partition(": ")[0] if isinstance(fact, str) else str(fact.get("label", ""))
    plain = variant.plain.fullmatch(label) and not TELLING.search(label)
    return label if plain else variant.nameless


def pieces(text: str) -> list[str]:
    """Split a text as a model streams it: a word and the blanks before it at a time."""
    return re.findall(r"\s*\S{1,12}", text) or [text]
