"""What the narrator says where there is not enough data: the facts' own sentence, and what to upload."""

from typing import Any

from coach.narrator.plan import Phrases, phrase
from coach.scopes.facts import Facts


def empty(facts: Facts, phrases: Phrases, *, seed: int) -> dict[str, Any]:
    """Write a text without findings: nothing is known, so nothing is claimed."""
    slot, upload = own("empty", facts, phrases), own("empty.upload", facts, phrases)
    return {
        "headline": phrase(slot, phrases, seed=seed),
        "summary": facts.insufficient,
        "findings": [],
        "suggestions": [
            {
                "text": phrase(upload, phrases, seed=seed),
                "facts": [],
                "when": phrase("when.now", phrases, seed=seed),
            }
        ],
        "confidence": "low",
        "confidence_reasons": [],
        "missing": list(facts.missing),
    }


def own(slot: str, facts: Facts, phrases: Phrases) -> str:
    """Return the scope's own slot, where it has one."""
    return f"{slot}.{facts.scope}" if f"{slot}.{facts.scope}" in phrases else slot
