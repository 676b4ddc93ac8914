"""A reader should not get the same sentences every week."""

from collections.abc import Iterator

from coach.gateway.rules.passage import Ground, Passage, grams, sentences

MOST_SHARED = 0.6


def said_before(passage: Passage, ground: Ground) -> Iterator[str]:
    """Find sentences of the last insights, and a text of which most was in them."""
    words = ground.vocabulary
    repeated = [each for each in sentences(passage.text, words) if each in ground.recent_sentences]
    if repeated:
        yield "the same sentence as lately"
        return
    own = set(grams(passage.text, words))
    if own and len(own & ground.recent_grams) >= MOST_SHARED * len(own):
        yield "almost the same words as lately"
