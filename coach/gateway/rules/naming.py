"""A value must not stand under the name of another fact: "Fatigue is {{ctl}}" is false though ctl is cited."""

import re
from collections.abc import Iterator

from coach.gateway.rules.passage import PLACE, Ground, Passage, clauses, fold
from coach.gateway.rules.trends import CHANGE, sign_shown
from coach.scopes.facts import Fact

SHORTEST = 4  # bytes of a label that is looked for: "Time" and 体能, and no shorter ones


def misnamed(passage: Passage, ground: Ground) -> Iterator[str]:
    """Find clauses with one value that name another fact, and nothing of the one that they show."""
    for clause, keys in clauses(passage.folded, passage.keys, ground.vocabulary):
        fact = ground.facts.get(keys[0]) if len(keys) == 1 else None
        if fact is None or isinstance(fact.value, str) or speaks_of(fact, passage, ground):
            continue
        before = clause.partition(PLACE)[0]
        for other in ground.facts.values():
            if other.key.endswith("_share"):
                continue  # its name is an adjective: Easy
            name = fold(other.label)
            if names(name, before) and not speaks(name, fact, other):
                yield f"{{{{{fact.key}}}}} as {other.label}"


def speaks_of(fact: Fact, passage: Passage, ground: Ground) -> bool:
    """Say whether the passage uses a word of the fact's own name, or one that people use for it."""
    parts = [part for part in fact.key.lower().split("_") if part]
    known = [ground.vocabulary.synonyms.get(part, "") for part in parts]
    words = [re.escape(word) for word in (*re.findall(r"\w{3,}", fold(fact.label)), *parts) if len(word) > 2]
    if not fact.label.isascii():
        words += [re.escape(fold(fact.label)[start : start + 2]) for start in range(len(fact.label) - 1)]
    return any(re.search(word, passage.folded) for word in filter(None, (*known, *words)))


def names(name: str, text: str) -> bool:
    """Say whether the text has the name as a word of its own."""
    if len(name.encode()) < SHORTEST:
        return False
    return bool(re.search(rf"(?<![a-z]){re.escape(name)}(?![a-z])", text))


def speaks(name: str, fact: Fact, other: Fact) -> bool:
    """Say whether the fact has that name in its own, or is a change of it or counted from it."""
    moves = bool(CHANGE.search(fact.key) or sign_shown(fact)) or isinstance(other.value, str)
    return name in fold(f"{fact.label} {fact.meaning}" if moves else fact.label)
