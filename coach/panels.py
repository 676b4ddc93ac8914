"""The insight panel: what it shows of a text and of the job that writes it; looking asks for what is missing."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db.models import Case, When
from django.utils import timezone
from django.utils.translation import gettext, ngettext

from coach import cases, narrator, panel_words, prose, scopes
from coach.insights import KIND, ask, asks_model, fingerprint, refusal, subject_of
from coach.models import Athlete, Insight
from coach.scopes.facts import Facts
from jobs import api


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    scope: str
    subject: str
    state: str
    insight: Insight | None = None
    sentence: str = ""
    why: tuple[str, ...] = ()
    poll_ms: int | None = None  # None: nothing to wait for
    can_stop: bool = False
    can_retry: bool = False
    ticket: api.Ticket | None = None
    wanted: str = ""  # the fingerprint of the text that is waited for
    changed_sentence: str = ""
    headline: str = ""  # safe HTML, as the next three
    summary: str = ""
    findings: tuple[str, ...] = ()
    suggestions: tuple[str, ...] = ()
    small_print: str = ""
    facts: dict[str, Any] = field(default_factory=dict)
    asks_model: bool = False


def panel(athlete: Athlete, facts: Facts, user: Any) -> Panel:
    """Return what the panel shows now; a text that is missing or out of date is asked for."""

    def wish(wanted: str) -> api.Ticket:
        return ask(athlete, facts, fingerprint=wanted, priority=api.INTERACTIVE, watch=str(user.pk))

    return _shown(athlete, facts, wish)


def glance(athlete: Athlete, scope: str, subject: str, user: Any, *, wanted: str, state: str) -> Panel | None:
    """Say what the job does that writes the text of this fingerprint; None unless the panel stays in its state.

    This is what most polls need, and facts take most of the time that a whole look takes.
    """
    ticket = api.ticket(KIND, athlete.owner, subject_of(scope, subject), watch=str(user.pk))
    if ticket is None or ticket.is_finished or wanted != (ticket.wanted_fingerprint or ticket.fingerprint):
        return None
    said = _said(athlete, scope, ticket, has_text=state == "renewing")
    if said.state != state or said.short_version:
        return None
    return Panel(scope=scope, subject=subject, wanted=wanted, **_waits(ticket, said))


def peek(athlete: Athlete, scope: str, subject: str) -> Panel:
    """Return what the panel would show, asking for nothing."""
    facts = scopes.facts_for(scope, athlete, subject)
    return _shown(athlete, facts, lambda wanted: api.ticket(KIND, athlete.owner, subject_of(scope, subject)))


def _shown(athlete: Athlete, facts: Facts, wish: Callable[[str], api.Ticket | None]) -> Panel:
    """Show the text of these facts if there is one; otherwise what `wish` says of the job that writes it."""
    if facts.insufficient:
        return _panel(athlete, facts, state="no_data", sentence=facts.insufficient)
    wanted = fingerprint(athlete, facts)
    newest = _best(athlete, facts, wanted)
    if newest and newest.fingerprint == wanted:
        return _finished(athlete, facts, newest)
    if not settings.JOBS["ENABLED"]:
        sentence = gettext("Writing is switched off on this server. Here is the short version.")
        return _panel(athlete, facts, state="builtin", sentence=sentence, text=_narrated(athlete, facts))
    if not_now := refusal(athlete):
        under_way = api.ticket(KIND, athlete.owner, subject_of(facts.scope, facts.subject))
        if under_way is None or under_way.status != "running":
            return _panel(athlete, facts, state="builtin", sentence=not_now, text=_narrated(athlete, facts))
    return _pending(athlete, facts, newest, wish(wanted), wanted)


def stop(athlete: Athlete, scope: str, subject: str, by: object) -> str:
    ticket = api.ticket(KIND, athlete.owner, subject_of(scope, subject))
    return api.stop(ticket.id, by=str(by)) if ticket else "over"


def retry(athlete: Athlete, scope: str, subject: str, by: object) -> bool:
    """Ask again, first in line while the screen is open."""
    ticket = api.ticket(KIND, athlete.owner, subject_of(scope, subject))
    if ticket is None or refusal(athlete) or not api.retry(ticket.id, by=str(by)):
        return False
    api.watch(ticket.id, str(getattr(by, "pk", by)))
    return True


def _best(athlete: Athlete, facts: Facts, wanted: str) -> Insight | None:
    """Return the text of these very facts, which may be an older one whose facts have come back; else the newest.

    One in the athlete's language comes before one in another.
    """
    rows = Insight.objects.filter(athlete=athlete, scope=facts.scope, subject=facts.subject)
    others = Case(When(fingerprint=wanted, then=0), When(language=athlete.language, then=1), default=2)
    return rows.select_related("opinion").order_by(others, "-pk").first()


def _narrated(athlete: Athlete, facts: Facts) -> dict[str, Any]:
    return narrator.write(facts, language=athlete.language, seed=0)


def _finished(athlete: Athlete, facts: Facts, insight: Insight) -> Panel:
    if insight.writer == narrator.WRITER:
        unsound = gettext(
            "No number of the written text could be verified, so it is not shown. Here is the short version."
        )
        return _panel(athlete, facts, state="builtin", sentence=unsound if insight.dropped else "", insight=insight)
    if insight.dropped:
        count = len(insight.dropped)
        sentence = ngettext(
            "One finding was left out, because not every number in it could be verified.",
            "%(n)s findings were left out, because not every number in it could be verified.",
            count,
        ) % {"n": count}
        return _panel(athlete, facts, state="partly", sentence=sentence, insight=insight)
    return _panel(athlete, facts, state="written", insight=insight)


def _pending(athlete: Athlete, facts: Facts, newest: Insight | None, ticket: api.Ticket | None, wanted: str) -> Panel:
    if ticket and ticket.status == "succeeded":
        # It may have been written between the look for the text and the look at its job.
        newest = _best(athlete, facts, wanted)
        if newest and newest.fingerprint == wanted:
            return _finished(athlete, facts, newest)
    # Whoever changed the language cannot read the old text: the short version stands in until the new one is written.
    readable = newest if newest and newest.language == athlete.language else None
    said = _said(athlete, facts.scope, ticket, has_text=readable is not None)
    narrated = readable is None and (said.short_version or newest is not None)
    text = _narrated(athlete, facts) if narrated else None
    return _panel(athlete, facts, insight=readable, text=text, wanted=wanted, **_waits(ticket, said))


def _said(athlete: Athlete, scope: str, ticket: api.Ticket | None, *, has_text: bool) -> panel_words.Said:
    zone, reader = ZoneInfo(athlete.time_zone), athlete.user.get_username()
    return panel_words.of(ticket, scope, zone=zone, has_text=has_text, reader=reader)


def _waits(ticket: api.Ticket | None, said: panel_words.Said) -> dict[str, Any]:
    """Return what a panel shows of the job of a text that is not there."""
    return {
        "state": said.state,
        "sentence": said.sentence,
        "why": said.why,
        "poll_ms": said.poll_ms,
        "can_stop": bool(ticket and ticket.can_stop and said.state != "enqueuing"),
        "can_retry": bool(ticket and ticket.is_finished),
        "ticket": ticket,
        "changed_sentence": said.changed,
    }


def _panel(
    athlete: Athlete,
    facts: Facts,
    *,
    state: str,
    insight: Insight | None = None,
    text: dict[str, Any] | None = None,
    **more: Any,
) -> Panel:
    shown = insight.text if insight else text
    if shown is None:
        return Panel(scope=facts.scope, subject=facts.subject, state=state, **more)
    known = insight.facts if insight else cases.kept(facts)
    here = {fact.key for fact in facts.facts}

    def read(texts: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
        return tuple(prose.html(each["text"], known, here=here) for each in texts)

    return Panel(
        scope=facts.scope,
        subject=facts.subject,
        state=state,
        insight=insight,
        headline=prose.html(shown["headline"], known, here=here),
        summary=prose.html(shown["summary"], known, here=here),
        findings=read(shown["findings"]),
        suggestions=read(shown["suggestions"]),
        small_print=_small_print(athlete, facts, insight),
        facts=known,
        asks_model=asks_model(athlete),
        **more,
    )


def _small_print(athlete: Athlete, facts: Facts, insight: Insight | None) -> str:
    """Who wrote it, when, and from what."""
    if insight is None:
        return gettext("Written just now by Coach's own rules, without a language model.")
    zone = ZoneInfo(athlete.time_zone)
    own = insight.writer == narrator.WRITER
    who = gettext("Coach's own rules, without a language model") if own else gettext("a language model")
    when = panel_words.moment(insight.created_at.astimezone(zone), timezone.now().astimezone(zone))
    if insight.as_of is None:
        return gettext("Written %(when)s by %(who)s.") % {"when": when, "who": who}
    said = gettext("Written %(when)s by %(who)s, from data up to %(day)s.")
    return said % {"when": when, "who": who, "day": panel_words.day(insight.as_of)}
