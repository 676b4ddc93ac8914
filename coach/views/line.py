"""In line: the athlete's own jobs, what they wait for, and stopping and retrying them."""

from typing import Any

from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from coach import imports, scopes, thresholds
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
    rows = [row(ticket) for ticket in api.tickets(request.athlete.owner, limit=SHOWN)]
    seen = tag([(one["state"], one["progress"], one["ticket"].sentence, one["ticket"].can_stop) for one in rows])
    if request.htmx and request.GET.get("seen") == seen:
        return HttpResponse(status=204)
    active = [one for one in rows if one["ticket"].is_active]
    context = {
        "active": active,
        "over": [one for one in rows if not one["ticket"].is_active],
        "poll_ms": POLL_MS if active else None,
        "seen": seen,
    }
    return render(request, "coach/line.html#jobs" if request.htmx else "coach/line.html", context)


@require_POST
@for_athlete
def line_stop(request: AthleteRequest, pk: int) -> HttpResponse:
    api.stop(own(request, pk).id, by=request.user.get_username())
    return HttpResponseRedirect(reverse("line"))


@require_POST
@for_athlete
def line_retry(request: AthleteRequest, pk: int) -> HttpResponse:
    api.retry(own(request, pk).id, by=request.user.get_username())
    return HttpResponseRedirect(reverse("line"))


def own(request: AthleteRequest, pk: int) -> api.Ticket:
    """Return the athlete's own job, or 404."""
    for ticket in api.tickets(request.athlete.owner, limit=SHOWN):
        if ticket.id == pk:
            return ticket
    raise Http404("There is no such job.")


def row(ticket: api.Ticket) -> dict[str, Any]:
    """Say in words what a job is, and where its result will be seen."""
    name, address = named(ticket)
    progress = ticket.progress if ticket.is_active and ticket.progress else None
    return {"ticket": ticket, "name": name, "page": address, "state": STATES[ticket.status], "progress": progress}


def named(ticket: api.Ticket) -> tuple[str, str]:
    if ticket.kind == imports.KIND:
        return f"Import {ticket.subject}", reverse("import_run", args=[ticket.subject])
    if ticket.kind == thresholds.KIND:
        return "Measuring your history again", reverse("load")
    scope, _, subject = ticket.subject.partition("/")
    name = scopes.named(scope).title if scope in scopes.scopes() else ticket.kind
    about = "" if subject == "current" else f" {subject}"
    return f"Text for {name.lower()}{about}", page(scope, subject)
