"""What a language must define for the grounding rules; all patterns meet folded text (see rules.passage)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

Pattern = re.Pattern[str]
NOTHING = re.compile(r"(?!)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    letters: Pattern  # what one letter of the language looks like
    strangers: Pattern  # words of other languages in the same script; two of them tell the language
    borrowed: Pattern  # words of another script that stand in it all the same

    numerals: Pattern
    not_numerals: Pattern  # phrases that hold a numeral without counting anything
    dates: Pattern  # on text whose case is kept
    yesterday: Pattern  # allowed beside a fact that is of that day
    units: Pattern  # right after a token, which carries its unit already
    attached: Pattern  # right after a token, where it would make another word or number of it
    signs: Pattern  # right before a token, whose sign they would change

    up: Pattern
    down: Pattern
    better: Pattern
    worse: Pattern
    faster: Pattern
    slower: Pattern
    positive: Pattern
    negative: Pattern
    unchanged: Pattern
    record: Pattern
    told: Pattern  # those of the words above that only a report uses, never an instruction
    harmless: Pattern  # phrases that hold such a word and mean something else
    more: Pattern  # between two values, says that the former is the greater
    less: Pattern
    negation: Pattern  # just before such a word
    clause_end: Pattern

    banned: Pattern
    hype: Pattern
    praise: Pattern
    absent: Pattern  # claims that data is missing
    absent_told: Pattern  # those of them that only a report uses
    synonyms: Mapping[str, str]  # a part of a fact's key -> pattern of how people say it

    gram: Pattern  # the unit of five-grams: words, or characters
    sentence_end: Pattern


def words(text: str) -> Pattern:
    """Compile alternatives divided by blanks; an underscore stands for a blank inside one."""
    alternatives = "|".join(word.replace("_", r"\s+") for word in text.split())
    return re.compile(rf"(?<!\w)(?:{alternatives})(?!\w)")


def signs(text: str) -> Pattern:
    """Compile alternatives of a language that sets no blanks between words."""
    return re.compile("|".join(text.split()))
