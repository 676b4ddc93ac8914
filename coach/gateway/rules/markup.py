"""Nothing but prose: no markup, no addresses, no invisible characters, and in the reader's language."""

import re
import unicodedata
from collections.abc import Iterator

from coach.gateway.redact import invisible
from coach.gateway.rules.passage import PLACE, Ground, Passage

MARKUP = re.compile(
    r"</?\s*[a-z!?]|\w+://|www\.\w|javascript:|data:\w+/|\]\(|```|&(?:#|[a-z]{2,8};)|\{%|[{}]|\\[nux]|(?:^|\s)#{1,6}\s"
    r"|\*\*|\[\.\]|\(dot\)|\bdot\s+com\b|(?<![\w.])[\w-]+\.(?:com|org|net|io|cn|ru|info|app|dev|xyz|co|me|ai)(?![\w-])"
    r"|(?<!\w)[\w.+-]+@[\w-]+\.\w",
    re.IGNORECASE,
)


def cleaned(text: str) -> str:
    """Return the text on one line without control, bidi, zero-width and private characters, and without angles."""
    if text.isprintable():
        return " ".join(text.split())  # most are, and this is quick
    spaced = "".join(" " if letter in "\n\r\t\v\f\u2028\u2029" else letter for letter in text)
    seen = "".join(letter for letter in spaced if not invisible(letter))
    return " ".join(seen.split())


def harmless(text: str) -> str:
    """Return the text with angle brackets that no browser takes for a tag; for what is stored and shown."""
    return text.replace("<", "‹").replace(">", "›")


def foreign_to_prose(passage: Passage, ground: Ground) -> Iterator[str]:
    yield from (match[0] for match in MARKUP.finditer(unicodedata.normalize("NFKC", passage.placed)))


def other_language(passage: Passage, ground: Ground) -> Iterator[str]:
    """Find letters of another script, which may also be there to hide a word; names such as FTP stay."""
    words = ground.vocabulary
    letters = [letter for letter in words.borrowed.sub("", passage.folded) if letter.isalpha() and letter != PLACE]
    foreign = [letter for letter in letters if not words.letters.match(letter)]
    if foreign:
        yield "".join(foreign)
    strangers = {match[0] for match in words.strangers.finditer(passage.folded)}
    if len(strangers) > 1:
        yield " ".join(sorted(strangers))
    if any(unicodedata.category(letter) == "So" for letter in passage.placed):
        yield "pictures instead of words"
