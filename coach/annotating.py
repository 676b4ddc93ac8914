"""One sentence for each session of a source: asked for by the athlete, written one after another in a long job."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import IntegrityError
from django.db.models import QuerySet
from django.utils.translation import gettext

from coach import (
    budget,
    cases,
    gateway,
    imports,
    insights,
    narrator,
    prose,
    quality,
    queue_words,
    scopes,
    scores,
    undo,
    upstreams,
)
from coach.models import Activity, Annotation, Athlete, ImportRun, Source
from coach.models.activity import LOOK
from coach.scopes.facts import Facts
from jobs import api

KIND = "annotate"
LAST = 20  # a priority behind what is looked at and what probably will be
RECENT = 3  # sentences that a new one must not repeat
SHARE = 0.5  # of the athlete's day that may go into sentences: the rest is for screens
COLUMNS = (
    "athlete", "source", *LOOK, "annotation__about", "annotation__fingerprint", "annotation__writer",
    "annotation__asked",
)  # fmt: skip
MAKE_WAY_S = 10.0  # so that what waits in the line of the source is taken
MOST_FAILURES = 2  # calls in a row that came to nothing, until the job waits with the rest


class Gone(Exception):
    """The session was deleted while it was written about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far the sentences of a source are: of all its sessions, or of those the job under way is about."""

    ticket: api.Ticket | None
    said: str
    total: int
    done: int
    wanted: int = 0  # how many a job would write: missing ones, and the narrator's where a model may write now

    @property
    def is_active(self) -> bool:
        return bool(self.ticket and self.ticket.is_active)

    @property
    def can_ask(self) -> bool:
        return not self.is_active and self.wanted > 0


# Asking, watching, stopping


def ask(source: Source, *, by: object) -> api.Ticket | None:
    """Have a sentence written for each session of the source that has none about it as it is now, if there is one."""
    under_way = ticket(source)
    if under_way and under_way.is_active:
        return under_way
    wanted = [activity for activity in sessions(source) if not is_written(activity, source.athlete)]
    if not wanted:
        return under_way
    state = [(activity.pk, activity.look) for activity in wanted]
    asked = api.enqueue(
        KIND,
        source.athlete.owner,
        str(source.pk),
        fingerprint=hashlib.sha256(repr((state, signature(source.athlete))).encode()).hexdigest(),
        priority=LAST,
        args={"source": source.pk, "model": asks_model(source.athlete)},
        items=[str(activity.pk) for activity in wanted],
    )
    if asked.can_retry and api.retry(asked.id, by=str(by)):  # it was asked for before, and not all of it came
        return ticket(source) or asked
    return asked


def asks_model(athlete: Athlete) -> bool:
    """Say whether a model may write, were it only tomorrow: of a day without calls to spare there will be none."""
    return insights.asks_model(athlete) and all(budget.limits(athlete, share=SHARE))


def pool(*, model: bool) -> str:
    return insights.pool(model=model)


def ticket(source: Source) -> api.Ticket | None:
    return api.ticket(KIND, source.athlete.owner, str(source.pk))


def stop(source: Source, *, by: object) -> str:
    found = ticket(source)
    return api.stop(found.id, by=str(by)) if found else "over"


def progress(source: Source) -> Progress:
    found, athlete = ticket(source), source.athlete
    if found and found.is_active:
        total = sum(found.items.values())
        done = total - sum(found.items.get(still, 0) for still in ("pending", "running"))
        return Progress(ticket=found, said=said_of(found, athlete), total=total, done=done)
    total = Activity.objects.filter(athlete=athlete, source=source).count()
    rows = list(sessions(source).filter(annotation__isnull=False))
    return Progress(
        ticket=found,
        said=said_of(found, athlete),
        total=total,
        done=sum(current(activity, athlete) is not None for activity in rows),
        wanted=total - sum(is_written(activity, athlete) for activity in rows),
    )


def said_of(found: api.Ticket | None, athlete: Athlete) -> str:
    """Say what the job does or why it ended, where there is something to say."""
    if found is None or found.status == "succeeded":
        return ""
    match found.status:
        case "running":
            return gettext("Stopping after this sentence.") if found.stopping else gettext("Writing.")
        case "partial":
            return gettext("For some of them the model gave no answer; they have Coach's own sentence.")
        case "failed":
            return gettext("It failed: %(why)s") % {"why": queue_words.error(found)}
        case "cancelled":
            return gettext("It was stopped. The sentences that were written stay.")
        case "interrupted":
            return gettext("It was cut short. The sentences that were written stay.")
        case "scheduled" if found.reason == "run_at" and (anew := spent_until(athlete)):
            said = gettext("What sentences may use of today's calls is used up. They go on at %(at)s.")
            return said % {"at": queue_words.clock(anew)}
        case _:
            why = queue_words.sentence(found)
            return gettext("Waiting: %(why)s") % {"why": f"{why[:1].lower()}{why[1:]}"}


def spent_until(athlete: Athlete) -> datetime | None:
    """Return when the next day begins for an athlete whose share of this one is spent."""
    standing = budget.standing(athlete, share=SHARE)
    return standing.anew_at if asks_model(athlete) and standing.is_spent else None


def sessions(source: Source) -> QuerySet[Activity]:
    """Return the sessions of a source with their sentences, the newest first."""
    rows = Activity.objects.filter(athlete=source.athlete, source=source).select_related("annotation")
    return rows.only(*COLUMNS).newest_first()


def is_written(activity: Activity, athlete: Athlete) -> bool:
    """Say whether nothing is to be gained: its sentence is about it as it is, by the best writer there is."""
    found = current(activity, athlete)
    if found is None or not found.fingerprint:
        return False
    was_asked = found.asked or found.writer != narrator.WRITER
    return bool(was_asked) or not asks_model(athlete)


def current(activity: Activity, athlete: Athlete) -> Annotation | None:
    """Return its sentence, unless that is about something else than the session as it is now."""
    found: Annotation | None = getattr(activity, "annotation", None)
    return found if found and found.about == about(activity, athlete) else None


def shown(activity: Activity, athlete: Athlete, facts: Facts) -> str:
    """Return the sentence as HTML, its values linked to the facts of the page; empty where there is none."""
    found = current(activity, athlete)
    here = {fact.key for fact in facts.facts}
    return prose.html(found.text, found.facts, here=here) if found else ""


def about(activity: Activity, athlete: Athlete) -> str:
    return hashlib.sha256(f"{activity.look}/{athlete.language}/{athlete.units}".encode()).hexdigest()


def signature(athlete: Athlete) -> tuple[str, str, str]:
    return writer(athlete), athlete.language, athlete.units


def writer(athlete: Athlete) -> str:
    return gateway.writer(task=gateway.NOTE) if asks_model(athlete) else narrator.WRITER


# Writing, in the worker


def write(run: api.Run) -> dict[str, int]:
    """Write the sentence of each item in turn. Finished ones stay whatever becomes of the rest."""
    source = Source.objects.select_related("athlete__user").filter(pk=run.args["source"]).first()
    if source is None:
        raise api.Reject("The source is no longer there.")
    failures, made = 0, 0
    for item in run.items():
        athlete = Athlete.objects.select_related("user").filter(pk=source.athlete_id).first()
        if athlete is None:
            raise api.Reject("The athlete is no longer there.")
        activity = Activity.objects.filter(athlete=athlete, pk=item.key).select_related("annotation").first()
        if run.pool and is_waited_for(source):
            raise api.Snooze("Something else of the same source goes first.", seconds=MAKE_WAY_S)
        try:
            if activity is None:
                raise Gone
            try:
                made += sentence(run, item, athlete, activity)
                failures = 0
            except api.Retry:
                failures += 1
                if failures >= MOST_FAILURES:
                    raise
                stand_in(run, item, athlete, activity, "The model gave no answer.")
            except api.Reject as error:
                stand_in(run, item, athlete, activity, str(error))
        except Gone:
            with run.save():
                item.skip("The activity is no longer there.")
    return {"written": made}


def is_waited_for(source: Source) -> bool:
    """Say whether other work on the source waits, which a job of hours must not hold up: an import above all."""
    waiting = [ticket for ticket in api.tickets(source.athlete.owner) if ticket.status == "waiting"]
    runs = [ticket.subject for ticket in waiting if ticket.kind == imports.KIND]
    return (
        any(ticket.kind == undo.KIND for ticket in waiting)
        or any(ticket.kind == quality.KIND and ticket.subject == str(source.pk) for ticket in waiting)
        or (bool(runs) and ImportRun.objects.filter(source=source, pk__in=runs).exists())
    )


def sentence(run: api.Run, item: api.Item, athlete: Athlete, activity: Activity) -> int:
    """Write one unless there is one of these very facts; return how many were written."""
    facts = facts_of(athlete, activity)
    wanted = fingerprint(athlete, facts, seated=bool(run.pool))
    there: Annotation | None = getattr(activity, "annotation", None)
    if facts.insufficient or (there and there.fingerprint == wanted):
        with run.save():
            if there:
                Annotation.objects.filter(pk=activity.pk).update(about=about(activity, athlete))
            item.skip()
        return 0
    keep(run, item, athlete, activity, facts, written(run, athlete, facts), fingerprint=wanted)
    return 1


def written(run: api.Run, athlete: Athlete, facts: Facts) -> gateway.Written:
    recent = recent_of(athlete)
    if asks_model(athlete) and run.pool:
        meter = budget.Meter(athlete, share=SHARE)
        return gateway.write(
            run,
            facts,
            language=athlete.language,
            recent=recent,
            meter=meter,
            task=gateway.NOTE,
            memory=upstreams.KEPT,
        )
    return gateway.Written(text=narrated(athlete, facts, recent), writer=narrator.WRITER)


def stand_in(run: api.Run, item: api.Item, athlete: Athlete, activity: Activity, why: str) -> None:
    """Have the narrator write where the model could not; a retry of the job asks the model again."""
    facts = facts_of(athlete, activity)
    text = narrated(athlete, facts, recent_of(athlete))
    by_rule = gateway.Written(text=text, writer=narrator.WRITER)
    keep(run, item, athlete, activity, facts, by_rule, fingerprint="", why=why)


def narrated(athlete: Athlete, facts: Facts, recent: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    seed = int(facts.subject)  # sessions in a row begin otherwise
    return narrator.note(facts, language=athlete.language, seed=seed, recent=recent)


def keep(
    run: api.Run,
    item: api.Item,
    athlete: Athlete,
    activity: Activity,
    facts: Facts,
    made: gateway.Written,
    *,
    fingerprint: str,
    why: str = "",
) -> None:
    known = cases.kept(facts)
    values = {
        "about": about(activity, athlete),
        "fingerprint": fingerprint,
        "writer": made.writer,
        "language": athlete.language,
        "text": made.text["text"],
        "facts": {key: {name: known[key][name] for name in cases.WORDS} for key in made.text["facts"]},
        "asked": made.asked,
        "checked": scores.of(made.tally),
    }

    def store() -> None:
        same = Annotation.objects.filter(activity=activity, fingerprint=fingerprint, text=values["text"]).exists()
        Annotation.objects.update_or_create(activity=activity, defaults=values)
        item.partial(why) if why else item.ok()
        if not same:  # a second try of a save counts nothing twice
            scores.count(made.asked, made.tally, written=made.writer != narrator.WRITER)

    try:
        run.keep(store)
    except IntegrityError:
        if Activity.objects.filter(pk=activity.pk).exists():
            raise
        raise Gone from None


def facts_of(athlete: Athlete, activity: Activity) -> Facts:
    """Return the facts of the session's page; raises Gone."""
    try:
        return scopes.facts_for("activity", athlete, str(activity.pk))
    except scopes.UnknownSubject:
        raise Gone from None


def fingerprint(athlete: Athlete, facts: Facts, *, seated: bool = True) -> str:
    by = writer(athlete) if seated else narrator.WRITER
    return facts.fingerprint(writer=f"sentence by {by}", language=athlete.language, units=athlete.units)


def recent_of(athlete: Athlete) -> list[dict[str, Any]]:
    """Return the sentences that were written last, newest first."""
    rows = Annotation.objects.filter(activity__athlete=athlete, language=athlete.language).order_by("-created_at")
    return [{"text": text} for text in rows.values_list("text", flat=True)[:RECENT]]
