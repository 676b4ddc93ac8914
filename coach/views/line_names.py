"""What the athlete's jobs are called in the line, and where each is looked at: several jobs, few queries."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count
from django.template.defaultfilters import date
from django.urls import reverse

from coach import backfill, exports, imports, insights, quality, scopes, thresholds, undo
from coach.models import Activity, Athlete, ImportFile, ImportRun, Source
from coach.templatetags.rows import called
from coach.views.imports import NEEDS_THE_ATHLETE, WORDS
from coach.views.letters import page
from jobs import api


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    name: str
    page: str = ""
    outcome: str = ""  # what became of it, where that is more than the job itself can say
    is_gone: bool = False  # what it was about is no longer there, so it cannot be asked for again


FIXED = {
    thresholds.KIND: ("Measuring your history again", "load"),
    exports.KIND: ("Packing everything you have here", "account"),
    backfill.KIND: ("Looking which texts to renew", ""),
}


def names(athlete: Athlete, tickets: Iterable[api.Ticket]) -> dict[int, Named]:
    """Return the name of each job by its id."""
    of_kind: dict[str, list[api.Ticket]] = defaultdict(list)
    for ticket in tickets:
        of_kind[ticket.kind].append(ticket)
    found = {ticket.id: _fixed(ticket) for ticket in tickets}
    found |= _imports(athlete, of_kind[imports.KIND])
    found |= _of_sources(athlete, of_kind[quality.KIND] + of_kind[undo.KIND])
    found |= _texts(athlete, of_kind[insights.KIND])
    return found


def _fixed(ticket: api.Ticket) -> Named:
    name, address = FIXED.get(ticket.kind, (api.label(ticket.kind), ""))
    return Named(name=name, page=reverse(address) if address else "")


def _imports(athlete: Athlete, tickets: list[api.Ticket]) -> dict[int, Named]:
    if not tickets:
        return {}
    runs = ImportRun.objects.filter(source__athlete=athlete, pk__in=[ticket.subject for ticket in tickets])
    there = {str(run.pk): run for run in runs.select_related("source")}
    counts: dict[str, dict[str, int]] = defaultdict(dict)
    files = ImportFile.objects.filter(run__in=there.values()).order_by()
    for run, outcome, count in files.values_list("run", "outcome").annotate(Count("pk")):
        counts[str(run)][outcome] = count
    return {ticket.id: _import(there.get(ticket.subject), ticket, counts[ticket.subject]) for ticket in tickets}


def _import(run: ImportRun | None, ticket: api.Ticket, counts: dict[str, int]) -> Named:
    if run is None:
        return Named(name="An import that was undone", is_gone=True)
    total = sum(counts.values())
    open_ones = ", ".join(f"{counts[outcome]} {WORDS[outcome]}" for outcome in NEEDS_THE_ATHLETE if outcome in counts)
    return Named(
        name=f"Import of {total} file{'s' if total != 1 else ''} from {run.source.name}",
        page=reverse("import_run", args=[run.pk]),
        outcome=f"{open_ones}." if open_ones and ticket.error_kind == "items" else "",
    )


def _of_sources(athlete: Athlete, tickets: list[api.Ticket]) -> dict[int, Named]:
    if not tickets:
        return {}
    there = {str(source.pk): source.name for source in Source.objects.filter(athlete=athlete)}
    return {ticket.id: (_check if ticket.kind == quality.KIND else _undo)(ticket, there) for ticket in tickets}


def _check(ticket: api.Ticket, there: dict[str, str]) -> Named:
    if ticket.subject not in there:
        return Named(name="A check of a source that was taken back", is_gone=True)
    return Named(name=f"Checking the data of {there[ticket.subject]}", page=reverse("source", args=[ticket.subject]))


def _undo(ticket: api.Ticket, there: dict[str, str]) -> Named:
    what, _, number = ticket.subject.partition("/")
    if what == undo.IMPORT:
        return Named(name="Undoing an import", page=reverse("undo", args=[number]))
    address = reverse("source", args=[number]) if number in there else ""
    return Named(name=f"Taking back {there.get(number, 'a source')}", page=address)


def _texts(athlete: Athlete, tickets: list[api.Ticket]) -> dict[int, Named]:
    ids = [one.subject.removeprefix("activity/") for one in tickets if one.subject.startswith("activity/")]
    rows = Activity.objects.filter(athlete=athlete, pk__in=ids) if ids else []
    sessions = {str(row.pk): f"{called(row)}, {date(row.local_date, 'j M')}" for row in rows}
    return {ticket.id: _text(ticket, sessions) for ticket in tickets}


def _text(ticket: api.Ticket, sessions: dict[str, str]) -> Named:
    scope, _, subject = ticket.subject.partition("/")
    if scope not in scopes.scopes():
        return Named(name=api.label(ticket.kind))
    if scope == "activity" and subject not in sessions:
        return Named(name="Text: a session that was removed", is_gone=True)
    if scope == "activity":
        return Named(name=f"Text: {sessions[subject]}", page=page(scope, subject))
    about = "" if subject == "current" else f" {subject}"
    return Named(name=f"Text: {scopes.named(scope).title.lower()}{about}", page=page(scope, subject))
