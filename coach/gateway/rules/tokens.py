"""Tokens must name known facts that the passage cites, and show them as they are."""

import re
from collections.abc import Iterator
from itertools import pairwise

from coach.gateway.rules.passage import PLACE, TOKEN, Ground, Passage

TOUCHING = re.compile(r"\s*|[.,:'’·_‧∙]")  # between two tokens, would make one number of two


def shown(text: str, ground: Ground) -> str:
    """Return the text as a reader will see it."""
    return TOKEN.sub(lambda match: ground.facts[match[1]].display if match[1] in ground.facts else "", text)


def too_long(passage: Passage, ground: Ground) -> Iterator[str]:
    length = len(shown(passage.text, ground))
    if length > passage.longest:
        yield f"{length} characters, at most {passage.longest} are allowed"


def unknown(passage: Passage, ground: Ground) -> Iterator[str]:
    yield from (f"{{{{{key}}}}}" for key in passage.keys if key not in ground.facts)


def uncited(passage: Passage, ground: Ground) -> Iterator[str]:
    cited = {fact.key for fact in passage.cited}
    yield from (f"{{{{{key}}}}} is not among its facts" for key in passage.keys if key not in cited)
    if passage.needs_token and not passage.keys:
        yield "no token in it"


def altered(passage: Passage, ground: Ground) -> Iterator[str]:
    """Find tokens that a sign before or a unit behind turns into another value."""
    parts = passage.folded.split(PLACE)
    for number, key in enumerate(passage.keys):
        before, after = PLACE.join(parts[: number + 1]), parts[number + 1]
        sign, unit = ground.vocabulary.signs.search(before), ground.vocabulary.units.match(after)
        if sign:
            yield f"{sign[0].strip()} {{{{{key}}}}}"
        if unit or ground.vocabulary.attached.match(after):
            yield f"{{{{{key}}}}} {unit[0].strip() if unit else after[:10]}"
    as_written = passage.placed.split(PLACE)  # folding makes a comma of ，, which stands before no decimals
    for number, (key, following) in enumerate(pairwise(passage.keys)):
        if TOUCHING.fullmatch(as_written[number + 1]) and makes_one_number(key, following, ground):
            yield f"{{{{{key}}}}} stands against {{{{{following}}}}}"


def makes_one_number(key: str, following: str, ground: Ground) -> bool:
    shown = [ground.facts[each].display if each in ground.facts else "" for each in (key, following)]
    return shown[0][-1:].isdigit() and shown[1].lstrip("+−-")[:1].isdigit()
