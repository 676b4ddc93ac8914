"""In line: the athlete's own jobs, what they wait for, and stopping and retrying them."""

from typing import Any

from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.template.defaultfilters import date
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from coach import exports, imports, insights, quality, scopes, thresholds
from coach.models import Activity, Athlete, ImportRun
from coach.templatetags.rows import called
from coach.views.access import AthleteRequest, for_athlete
from coach.views.letters import page, tag
from jobs import api

SHOWN = 50
POLL_MS = 4000
STATES = {
    "enqueuing": "Arriving",
    "scheduled": "Later",
    "waiting": "Waiting",
    "ready": "Waiting",
    "running": "Running",
    "succeeded": "Done",
    "partial": "In part",
    "failed": "Failed",
    "cancelled": "Stopped",
    "interrupted": "Cut short",
}


@require_safe
@for_athlete
def line(request: AthleteRequest) -> HttpResponse:
    """Show the jobs; to a poll send them when anything moved, or 204 (its timer runs on)."""
    tickets = api.tickets(request.athlete.owner, limit=SHOWN)
    sessions = sessions_of(request.athlete, tickets)
    rows = [row(ticket, sessions) for ticket in tickets]
    seen = tag([(one["state"], one["progress"], one["ticket"].sentence, one["ticket"].can_stop) for one in rows])
    if request.htmx and request.GET.get("seen") == seen:
        return HttpResponse(status=204)
    active = [one for one in rows if one["ticket"].is_active]
    over = [one for one in rows if not one["ticket"].is_active]
    context = {"active": active, "over": over, "poll_ms": POLL_MS if active else None, "seen": seen}
    return render(request, "coach/line.html#jobs" if request.htmx else "coach/line.html", context)


@require_POST
@for_athlete
def line_stop(request: AthleteRequest, pk: int) -> HttpResponse:
    api.stop(own(request, pk).id, by=request.user.get_username())
    return HttpResponseRedirect(reverse("line"))


@require_POST
@for_athlete
def line_retry(request: AthleteRequest, pk: int) -> HttpResponse:
    ticket = own(request, pk)
    if ticket.kind == imports.KIND:
        imports.retry(get_object_or_404(ImportRun, source__athlete=request.athlete, pk=ticket.subject), request.user)
    else:
        api.retry(ticket.id, by=request.user.get_username())
    return HttpResponseRedirect(reverse("line"))


def own(request: AthleteRequest, pk: int) -> api.Ticket:
    """Return the athlete's own job, or 404."""
    ticket = api.ticket_of(pk)
    if ticket is None or ticket.owner != request.athlete.owner:
        raise Http404("There is no such job.")
    return ticket


def sessions_of(athlete: Athlete, tickets: list[api.Ticket]) -> dict[str, str]:
    """Name the activities that these jobs write about, by their subject."""
    subjects = [ticket.subject for ticket in tickets if ticket.subject.startswith("activity/")]
    ids = [int(subject.removeprefix("activity/")) for subject in subjects]
    rows = Activity.objects.filter(athlete=athlete, pk__in=ids)
    return {f"activity/{row.pk}": f"{called(row)}, {date(row.local_date, 'j M')}" for row in rows}


def row(ticket: api.Ticket, sessions: dict[str, str]) -> dict[str, Any]:
    """Say in words what a job is, and where its result will be seen."""
    name, address = named(ticket, sessions)
    progress = ticket.progress if ticket.is_active and ticket.progress else None
    return {"ticket": ticket, "name": name, "page": address, "state": STATES[ticket.status], "progress": progress}


def named(ticket: api.Ticket, sessions: dict[str, str]) -> tuple[str, str]:
    if ticket.kind == imports.KIND:
        return "Import", reverse("import_run", args=[ticket.subject])
    if ticket.kind == thresholds.KIND:
        return "Measuring your history again", reverse("load")
    if ticket.kind == quality.KIND:
        return "Checking the data", reverse("source", args=[ticket.subject])
    if ticket.kind == exports.KIND:
        return "Packing everything you have here", reverse("account")
    scope, _, subject = ticket.subject.partition("/")
    if ticket.kind != insights.KIND or scope not in scopes.scopes():
        return api.label(ticket.kind), ""
    if scope == "activity":
        name = sessions.get(ticket.subject)
        return f"Text: {name or 'a session that was removed'}", page(scope, subject) if name else ""
    about = "" if subject == "current" else f" {subject}"
    return f"Text: {scopes.named(scope).title.lower()}{about}", page(scope, subject)
