"""What a coach does not say: medicine, hype, praise without reason, and that data is missing which is there."""

import re
from collections.abc import Iterator

from coach.gateway.rules.passage import Ground, Passage
from coach.gateway.rules.trends import trends
from coach.scopes.facts import Fact


def banned(passage: Passage, ground: Ground) -> Iterator[str]:
    for text in dict.fromkeys((passage.folded, passage.squeezed)):
        yield from (match[0] for match in ground.vocabulary.banned.finditer(text))


def hype(passage: Passage, ground: Ground) -> Iterator[str]:
    yield from (match[0] for match in ground.vocabulary.hype.finditer(passage.folded))


def praise(passage: Passage, ground: Ground) -> Iterator[str]:
    """Find praise that no cited fact earns: one that has a good direction and goes there."""
    if not any(earns(fact) for fact in passage.cited):
        yield from (match[0] for match in ground.vocabulary.praise.finditer(passage.folded))


def earns(fact: Fact) -> bool:
    return bool(fact.good) and fact.good in trends(fact)


def absent(passage: Passage, ground: Ground) -> Iterator[str]:
    """Find claims of missing data for which the insight names no missing fact of that kind."""
    words = ground.vocabulary
    patterns = (words.absent, words.absent_told) if passage.report else (words.absent_told,)
    found = [match[0] for pattern in patterns for match in pattern.finditer(passage.folded)]
    if found and not any(spoken_of(key, passage, ground) for key in passage.claimed_missing & ground.missing):
        yield from found


def spoken_of(key: str, passage: Passage, ground: Ground) -> bool:
    """Say whether the passage uses a word that belongs to this key."""
    parts = [ground.vocabulary.synonyms.get(part, re.escape(part)) for part in key.lower().split("_") if part]
    return any(re.search(part, passage.folded) for part in parts)
