"""No number outside a token, in whatever dress, and no date."""

import re
import unicodedata
from collections.abc import Iterator

from coach.gateway.rules.passage import PLACE, Ground, Passage

# Latin numerals of at least two letters; VI is also a fact's name.
ROMAN = re.compile(
    r"(?<![\w.])(?!VI(?!\w))(?=[IVXLCDM]{2})M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})(?!\w)"
)


def numerals(passage: Passage, ground: Ground) -> Iterator[str]:
    yield from (letter for letter in passage.placed if countable(letter))
    words = ground.vocabulary
    # A longer look at what follows: "one more hour" counts, "one of them" does not.
    for text in dict.fromkeys((passage.folded, passage.squeezed)):
        yield from (match[0] for match in words.numerals.finditer(words.not_numerals.sub(" ", text)))
    yield from (match[0] for match in ROMAN.finditer(passage.placed))


def countable(letter: str) -> bool:
    """Say whether the character is a digit or number of any script: ٣, ½, ④, Ⅻ."""
    return letter != PLACE and unicodedata.category(letter) in ("Nd", "Nl", "No")


def dates(passage: Passage, ground: Ground) -> Iterator[str]:
    """Find months and weekdays. They are looked for as written, since may and march are also verbs."""
    yield from (match[0] for match in ground.vocabulary.dates.finditer(passage.placed))
    if not any("yesterday" in fact.key or "last" in fact.key for fact in passage.cited):
        yield from (match[0] for match in ground.vocabulary.yesterday.finditer(passage.folded))
