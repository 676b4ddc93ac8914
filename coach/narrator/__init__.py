"""The narrator writes an insight from facts by rules and phrases, without a model and without arithmetic."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from coach.narrator import activity, body, load, records, recovery, today, trends, week
from coach.narrator.chinese import CHINESE
from coach.narrator.empty import empty
from coach.narrator.english import ENGLISH
from coach.narrator.plan import Phrases, Plan, phrase, spoken
from coach.scopes.facts import Facts

WRITER = "builtin/2"
TRIES = 12
LINE = 150  # characters of a note, as shown

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


def note(facts: Facts, *, language: str, seed: int, recent: Sequence[Mapping[str, Any]] = ()) -> dict[str, Any]:
    """Write one line about a session: its kind, and what is worth remembering of it where that fits.

    Empty for a recording that says nothing. `recent` are the lines before it.
    """
    if facts.insufficient:
        return {}
    plan, phrases = PLANS[facts.scope](facts), phrases_of(facts.scope, language)
    said = {str(line.get("text", "")) for line in recent}
    lines = [line_of(plan, phrases, facts, seed=seed + number) for number in range(TRIES)]
    return next((line for line in lines if line["text"] not in said), lines[0])


def line_of(plan: Plan, phrases: Phrases, facts: Facts, *, seed: int) -> dict[str, Any]:
    """Put the headline, and behind it the first finding where both are short enough, into one line."""
    head = phrase(plan.headline, phrases, seed=seed)
    worth = [each for each in plan.findings if each.weight > 1 and not each.slot.endswith(".flat")]
    if not worth:
        return as_line(head)
    finding = max(worth, key=lambda each: each.weight)
    told = phrase(finding.slot, phrases, seed=seed)
    stop = "。" if phrases is CHINESE else ". "
    both = f"{head}{stop}{told}"
    length = len(TOKEN.sub(lambda match: shown(match[0], facts), both))
    return as_line(both, direction=finding.direction) if length <= LINE else as_line(head)


def as_line(text: str, *, direction: str = "flat") -> dict[str, Any]:
    keys = list(dict.fromkeys(key.strip("{} ") for key in TOKEN.findall(text)))
    return {"text": text, "facts": keys, "direction": direction}


def shown(token: str, facts: Facts) -> str:
    fact = facts.get(token.strip("{} "))
    return fact.display if fact else token


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
