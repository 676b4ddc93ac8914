"""One piece of an insight's text, and what it is held against."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from coach.gateway.vocabulary import Vocabulary
from coach.scopes.facts import Fact

TOKEN = re.compile(r"\{\{\s*([A-Za-z0-9_]+)\s*\}\}")
SPACED_HAN = re.compile(r"(?<=[\u3400-\u9fff])[ .·_-]+(?=[\u3400-\u9fff])")  # it is written without blanks
INSIDE = re.compile(r"(?<=[^\W\d_])['’\-‐‑‒–.·_](?=[^\W\d_])")  # marks that may part a word to hide it
CAPITAL_I = re.compile(r"(?<=[a-z])I+(?=[a-z])")  # in many a typeface a small l
PLACE = "\ue000"  # stands for a token while words are looked at; cleaning lets no such character through


@dataclass(frozen=True, kw_only=True)
class Ground:
    """What is true and known: the facts that have a value, what is missing, and what was said lately."""

    facts: Mapping[str, Fact]
    missing: frozenset[str]
    recent: tuple[str, ...]
    vocabulary: Vocabulary
    language: str = "en"
    scope: str = ""
    notes: str = ""  # what the athlete wrote about it

    @cached_property
    def recent_grams(self) -> frozenset[tuple[str, ...]]:
        return frozenset(gram for text in self.recent for gram in grams(text, self.vocabulary))

    @cached_property
    def recent_sentences(self) -> frozenset[str]:
        return frozenset(each for text in self.recent for each in sentences(text, self.vocabulary))


@dataclass(frozen=True, kw_only=True)
class Passage:
    """A cleaned text. `cited` are the facts it may rest on; `report` is false for a suggestion."""

    where: str
    text: str
    cited: tuple[Fact, ...] = ()
    longest: int = 400
    report: bool = True
    needs_token: bool = False
    claimed_missing: frozenset[str] = frozenset()

    @cached_property
    def keys(self) -> tuple[str, ...]:
        return tuple(TOKEN.findall(self.text))

    @cached_property
    def placed(self) -> str:
        """The text with a mark for each token."""
        return TOKEN.sub(PLACE, self.text)

    @cached_property
    def folded(self) -> str:
        return fold(self.placed)

    @cached_property
    def squeezed(self) -> str:
        """The folded text without marks inside words: fal-ling, t'wice."""
        return INSIDE.sub("", self.folded)


def fold(text: str) -> str:
    """Return the text in lower case, with accents, letter forms and spaced-out letters undone."""
    plain = "".join(letter for letter in unicodedata.normalize("NFKD", text) if unicodedata.category(letter) != "Mn")
    plain = CAPITAL_I.sub(lambda match: "l" * len(match[0]), SPACED_HAN.sub("", plain)).replace("vv", "w")
    return re.sub(r"(?<!\w)(?:[^\W\d_][ .·_-]){2,}[^\W\d_](?!\w)", joined, plain.lower())


def joined(match: re.Match[str]) -> str:
    return re.sub(r"[ .·_-]", "", match[0])


def clauses(text: str, keys: Sequence[str], vocabulary: Vocabulary) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Go through the clauses of a folded text with these tokens: each with the keys of its own."""
    left = iter(keys)
    for clause in vocabulary.clause_end.split(text):
        yield clause, tuple(key for _mark, key in zip(re.findall(PLACE, clause), left, strict=False))


def sentences(text: str, vocabulary: Vocabulary) -> Iterator[str]:
    """Go through the sentences of a raw text, in a form that punctuation and case do not change."""
    for sentence in vocabulary.sentence_end.split(fold(TOKEN.sub(PLACE, text))):
        plain = " ".join(vocabulary.gram.findall(sentence))
        if plain:
            yield plain


def grams(text: str, vocabulary: Vocabulary) -> Iterator[tuple[str, ...]]:
    """Go through the five-grams of a raw text; a token counts as a word whatever it shows."""
    words = vocabulary.gram.findall(fold(TOKEN.sub(PLACE, text)))
    return (tuple(words[start : start + 5]) for start in range(len(words) - 4))
