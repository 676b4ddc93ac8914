"""Insights: asks for the text of a screen when it is opened, and says what the panel must show."""

import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db.models import Case, When
from django.utils import timezone
from django.utils.translation import gettext, ngettext

from coach import budget, cases, gateway, narrator, panel_words, prose, scopes, scores, upstreams
from coach.models import Activity, Athlete, Insight
from coach.scopes.facts import Facts
from jobs import api

KIND = "insight"
RECENT = 3  # insights of a scope that a new one must not repeat


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


def asks_model(athlete: Athlete) -> bool:
    return athlete.uses_model and gateway.configured()


def pool(*, model: bool = True) -> str:
    """The narrator needs no upstream, so no seat."""
    return "gateway" if model and gateway.configured() else ""


def route() -> tuple[str, ...]:
    """The services that may write, in the order in which they are tried."""
    return gateway.route()


def fingerprint(athlete: Athlete, facts: Facts, *, seated: bool = True) -> str:
    """Name what a text is written from, and who writes it; without a seat at the service that is the narrator."""
    writer = gateway.writer() if seated and asks_model(athlete) else narrator.WRITER
    return facts.fingerprint(writer=writer, language=athlete.language, units=athlete.units)


def refusal(athlete: Athlete) -> str:
    """Say why no model may be asked for this athlete now and when it may be; nothing where it may."""
    return budget.standing(athlete).sentence if asks_model(athlete) else ""


def ask(athlete: Athlete, facts: Facts, *, fingerprint: str, priority: int, watch: str = "") -> api.Ticket:
    return api.enqueue(
        KIND,
        athlete.owner,
        subject_of(facts.scope, facts.subject),
        fingerprint=fingerprint,
        priority=priority,
        watch=watch,
        args={"model": asks_model(athlete)},
    )


def again(insight: Insight) -> str:
    """Have a text written anew, whatever is there; return why that cannot be, or nothing.

    The new one takes the place of the old in what is shown; the old one stays as a version.
    """
    athlete, subject = insight.athlete, subject_of(insight.scope, insight.subject)
    if not_now := refusal(athlete):
        return not_now
    found = api.ticket(KIND, athlete.owner, subject)
    if found and found.is_active:
        return gettext("It is in line already.")
    wish = f"again {uuid.uuid4().hex}"
    api.enqueue(
        KIND,
        athlete.owner,
        subject,
        fingerprint=wish,
        args={"model": asks_model(athlete), "again": insight.pk},
    )
    return ""


def subject_of(scope: str, subject: str) -> str:
    return f"{scope}/{subject}"


# On a screen


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
    known = insight.facts if insight else _shown_facts(facts)
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


def _shown_facts(facts: Facts) -> dict[str, dict[str, str]]:
    return {
        fact.key: {
            "label": fact.label,
            "display": fact.display,
            "meaning": fact.meaning,
            "convention": fact.convention,
            "source": fact.source,
        }
        for fact in facts.facts
    }


# In the worker


def write(run: api.Run) -> dict[str, Any]:
    """Write the insight of the facts as they are now, and store it under their fingerprint, once."""
    scope, _, subject = run.subject.partition("/")
    athlete = Athlete.objects.select_related("user").get(pk=int(run.owner.partition(":")[2]))
    if scope == "activity" and not Activity.objects.filter(athlete=athlete, pk=subject).exists():
        raise api.Reject("The activity is no longer there.")
    facts = scopes.facts_for(scope, athlete, subject)
    # Queued while no gateway was set, it has no seat there: the narrator writes, and the screen asks again.
    derived_from = fingerprint(athlete, facts, seated=bool(run.pool))
    with run.save(fingerprint=derived_from):
        known = Insight.objects.filter(athlete=athlete, scope=scope, subject=subject, fingerprint=derived_from)
        old = known.first()
        is_wanted = old is not None and "again" in run.args and old.pk <= run.args["again"]
        if facts.insufficient or (old and not is_wanted):
            return {"written": False}
    written = keep(run, athlete, facts, fingerprint=derived_from, instead_of=old)
    return {"written": True, "writer": written.writer}


def keep(
    run: api.Run, athlete: Athlete, facts: Facts, *, fingerprint: str, instead_of: Insight | None = None
) -> gateway.Written:
    """Have the text of these facts written, and store it with what was found wrong on the way."""
    written = _written(run, athlete, facts)
    shown = {
        "writer": written.writer,
        "language": athlete.language,
        "text": written.text,
        "dropped": written.dropped,
        "asked": written.asked,
        "checked": scores.of(written.tally),
        "facts": cases.kept(facts),
        "as_of": facts.as_of,
    }
    identity = {"athlete": athlete, "scope": facts.scope, "subject": facts.subject, "fingerprint": fingerprint}

    def store() -> None:
        if instead_of:  # it stays, under a name that no facts have
            Insight.objects.filter(pk=instead_of.pk).update(fingerprint=f"until {instead_of.pk}")
        _, is_new = Insight.objects.get_or_create(**identity, defaults=shown)
        if is_new:  # a second try of a save counts nothing twice
            scores.count(written.asked, written.tally, written=written.writer != narrator.WRITER)

    run.keep(store)
    return written


def _written(run: api.Run, athlete: Athlete, facts: Facts) -> gateway.Written:
    recent = recent_of(athlete, facts.scope)
    if asks_model(athlete) and run.pool:
        meter = budget.Meter(athlete)
        return gateway.write(run, facts, language=athlete.language, recent=recent, meter=meter, memory=upstreams.KEPT)
    earlier = Insight.objects.filter(athlete=athlete, scope=facts.scope)
    text = narrator.write(facts, language=athlete.language, seed=earlier.count(), recent=recent)
    return gateway.Written(text=text, writer=narrator.WRITER, dropped=[])


def recent_of(athlete: Athlete, scope: str) -> list[dict[str, Any]]:
    """Return the last texts of a scope, newest first."""
    rows = Insight.objects.filter(athlete=athlete, scope=scope).order_by("-pk")
    return list(rows.values_list("text", flat=True)[:RECENT])
