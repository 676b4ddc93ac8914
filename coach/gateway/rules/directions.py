"""Words of direction must fit the sign, the history or the flag of a cited fact."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from coach.gateway.rules.naming import names
from coach.gateway.rules.passage import PLACE, Ground, Passage, clauses, fold
from coach.gateway.rules.trends import CHANGE, is_pace, is_record, sign_shown, trends
from coach.gateway.vocabulary import Vocabulary
from coach.scopes.facts import Fact

OPPOSITE = {"up": "down", "down": "up"}
WANTS = ("up", "down", "better", "worse", "faster", "slower", "unchanged", "record", "positive", "negative")


def unsupported(passage: Passage, ground: Ground) -> Iterator[str]:
    """Find words of direction that no cited fact carries. Instructions are free: "go faster" reports nothing."""
    for text in dict.fromkeys((passage.folded, passage.squeezed)):
        yield from unsupported_in(text, passage, ground)


def unsupported_in(text: str, passage: Passage, ground: Ground) -> Iterator[str]:
    words = ground.vocabulary
    worded = tuple(fact for fact in ground.facts.values() if isinstance(fact.value, str))  # the phase is "building"
    left = iter(passage.keys)
    for sentence in words.sentence_end.split(text):
        keys = [key for _mark, key in zip(re.findall(PLACE, sentence), left, strict=False)]
        near = known(keys, ground)
        for clause, its in clauses(sentence, keys, words):
            plain = words.harmless.sub(" ", clause)
            circles = (known(its, ground), near, named(clause, passage.cited), passage.cited, worded)
            yield from (word for want in WANTS for word in uncarried(want, plain, circles, passage, words))


def uncarried(
    want: str, clause: str, circles: tuple[tuple[Fact, ...], ...], passage: Passage, words: Vocabulary
) -> Iterator[str]:
    for match in getattr(words, want).finditer(clause):
        if not passage.report and not words.told.search(match[0]):
            continue
        negated = bool(words.negation.search(clause[: match.start()]))
        if not carried(match[0], want, circles=circles, negated=negated):
            yield match[0]


def known(keys: Iterable[str], ground: Ground) -> tuple[Fact, ...]:
    return tuple(ground.facts[key] for key in keys if key in ground.facts)


def named(clause: str, cited: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """Return the facts that a clause speaks of without showing them."""
    return tuple(fact for fact in cited if names(fold(fact.label), clause))


def carried(word: str, want: str, *, circles: tuple[tuple[Fact, ...], ...], negated: bool) -> bool:
    """Say whether a fact fits: of the clause, or if those say nothing of it, of the sentence, or any cited one."""
    everyone = chain.from_iterable(circles)
    if any(isinstance(fact.value, str) and word in (fact.value, fact.display.lower()) for fact in everyone):
        return True
    told = (tuple(fact for fact in circle if tells(fact, want)) for circle in circles)
    telling = next(filter(None, told), ())
    return any(fits(fact, want) is not negated for fact in telling)


def tells(fact: Fact, want: str) -> bool:
    """Say whether the fact has anything to say about such a word."""
    if want == "record":
        return is_record(fact)
    if want in ("positive", "negative"):
        return isinstance(fact.value, (int, float))
    if want in ("better", "worse"):
        return bool(fact.good and trends(fact))
    return bool(trends(fact))


def fits(fact: Fact, want: str) -> bool:
    going = trends(fact)
    match want:
        case "up" | "down":
            return want in going
        case "better":
            return fact.good in going
        case "worse":
            return OPPOSITE.get(fact.good) in going
        case "faster":
            return ("down" if is_pace(fact) else "up") in going
        case "slower":
            return ("up" if is_pace(fact) else "down") in going
        case "positive":
            return isinstance(fact.value, (int, float)) and fact.value > 0
        case "negative":
            return isinstance(fact.value, (int, float)) and fact.value < 0
        case "unchanged":
            return "flat" in going
        case _:
            return is_record(fact)


def miscompared(passage: Passage, ground: Ground) -> Iterator[str]:
    """Find two values of one unit in a sentence of which the text says the wrong one is the greater."""
    words = ground.vocabulary
    keys = iter(passage.keys)
    for sentence in words.sentence_end.split(passage.folded):
        parts = sentence.split(PLACE)
        facts = [ground.facts.get(key) for key, _part in zip(keys, parts[1:], strict=False)]
        for before, between, after in zip(facts, parts[1:], facts[1:], strict=False):
            if before and after and contradicts(before, between, after, words=words):
                yield between.strip()


def contradicts(before: Fact, between: str, after: Fact, *, words: Vocabulary) -> bool:
    one, other = before.value, after.value
    if before.unit != after.unit or not isinstance(one, (int, float)) or not isinstance(other, (int, float)):
        return False
    more, less = words.more.search(between), words.less.search(between)
    found = more or less
    if found is None or (more and less) or words.clause_end.search(between, found.end()):
        return False  # nothing is compared with the value behind it
    if is_change(before) or is_change(after):
        return False
    negated = bool(words.negation.search(between[: found.start()]))
    return ((one > other) if more else (one < other)) is negated


def is_change(fact: Fact) -> bool:
    """Say whether the fact is itself a difference: "five more than the usual fifty" compares nothing else."""
    return bool(CHANGE.search(fact.key)) or (bool(sign_shown(fact)) and not fact.key.startswith("tsb"))


def shown(direction: str, cited: tuple[Fact, ...]) -> str | None:
    """Return the direction that a finding may show; None when its facts say the contrary of what it claims."""
    going = frozenset(each for fact in cited for each in trends(fact))
    if direction in going or direction == "flat":
        return direction
    return None if going & {"up", "down"} else "flat"
