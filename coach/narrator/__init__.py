"""The narrator writes an insight from facts by rules and phrases, without a model and without arithmetic."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from coach.narrator import activity, body, load, records, recovery, today, trends, week
from coach.narrator.chinese import CHINESE
from coach.narrator.empty import empty
from coach.narrator.english import ENGLISH
from coach.narrator.plan import Phrases, Plan, spoken
from coach.scopes.facts import Facts

WRITER = "builtin/1"
TRIES = 12

PLANS: Mapping[str, Callable[[Facts], Plan]] = {
    "activity": activity.plan,
    "body": body.plan,
    "load": load.plan,
    "records": records.plan,
    "recovery": recovery.plan,
    "today": today.plan,
    "trends": trends.plan,
    "week": week.plan,
}
LANGUAGES: Mapping[str, Phrases] = {"en": ENGLISH, "zh-hans": CHINESE}
TOKEN = re.compile(r"\{\{\s*\w+\s*\}\}")
SENTENCE_END = re.compile(r"[.;?。；？]\s*")


def write(facts: Facts, *, language: str, seed: int, recent: Sequence[Mapping[str, Any]] = ()) -> dict[str, Any]:
    """Write an insight's text: every number a token, the same seed and facts always the same words.

    `recent` are texts that this one must not repeat a sentence of; seeds in a row keep apart by themselves. A language
    without phrases of its own for the scope is written in English.
    """
    phrases = phrases_of(facts.scope, language)
    if facts.insufficient:
        return empty(facts, phrases, seed=seed)
    plan = PLANS[facts.scope](facts)
    said = {sentence for text in recent for sentence in sentences(text)}
    drafts = [spoken(plan, phrases, seed=seed + number) for number in range(TRIES if said else 1)]
    return min(drafts, key=lambda draft: len(said.intersection(sentences(draft))))


def phrases_of(scope: str, language: str) -> Phrases:
    known = LANGUAGES.get(language, ENGLISH)
    return known if any(slot.startswith(f"{scope}.") for slot in known) else ENGLISH


def sentences(text: Mapping[str, Any]) -> Iterable[str]:
    """Go through the sentences of a text, whatever numbers stand in them."""
    parts = [str(text.get("headline", "")), str(text.get("summary", ""))]
    for name in ("findings", "suggestions"):
        parts += [str(part["text"]) for part in text.get(name, ())]
    for part in parts:
        yield from filter(None, SENTENCE_END.split(TOKEN.sub("#", part).lower()))
