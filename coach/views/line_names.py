"""What the athlete's jobs are called in the line, and where each is looked at: several jobs, few queries."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count
from django.template.defaultfilters import date
from django.urls import reverse
from django.utils.translation import get_language, gettext, ngettext
from django.utils.translation import gettext_lazy as _

from coach import annotating, backfill, exports, imports, insights, quality, scopes, thresholds, undo
from coach.display import Style
from coach.models import Activity, Athlete, ImportFile, ImportRun, Source
from coach.scopes import sports
from coach.scopes.trends.facts import RANGES
from coach.sources import called as source_called
from coach.templatetags.rows import CALLED, called
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
    thresholds.KIND: (_("Measuring your history again"), "load"),
    exports.KIND: (_("Packing everything you have here"), "account"),
    backfill.KIND: (_("Looking which texts to renew"), ""),
}


def names(athlete: Athlete, tickets: Iterable[api.Ticket]) -> dict[int, Named]:
    """Return the name of each job by its id."""
    of_kind: dict[str, list[api.Ticket]] = defaultdict(list)
    for ticket in tickets:
        of_kind[ticket.kind].append(ticket)
    found = {ticket.id: _fixed(ticket) for ticket in tickets}
    found |= _imports(athlete, of_kind[imports.KIND])
    found |= _of_sources(athlete, of_kind[quality.KIND] + of_kind[undo.KIND] + of_kind[annotating.KIND])
    found |= _texts(athlete, of_kind[insights.KIND])
    return found


def _fixed(ticket: api.Ticket) -> Named:
    name, address = FIXED.get(ticket.kind, (api.label(ticket.kind), ""))
    return Named(name=str(name), page=reverse(address) if address else "")


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
        return Named(name=gettext("An import that was undone"), is_gone=True)
    total = sum(counts.values())
    open_ones = gettext(", ").join(
        gettext("%(n)s %(words)s") % {"n": counts[outcome], "words": WORDS[outcome]}
        for outcome in NEEDS_THE_ATHLETE
        if outcome in counts
    )
    return Named(
        name=ngettext("Import of %(n)s file from %(source)s", "Import of %(n)s files from %(source)s", total)
        % {"n": total, "source": source_called(run.source.name)},
        page=reverse("import_run", args=[run.pk]),
        outcome=gettext("%(open)s.") % {"open": open_ones} if open_ones and ticket.error_kind == "items" else "",
    )


def _of_sources(athlete: Athlete, tickets: list[api.Ticket]) -> dict[int, Named]:
    if not tickets:
        return {}
    there = {str(source.pk): source_called(source.name) for source in Source.objects.filter(athlete=athlete)}
    name = {quality.KIND: _check, undo.KIND: _undo, annotating.KIND: _sentences}
    return {ticket.id: name[ticket.kind](ticket, there) for ticket in tickets}


def _check(ticket: api.Ticket, there: dict[str, str]) -> Named:
    if ticket.subject not in there:
        return Named(name=gettext("A check of a source that was taken back"), is_gone=True)
    name = gettext("Checking the data of %(source)s") % {"source": there[ticket.subject]}
    return Named(name=name, page=reverse("source", args=[ticket.subject]))


def _sentences(ticket: api.Ticket, there: dict[str, str]) -> Named:
    if ticket.subject not in there:
        return Named(name=gettext("Sentences about a source that was taken back"), is_gone=True)
    name = gettext("A sentence for each session of %(source)s") % {"source": there[ticket.subject]}
    return Named(name=name, page=f"{reverse('source', args=[ticket.subject])}#sentences")


def _undo(ticket: api.Ticket, there: dict[str, str]) -> Named:
    what, _, number = ticket.subject.partition("/")
    if what == undo.IMPORT:
        return Named(name=gettext("Undoing an import"), page=reverse("undo", args=[number]))
    address = reverse("source", args=[number]) if number in there else ""
    name = gettext("Taking back %(source)s") % {"source": there.get(number, gettext("a source"))}
    return Named(name=name, page=address)


def _texts(athlete: Athlete, tickets: list[api.Ticket]) -> dict[int, Named]:
    ids = [one.subject.removeprefix("activity/") for one in tickets if one.subject.startswith("activity/")]
    rows = Activity.objects.filter(athlete=athlete, pk__in=ids).only(*CALLED) if ids else []
    sessions = {str(row.pk): _session(row) for row in rows}
    return {ticket.id: _text(ticket, sessions) for ticket in tickets}


def _session(row: Activity) -> str:
    said = {"name": called(row), "day": date(row.local_date, gettext("j M"))}
    return gettext("%(name)s, %(day)s") % said


def _text(ticket: api.Ticket, sessions: dict[str, str]) -> Named:
    scope, _, subject = ticket.subject.partition("/")
    if scope not in scopes.scopes():
        return Named(name=api.label(ticket.kind))
    if scope == "activity" and subject not in sessions:
        return Named(name=gettext("Text: a session that was removed"), is_gone=True)
    if scope == "activity":
        return Named(name=_about(sessions[subject]), page=page(scope, subject))
    if scope == "week" and subject != "current":
        return Named(name=_about(_week(subject)), page=page(scope, subject))
    title = gettext(scopes.named(scope).title).lower()
    return Named(name=_about(" ".join(filter(None, (title, _subject(scope, subject))))), page=page(scope, subject))


def _week(subject: str) -> str:
    year, _w, number = subject.partition("-W")
    return gettext("week %(n)s of %(year)s") % {"n": int(number), "year": year} if number.isdecimal() else subject


def _subject(scope: str, subject: str) -> str:
    if subject == "current":
        return ""
    if scope == "records":
        return sports.shown(subject, style=Style(language=get_language() or "en")).lower()
    return gettext("%(days)s days") % {"days": RANGES[subject]} if subject in RANGES else subject


def _about(what: str) -> str:
    return gettext("Text: %(what)s") % {"what": what}
