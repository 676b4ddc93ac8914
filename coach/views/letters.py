"""What the insight panel needs besides the panel: its addresses, and tags that tell whether anything changed."""

import hashlib
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import reverse

from coach.insights import Panel
from coach.scopes.facts import Facts

# One short phrase a state, announced to screen readers when the state changes and not at every poll.
SAID = {
    "written": "The text is written.",
    "renewing": "A new text is on its way.",
    "waiting": "Waiting in line.",
    "down": "The writing service is not answering.",
    "writing": "Being written.",
    "checking": "Every number is being checked.",
    "stopped": "Stopped.",
    "failed": "The text could not be written.",
    "partly": "The text is written in part.",
    "no_data": "There is not enough data yet.",
    "builtin": "The short version is written.",
}
UNWRITTEN = {"waiting", "down", "writing", "checking"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    page: str
    poll: str
    stop: str
    retry: str
    said: str
    skeleton: bool
    stale: bool  # the facts on the open page are no longer the facts
    is_new_letter: bool
    is_new_state: bool
    is_same: bool


def look(panel: Panel, facts: Facts, request: HttpRequest) -> Look:
    """Compare what the page has (in the query of its poll) with what the panel is now."""
    seen = request.GET
    letter = tag(panel.headline, panel.summary, panel.findings, panel.suggestions, panel.small_print)
    status = tag(panel.state, panel.sentence, panel.why, panel.poll_ms, panel.can_stop, panel.can_retry)
    status = tag(status, panel.changed_sentence)
    known = facts.fingerprint(writer="", language="", units="")[:12]
    shown = seen.get("facts", known)
    is_new_letter = seen.get("letter") != letter
    return Look(
        page=page(facts.scope, facts.subject),
        poll=address("panel", facts)
        + "?"
        + urlencode({"facts": shown, "letter": letter, "state": panel.state, "status": status}),
        stop=address("panel_stop", facts),
        retry=address("panel_retry", facts),
        said=SAID.get(panel.state, panel.sentence),
        skeleton=panel.state in UNWRITTEN,
        stale=shown != known,
        is_new_letter=is_new_letter,
        is_new_state=seen.get("state") != panel.state,
        is_same=not is_new_letter and seen.get("status") == status and shown == known,
    )


def tag(*parts: object) -> str:
    """Name what is shown, so that a poll can tell whether it is shown already."""
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:12]


def address(name: str, facts: Facts) -> str:
    return reverse(name, args=[facts.scope, facts.subject])


def page(scope: str, subject: str) -> str:
    """Return the address of the screen that an insight belongs to."""
    return reverse(scope) if scope == "load" else reverse(scope, args=[subject])
