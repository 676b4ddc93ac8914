"""The shape of an insight: the JSON schema that is sent, and the reading of what came back."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

HEADLINE, SUMMARY, FINDING, SUGGESTION, WHEN, REASON = 80, 400, 300, 200, 40, 120  # characters as shown
NOTE = 160
FINDINGS, SUGGESTIONS, REASONS = 4, 3, 4
DIRECTIONS = ("up", "down", "flat")
CONFIDENCES = ("low", "medium", "high")

TEXT = {"type": "string"}
KEYS = {"type": "array", "items": TEXT}


def _closed(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


SCHEMA = _closed(
    headline=TEXT,
    summary=TEXT,
    findings={
        "type": "array",
        "items": _closed(
            text=TEXT,
            facts=KEYS,
            direction={"type": "string", "enum": list(DIRECTIONS)},
            weight={"type": "integer", "enum": [1, 2, 3]},
        ),
    },
    suggestions={"type": "array", "items": _closed(text=TEXT, facts=KEYS, when=TEXT)},
    confidence={"type": "string", "enum": list(CONFIDENCES)},
    confidence_reasons=KEYS,
    missing=KEYS,
)


NOTE_SCHEMA = _closed(text=TEXT, facts=KEYS, direction={"type": "string", "enum": list(DIRECTIONS)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """The shape of an answer, as a request asks for it."""

    name: str
    schema: Mapping[str, Any]


INSIGHT_FORM = Form(name="insight", schema=SCHEMA)
NOTE_FORM = Form(name="note", schema=NOTE_SCHEMA)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    text: str
    facts: tuple[str, ...]
    direction: str = "flat"
    weight: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    text: str
    facts: tuple[str, ...] = ()
    when: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """An insight as somebody wrote it: of the right shape, and not yet believed."""

    headline: str
    summary: str
    findings: tuple[Finding, ...]
    suggestions: tuple[Suggestion, ...] = ()
    confidence: str = "low"
    confidence_reasons: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    odd: tuple[str, ...] = field(default=())  # what could not be read, as places


class BadShape(Exception):
    """The answer is no insight; the message names the field."""


def draft(text: Any) -> Draft:
    """Read an insight; what is optional may be absent, what is unknown is passed over, or raise BadShape."""
    if not isinstance(text, Mapping):
        raise BadShape("the answer is not an object")
    findings, odd = _all(text.get("findings"), "findings", _finding)
    suggestions, odd_too = _all(text.get("suggestions", ()), "suggestions", _suggestion)
    confidence = text.get("confidence")
    return Draft(
        headline=_string(text, "headline"),
        summary=_string(text, "summary"),
        findings=findings,
        suggestions=suggestions,
        confidence=confidence if confidence in CONFIDENCES else "low",
        confidence_reasons=_strings(text.get("confidence_reasons")),
        missing=_strings(text.get("missing")),
        odd=(*odd, *odd_too),
    )


def note(text: Any) -> Finding:
    """Read a sentence about a session, or raise BadShape."""
    if not isinstance(text, Mapping):
        raise BadShape("the answer is not an object")
    return _finding(text)


def _all[T](values: Any, name: str, read: Callable[[Any], T]) -> tuple[tuple[T, ...], tuple[str, ...]]:
    if not isinstance(values, (list, tuple)):
        raise BadShape(f"{name} is not a list")
    good: list[T] = []
    odd: list[str] = []
    for place, value in enumerate(values):
        try:
            good.append(read(value))
        except BadShape:
            odd.append(f"{name}[{place}]")
    return tuple(good), tuple(odd)


def _finding(value: Any) -> Finding:
    weight = value.get("weight") if isinstance(value, Mapping) else None
    return Finding(
        text=_string(value, "text"),
        facts=_strings(value.get("facts")),
        direction=value.get("direction") if value.get("direction") in DIRECTIONS else "flat",
        weight=min(max(weight, 1), 3) if isinstance(weight, int) else 1,
    )


def _suggestion(value: Any) -> Suggestion:
    text = _string(value, "text")
    when = value.get("when")
    return Suggestion(text=text, facts=_strings(value.get("facts")), when=when if isinstance(when, str) else "")


def _string(value: Any, name: str) -> str:
    found = value.get(name) if isinstance(value, Mapping) else None
    if not isinstance(found, str) or not found.strip():
        raise BadShape(f"{name} is missing")
    return found.strip()


def _strings(value: Any) -> tuple[str, ...]:
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, (list, tuple)) else ()
