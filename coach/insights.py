"""Insights: asks for the text of a screen, and writes it."""

import uuid
from typing import Any

from django.utils.translation import gettext

from coach import budget, cases, gateway, narrator, scopes, scores, upstreams
from coach.models import Activity, Athlete, Insight
from coach.scopes.facts import Facts
from jobs import api

KIND = "insight"
RECENT = 3  # insights of a scope that a new one must not repeat


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
