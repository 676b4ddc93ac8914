"""Tells a sentence that was kept in English in the language of whoever reads it.

What became of a file, what was doubted of a session, why something was refused: rows keep these as sentences, and a
worker writes them without knowing who will read them. Each is known here by its English form with places for values.
A sentence that is not known stays as it is.
"""

import re
from functools import lru_cache

from django.utils.translation import get_language, gettext

from coach.retelling import (
    counts,
    of_archives,
    of_files,
    of_formats,
    of_questions,
    of_sessions,
    of_sources,
    of_tables,
    refusals,
)
from coach.retelling.pattern import FULL_STOPS, Pattern, by_first_words, kind

MODULES = (of_archives, of_files, of_formats, of_questions, of_sessions, of_sources, of_tables, refusals)
SENTENCES = by_first_words(text for module in MODULES for text in module.SENTENCES)
EVERY_WORD = (*counts.WORDS, *(text for module in MODULES for text in module.WORDS))
WORDS, FIXED = by_first_words(EVERY_WORD), {text for text in EVERY_WORD if "%(" not in text}
BETWEEN = re.compile(r"; |, | and ")
UNKNOWN = re.compile(r".*?[.?!](?= |$)|.+", re.S)
KEPT_TEXTS = 4096


def retold(text: object) -> str:
    """Return kept sentences, or a kept word, in the language that is spoken now."""
    said, language = str(text), get_language() or "en"
    return said if language.startswith("en") or not said else _retold(said, language)


@lru_cache(maxsize=KEPT_TEXTS)
def _retold(text: str, language: str) -> str:
    word = None if text.endswith((".", "?")) else _word(text)
    return _sentences(text) if word is None else word


def _sentences(text: str) -> str:
    """Go through the text, the longest known sentence first."""
    told, rest = "", text
    while rest:
        pattern, found = _next(rest)
        end = found.end() if found else 0
        said = _filled(pattern, found) if pattern and found else ""
        if not said:
            unknown = UNKNOWN.match(rest)
            end = unknown.end() if unknown else len(rest)
            said = rest[:end]
        gap = " " if told and not told.endswith(FULL_STOPS) else ""
        told, rest = f"{told}{gap}{said}", rest[end:].lstrip()
    return told


def _next(text: str) -> tuple[Pattern | None, re.Match[str] | None]:
    for pattern in SENTENCES.of(text):
        if found := pattern.begins.match(text):
            return pattern, found
    return None, None


def _filled(pattern: Pattern, found: re.Match[str]) -> str:
    told = pattern.filled(
        gettext(pattern.text), {name: _value(name, value) for name, value in found.groupdict().items()}
    )
    return f"{told[:-1]}；" if found[0].endswith(";") else told


def _value(name: str, value: str) -> str:
    """Return a value as its place wants it: words are retold, the athlete's own stay."""
    if kind(name) in ("why", "events"):
        return _word(value) or value
    return _listed(value) if kind(name) in ("what", "counts", "metric", "sensor") else value


def _listed(text: str) -> str:
    """Retell a word, or each of several: heart rate, speed and power."""
    for word in (text, f"{text[:1].lower()}{text[1:]}"):
        if word in FIXED:
            return gettext(word)
    parts = BETWEEN.split(text)
    return "、".join(map(_listed, parts)) if len(parts) > 1 else _word(text) or text


def _word(text: str) -> str | None:
    for pattern in WORDS.of(text):
        if found := pattern.whole.fullmatch(text):
            return _filled(pattern, found)
    return None
