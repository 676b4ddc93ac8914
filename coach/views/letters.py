"""What the insight panel needs besides the panel: its addresses, and tags that tell whether anything changed."""

import hashlib
from dataclasses import asdict, dataclass, replace
from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import escape
from django.utils.translation import gettext_lazy as _

from coach.insights import Panel
from coach.scopes.facts import Facts

# One short phrase a state, announced to screen readers when the state changes and not at every poll.
SAID = {
    "written": _("The text is written."),
    "renewing": _("A new text is on its way."),
    "waiting": _("Waiting in line."),
    "down": _("The writing service is not answering."),
    "writing": _("Being written."),
    "checking": _("Every number is being checked."),
    "stopped": _("Stopped."),
    "failed": _("The text could not be written."),
    "partly": _("The text is written in part."),
    "no_data": _("There is not enough data yet."),
    "builtin": _("The short version is written."),
}
UNWRITTEN = {"waiting", "down", "writing", "checking"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Tags:
    """Names of what a page shows; a poll carries those of its page in its query."""

    facts: str
    letter: str
    state: str
    status: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    page: str
    poll: str
    stop: str
    retry: str
    versions: str
    sent: str  # "" where no model is asked
    said: str
    skeleton: bool
    says_more: bool  # the sentence is not in the text already
    stale: bool  # the facts on the open page are no longer the facts
    is_new_letter: bool
    is_new_state: bool
    is_same: bool


def look(panel: Panel, facts: Facts, request: HttpRequest) -> Look:
    """Compare what the page has with what the panel is now."""
    now = tags(panel, facts)
    page_has = {name: request.GET.get(name, "") for name in ("letter", "state", "status")}
    shown = replace(now, facts=request.GET.get("facts", now.facts))
    query = urlencode(asdict(shown))
    return Look(
        page=page(facts.scope, facts.subject),
        poll=f"{address('panel', facts)}?{query}",
        stop=f"{address('panel_stop', facts)}?facts={shown.facts}",
        retry=f"{address('panel_retry', facts)}?facts={shown.facts}",
        versions=address("versions", facts),
        sent=address("sent", facts) if panel.asks_model else "",
        said=str(SAID.get(panel.state, panel.sentence)),
        skeleton=panel.state in UNWRITTEN,
        says_more=escape(panel.sentence) not in panel.summary,
        stale=shown.facts != now.facts,
        is_new_letter=page_has["letter"] != now.letter,
        is_new_state=page_has["state"] != now.state,
        is_same=shown == now and all(asdict(now)[name] == has for name, has in page_has.items()),
    )


def tags(panel: Panel, facts: Facts) -> Tags:
    text = (panel.headline, panel.summary, panel.findings, panel.suggestions, panel.small_print)
    does = (panel.sentence, panel.changed_sentence, panel.why, panel.poll_ms, panel.can_stop, panel.can_retry)
    return Tags(
        facts=facts.fingerprint(writer="", language="", units="")[:12],
        letter=tag(text, panel.state in UNWRITTEN, panel.state == "no_data"),
        state=panel.state,
        status=tag(panel.state, does),
    )


def tag(*parts: object) -> str:
    """Name what is shown, so that a poll can tell whether it is shown already."""
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:12]


def address(name: str, facts: Facts) -> str:
    return reverse(name, args=[facts.scope, facts.subject])


def page(scope: str, subject: str) -> str:
    """Return the address of the screen that an insight belongs to."""
    return reverse(scope) if subject == "current" else reverse(scope, args=[subject])
