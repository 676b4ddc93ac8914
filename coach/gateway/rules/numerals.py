"""No number outside a token, in whatever dress, and no date."""

import unicodedata
from collections.abc import Iterator

from coach.gateway.rules.passage import PLACE, Ground, Passage


def numerals(passage: Passage, ground: Ground) -> Iterator[str]:
    yield from (letter for letter in passage.placed if countable(letter))
    words = ground.vocabulary
    # A longer look at what follows: "one more hour" counts, "one of them" does not.
    plain = words.not_numerals.sub(" ", passage.folded)
    yield from (match[0] for match in words.numerals.finditer(plain))


def countable(letter: str) -> bool:
    """Say whether the character is a digit or number of any script: ٣, ½, ④, Ⅻ."""
    return letter != PLACE and unicodedata.category(letter) in ("Nd", "Nl", "No")


def dates(passage: Passage, ground: Ground) -> Iterator[str]:
    """Find months and weekdays. They are looked for as written, since may and march are also verbs."""
    yield from (match[0] for match in ground.vocabulary.dates.finditer(passage.placed))
