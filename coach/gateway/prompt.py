"""Puts an insight's question and facts into messages for a model: short, clean, and clearly data."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from coach.gateway.grounding import RECENT
from coach.gateway.metering import estimate
from coach.gateway.request import Messages
from coach.gateway.rules.markup import cleaned
from coach.gateway.rules.trends import trends
from coach.scopes.facts import Fact, Facts
from coach.scopes.registry import UnknownScope, named

VERSION = 2  # part of the fingerprint: a new text is a new file and a new number
FOLDER = Path(__file__).parent / "prompts"
NOTE_VERSION = 1  # of the instructions for one sentence
LANGUAGES = {
    "en": "English",
    "zh-hans": (
        "Simplified Chinese (简体中文), plain, the athlete is 你. Numerals such as 一 两 三 十 百 半 倍 count as "
        "numbers, 星期 and 月 as dates; no ！, no latin words except those of the facts"
    ),
}
MOST_TOKENS = 1450  # by metering.estimate, so that with what a chat template adds it stays under 1,500
# How long meanings and conventions may be, tried in turn until the prompt is short enough.
CUTS = ((140, 120), (140, 60), *((meaning, 0) for meaning in (120, 90, 70, 50, 36, 24, 16, 10, 0)))
MOST_LABEL, MOST_DISPLAY, MOST_NOTE = 60, 60, 300
MOST_NOTE_TOKENS = 110
MOST_VIOLATIONS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """Which instructions are sent: those of an insight or a note, of some version."""

    name: str = "insight"
    version: int = VERSION

    @property
    def instructions(self) -> str:
        return instructions(self.name, self.version)


INSIGHT = Wording()
NOTE = Wording(name="note", version=NOTE_VERSION)


@cache
def instructions(name: str, version: int) -> str:
    return (FOLDER / f"{name}-{version}.txt").read_text(encoding="utf-8").strip()


INSTRUCTIONS = INSIGHT.instructions
LENGTH = estimate(INSTRUCTIONS)


def versions() -> tuple[int, ...]:
    """Return the versions of the instructions for an insight, the newest first."""
    numbers = (int(path.stem.removeprefix("insight-")) for path in FOLDER.glob("insight-*.txt"))
    return tuple(sorted(numbers, reverse=True))


def messages(
    facts: Facts, *, language: str, recent: Sequence[Mapping[str, Any]] = (), wording: Wording = INSIGHT
) -> Messages:
    """Return the messages that ask for an insight, or for a note, of fewer than 1,500 tokens.

    Explanations are given up before facts are; then those facts go that a screen shows last.
    """
    said = wording.instructions
    room = MOST_TOKENS - estimate(said)
    for meaning, convention in CUTS:
        data = encoded(facts, language=language, recent=recent, meaning=meaning, convention=convention, wording=wording)
        if estimate(data) <= room:
            break
    left = facts
    while estimate(data) > room and left.facts:
        left = replace(left, facts=left.facts[: len(left.facts) * 9 // 10])
        data = encoded(left, language=language, recent=recent, meaning=0, convention=0, wording=wording)
    return [{"role": "system", "content": said}, {"role": "user", "content": data}]


def repair(asked: Messages, answer: str, violations: Sequence[Mapping[str, str]]) -> Messages:
    """Return the messages that show a writer what was wrong with its answer, and ask for another."""
    wrong = [f"- {each['where']}: {each['check']}: {each['text']}" for each in violations[:MOST_VIOLATIONS]]
    wish = "This breaks the rules:\n" + "\n".join(wrong) + "\nWrite the whole JSON object again without these faults."
    return [
        *asked,
        {"role": "assistant", "content": cleaned(answer)[:4000]},
        {"role": "user", "content": wish},
    ]


def encoded(
    facts: Facts,
    *,
    language: str,
    recent: Sequence[Mapping[str, Any]],
    meaning: int,
    convention: int,
    wording: Wording = INSIGHT,
) -> str:
    question, answers = asked(facts.scope)
    known = [fact for fact in facts.facts if fact.value is not None and not fact.passing]
    wish = {"reply": "one sentence"} if wording.name == "note" else {"question": question, "answer": answers}
    data = {
        "scope": facts.scope,
        **wish,
        "language": language,
        "write_in": LANGUAGES.get(language, "English"),
        "facts": {fact.key: told(fact, meaning=meaning, convention=convention) for fact in known},
        "missing": list(dict.fromkeys([*facts.missing, *(each.key for each in facts.facts if each.value is None)])),
        "recent": [cleaned(str(each.get("headline", each.get("text", ""))))[:80] for each in recent[:RECENT]],
    }
    if facts.notes:
        data["athlete_wrote"] = note(facts.notes)
    return json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def asked(scope: str) -> tuple[str, list[str]]:
    """Return the question of a scope and what an answer to it must say."""
    try:
        found = named(scope)
    except UnknownScope:
        return "What do these facts say?", []
    return found.question, list(found.answers)


def told(fact: Fact, *, meaning: int, convention: int) -> str:
    """Return what a writer needs of a fact on one line: its name, what is shown, where it goes, what it means."""
    going = trends(fact)
    value = cut(fact.display, MOST_DISPLAY)
    shown = quoted(value) if isinstance(fact.value, str) else value
    unit = "" if not fact.unit or fact.display.endswith(fact.unit) else f" {fact.unit}"
    goes = f"goes {next(iter(going))}" if len(going) == 1 else ""
    ways = "; ".join(part for part in (goes, f"good {fact.good}" if fact.good else "") if part)
    head = f"{cut(fact.label, MOST_LABEL)}: {shown}{unit}{f' ({ways})' if ways else ''}"
    return ". ".join(part for part in (head, cut(fact.meaning, meaning), cut(fact.convention, convention)) if part)


def quoted(text: str) -> str:
    """Set words that somebody may have written into marks that they cannot leave."""
    return f"“{text.replace('“', '').replace('”', '')}”"


def note(text: str) -> str:
    """Return the athlete's note, short enough to leave room for the facts in every script."""
    plain = cut(text, MOST_NOTE)
    tokens = estimate(plain)
    return plain if tokens <= MOST_NOTE_TOKENS else cut(plain, len(plain) * MOST_NOTE_TOKENS // tokens)


def cut(text: str, most: int) -> str:
    """Return the text cleaned, and no longer than this: whole words where it can."""
    plain = cleaned(text)
    if len(plain) <= most:
        return plain
    blank = plain.rfind(" ", most // 2, most)
    return plain[: blank if blank > 0 else most] + "…" if most else ""
