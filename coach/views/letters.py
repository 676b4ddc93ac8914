"""What the insight panel needs besides the panel: its addresses, and tags that tell whether anything changed."""

import hashlib
import time
from dataclasses import asdict, dataclass, fields, replace
from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import escape
from django.utils.translation import gettext_lazy as _

from coach.panels import Panel
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
GLANCES_S = 60  # for so long polls look at the job alone


@dataclass(frozen=True, slots=True, kw_only=True)
class Tags:
    """Names of what a page shows; a poll carries those of its page in its query."""

    facts: str
    letter: str
    state: str
    status: str
    wanted: str = ""  # what names the text that is waited for
    at: str = ""  # the second when more than its job was looked at


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
    has = of_page(request)
    now = tags(panel, facts)
    shown = replace(now, facts=has.facts or now.facts)
    stale = shown.facts != now.facts
    if panel.poll_ms and not stale:
        shown = replace(shown, wanted=panel.wanted, at=str(int(time.time())))
    return _look(panel, shown, has, stale=stale)


def glance(panel: Panel, request: HttpRequest) -> Look:
    """Compare what the page has with what is said of its job; the facts and the text are as they were."""
    has = of_page(request)
    return _look(panel, replace(has, status=status_of(panel)), has)


def is_fresh(has: Tags) -> bool:
    """Say whether all was looked at a short while ago, by a page that still waits for the text of its own facts."""
    return bool(has.wanted) and has.at.isdecimal() and 0 <= time.time() - int(has.at[:12]) < GLANCES_S


def of_page(request: HttpRequest) -> Tags:
    return Tags(**{name.name: request.GET.get(name.name, "") for name in fields(Tags)})


def _look(panel: Panel, shown: Tags, has: Tags, *, stale: bool = False) -> Look:
    def at(name: str) -> str:
        return reverse(name, args=[panel.scope, panel.subject])

    return Look(
        page=page(panel.scope, panel.subject),
        poll=f"{at('panel')}?{urlencode(asdict(shown))}",
        stop=f"{at('panel_stop')}?facts={shown.facts}",
        retry=f"{at('panel_retry')}?facts={shown.facts}",
        versions=at("versions"),
        sent=at("sent") if panel.asks_model else "",
        said=str(SAID.get(panel.state, panel.sentence)),
        skeleton=panel.state in UNWRITTEN,
        says_more=escape(panel.sentence) not in panel.summary,
        stale=stale,
        is_new_letter=has.letter != shown.letter,
        is_new_state=has.state != shown.state,
        is_same=shown == has and not stale,
    )


def tags(panel: Panel, facts: Facts) -> Tags:
    text = (panel.headline, panel.summary, panel.findings, panel.suggestions, panel.small_print)
    return Tags(
        facts=facts.fingerprint(writer="", language="", units="")[:12],
        letter=tag(text, panel.state in UNWRITTEN, panel.state == "no_data"),
        state=panel.state,
        status=status_of(panel),
    )


def status_of(panel: Panel) -> str:
    does = (panel.sentence, panel.changed_sentence, panel.why, panel.poll_ms, panel.can_stop, panel.can_retry)
    return tag(panel.state, does)


def tag(*parts: object) -> str:
    """Name what is shown, so that a poll can tell whether it is shown already."""
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:12]


def page(scope: str, subject: str) -> str:
    """Return the address of the screen that an insight belongs to."""
    return reverse(scope) if subject == "current" else reverse(scope, args=[subject])
