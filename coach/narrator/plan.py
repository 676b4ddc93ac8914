"""What a text will say, before it is put into words: slots that a language fills with phrases."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from zlib import crc32

Phrases = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    slot: str
    facts: tuple[str, ...]  # every phrase of the slot draws its tokens from these
    direction: str = "flat"
    weight: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    slot: str
    when: str  # a slot too
    facts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    headline: str
    summary: tuple[str, ...]
    findings: tuple[Finding, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()
    confidence: str = "medium"
    reasons: tuple[str, ...] = field(default=())
    missing: tuple[str, ...] = field(default=())


def spoken(plan: Plan, phrases: Phrases, *, seed: int) -> dict[str, Any]:
    """Put a plan into words: an insight's text, with tokens for every number."""
    return {
        "headline": phrase(plan.headline, phrases, seed=seed),
        "summary": joined(phrase(slot, phrases, seed=seed) for slot in plan.summary),
        "findings": [
            {
                "text": phrase(finding.slot, phrases, seed=seed),
                "facts": list(finding.facts),
                "direction": finding.direction,
                "weight": finding.weight,
            }
            for finding in plan.findings
        ],
        "suggestions": [
            {
                "text": phrase(suggestion.slot, phrases, seed=seed),
                "facts": list(suggestion.facts),
                "when": phrase(suggestion.when, phrases, seed=seed),
            }
            for suggestion in plan.suggestions
        ],
        "confidence": plan.confidence,
        "confidence_reasons": list(plan.reasons),
        "missing": list(plan.missing),
    }


def joined(sentences: Iterable[str]) -> str:
    """Set a blank between sentences, which Chinese does without."""
    return " ".join(sentences).replace("。 ", "。")


def phrase(slot: str, phrases: Phrases, *, seed: int) -> str:
    """Choose a phrase: seeds in a row give different ones, and each slot begins elsewhere."""
    choices = phrases[slot]
    return choices[(seed + crc32(slot.encode())) % len(choices)]


def in_step(slot: str, said: Sequence[str]) -> Sequence[str]:
    """Turn a slot's phrases so that slots of a kind choose alike: the lines of a text say it one way, then another."""
    return tuple(said[(place - crc32(slot.encode())) % len(said)] for place in range(len(said)))
