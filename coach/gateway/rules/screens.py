"""What is wrong to say on the screen that a text is about, by its scope and by what its facts say."""

from collections.abc import Iterator

from coach.gateway.rules.passage import Ground, Passage
from coach.gateway.vocabulary import wrong

UNEVEN = frozenset({"variability", "decoupling"})
MEANT_TO_BE_UNEVEN = frozenset({"interval session", "race"})


def wrong_here(passage: Passage, ground: Ground) -> Iterator[str]:
    """Find what no number on this screen can carry."""
    patterns = wrong.of(ground.language)
    for name in names(passage, ground):
        for match in patterns[name].finditer(passage.folded):
            if name != wrong.HARD_DAY or not ground.vocabulary.negation.search(passage.folded[: match.start()]):
                yield match[0]


def names(passage: Passage, ground: Ground) -> Iterator[str]:
    """Return which lists of words hold for this passage."""
    if ground.scope in wrong.ENGLISH:
        yield ground.scope
    if ground.scope == "today" and word(ground, "verdict") == "easy":
        yield wrong.HARD_DAY
    if ground.scope != "activity":
        return
    if not ground.notes and "felt" not in passage.keys:
        yield wrong.WEATHER
    if word(ground, "kind") in MEANT_TO_BE_UNEVEN and UNEVEN & set(passage.keys):
        yield wrong.SCOLDING


def word(ground: Ground, key: str) -> object:
    fact = ground.facts.get(key)
    return fact.value if fact else None
