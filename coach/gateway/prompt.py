"""Puts an insight's question and facts into messages for a model: short, clean, and clearly data."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from coach.gateway.grounding import RECENT
from coach.gateway.request import Messages
from coach.gateway.rules.markup import cleaned
from coach.gateway.rules.trends import trends
from coach.scopes.facts import Fact, Facts
from coach.scopes.registry import UnknownScope, named

VERSION = 1  # part of the fingerprint: a new text is a new file and a new number
INSTRUCTIONS = (Path(__file__).parent / "prompts" / f"insight-{VERSION}.txt").read_text(encoding="utf-8").strip()
LANGUAGES = {
    "en": "English",
    "zh-hans": (
        "Simplified Chinese (简体中文), plain, the athlete is 你. Numerals such as 一 两 三 十 百 半 倍 count as "
        "numbers, 星期 and 月 as dates; no ！, no latin words except those of the facts"
    ),
}
HAN = re.compile(r"[\u3400-\u9fff]")

CHARACTERS_PER_TOKEN = 4
MOST_CHARACTERS = 1500 * CHARACTERS_PER_TOKEN
# How long meanings and conventions may be, tried in turn until the prompt is short enough.
CUTS = ((140, 120), (100, 80), (90, 40), (100, 0), (60, 0), (0, 0))
MOST_LABEL, MOST_DISPLAY, MOST_NOTE = 60, 60, 300
MOST_VIOLATIONS = 12


def messages(facts: Facts, *, language: str, recent: Sequence[Mapping[str, Any]] = ()) -> Messages:
    """Return the messages that ask for an insight, of at most about 1,500 tokens."""
    room = MOST_CHARACTERS - len(INSTRUCTIONS)
    for meaning, convention in CUTS:
        data = encoded(facts, language=language, recent=recent, meaning=meaning, convention=convention)
        if size(data) <= room:
            break
    return [{"role": "system", "content": INSTRUCTIONS}, {"role": "user", "content": data}]


def size(text: str) -> int:
    """Return the length in characters, as Latin ones count: a Chinese one is about a token of its own."""
    return len(text) + (CHARACTERS_PER_TOKEN - 1) * len(HAN.findall(text))


def repair(asked: Messages, answer: str, violations: Sequence[Mapping[str, str]]) -> Messages:
    """Return the messages that show a writer what was wrong with its answer, and ask for another."""
    wrong = [f"- {each['where']}: {each['check']}: {each['text']}" for each in violations[:MOST_VIOLATIONS]]
    wish = "This breaks the rules:\n" + "\n".join(wrong) + "\nWrite the whole JSON object again without these faults."
    return [
        *asked,
        {"role": "assistant", "content": cleaned(answer)[:4000]},
        {"role": "user", "content": wish},
    ]


def encoded(facts: Facts, *, language: str, recent: Sequence[Mapping[str, Any]], meaning: int, convention: int) -> str:
    question, answers = asked(facts.scope)
    known = [fact for fact in facts.facts if fact.value is not None and not fact.passing]
    data = {
        "scope": facts.scope,
        "question": question,
        "answer": answers,
        "language": language,
        "write_in": LANGUAGES.get(language, "English"),
        "facts": {fact.key: told(fact, meaning=meaning, convention=convention) for fact in known},
        "missing": list(dict.fromkeys([*facts.missing, *(each.key for each in facts.facts if each.value is None)])),
        "recent": [cleaned(str(each.get("headline", "")))[:80] for each in recent[:RECENT]],
    }
    if facts.notes:
        data["athlete_wrote"] = cut(facts.notes, MOST_NOTE)
    return json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def asked(scope: str) -> tuple[str, list[str]]:
    """Return the question of a scope and what an answer to it must say."""
    try:
        found = named(scope)
    except UnknownScope:
        return "What do these facts say?", []
    return found.question, list(found.answers)


def told(fact: Fact, *, meaning: int, convention: int) -> dict[str, str]:
    """Return what a writer needs of a fact; empty parts are left out."""
    going = trends(fact)
    parts = {
        "label": cut(fact.label, MOST_LABEL),
        "display": cut(fact.display, MOST_DISPLAY),
        "unit": "" if fact.unit and fact.display.endswith(fact.unit) else fact.unit,
        "meaning": cut(fact.meaning, meaning),
        "convention": cut(fact.convention, convention),
        "good": fact.good,
        "goes": next(iter(going)) if len(going) == 1 else "",
    }
    return {name: part for name, part in parts.items() if part}


def cut(text: str, most: int) -> str:
    """Return the text cleaned, and no longer than this: whole words where it can."""
    plain = cleaned(text)
    if len(plain) <= most:
        return plain
    blank = plain.rfind(" ", most // 2, most)
    return plain[: blank if blank > 0 else most] + "…" if most else ""
