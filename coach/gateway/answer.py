"""Finds the JSON of an insight, or of a note, in what a model sent, past its thinking and its fences."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

from coach.gateway import schema
from coach.gateway.completion import Completion

THINK = re.compile(r"<(think|thinking|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)
THINK_END = re.compile(r"^.*?</(?:think|thinking|reasoning)>", re.DOTALL | re.IGNORECASE)
THINK_OPEN = re.compile(r"<(?:think|thinking|reasoning)>.*$", re.DOTALL | re.IGNORECASE)
FENCE = re.compile(r"^```[\w-]*[ \t]*\n(.*?)\n?```\s*$", re.DOTALL)
LONGEST = 64 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """`text` is what could be read, or None; `said` is what it was read from, for a repair."""

    text: dict[str, Any] | None
    said: str
    from_reasoning: bool = False


def read(completion: Completion, *, has_shape: Callable[[dict[str, Any]], bool] | None = None) -> Answer:
    """Read an answer. Reasoning is looked at only when there is nothing else, and taken only if it has the shape."""
    said = unwrapped(completion.text)
    if said:
        return Answer(text=parsed(said), said=said[:LONGEST])
    hidden = parsed(unwrapped(completion.thoughts))
    if hidden is not None and (has_shape or is_insight)(hidden):
        return Answer(text=hidden, said="", from_reasoning=True)
    return Answer(text=None, said="")


def unwrapped(text: str) -> str:
    """Return the text without think blocks (closed, only closed, or never closed) and without one fence."""
    plain = THINK.sub("", text)
    plain = THINK_END.sub("", plain)
    plain = THINK_OPEN.sub("", plain).strip()
    fenced = FENCE.match(plain)
    return fenced[1].strip() if fenced else plain


def parsed(text: str) -> dict[str, Any] | None:
    """Return the object that the text is, or the one that it holds between other words; None when there is none."""
    start = text.find("{")
    if start < 0 or len(text) > LONGEST:
        return None
    decoder = json.JSONDecoder(parse_constant=_refuse)
    try:
        found, _end = decoder.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def is_insight(text: dict[str, Any]) -> bool:
    return fits(schema.draft, text)


def is_note(text: dict[str, Any]) -> bool:
    return fits(schema.note, text)


def fits(read: Callable[[Any], object], text: dict[str, Any]) -> bool:
    try:
        read(text)
    except schema.BadShape:
        return False
    return True


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")
