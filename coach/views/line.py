"""In line: the athlete's own jobs, what they wait for, and stopping and retrying them."""

from datetime import UTC, datetime
from typing import Any

from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe

from coach import imports, queue_words
from coach.models import ImportRun
from coach.views.access import AthleteRequest, for_athlete
from coach.views.letters import tag
from coach.views.line_names import Named, names
from jobs import api

SHOWN = 50
POLL_MS = 4000
STATES = {
    "enqueuing": _("Arriving"),
    "scheduled": _("Later"),
    "waiting": _("Waiting"),
    "ready": _("Waiting"),
    "running": _("Running"),
    "succeeded": _("Done"),
    "partial": _("In part"),
    "failed": _("Failed"),
    "cancelled": _("Stopped"),
    "interrupted": _("Cut short"),
}


@require_safe
@for_athlete
def line(request: AthleteRequest) -> HttpResponse:
    """Show the jobs; to a poll send them when anything moved, or 204 (its timer runs on)."""
    tickets = api.tickets(request.athlete.owner, limit=SHOWN)
    named = names(request.athlete, tickets)
    rows = [row(ticket, named[ticket.id]) for ticket in tickets]
    seen = tag([(one["state"], one["progress"], one["ticket"].sentence, one["ticket"].can_stop) for one in rows])
    if request.htmx and request.GET.get("seen") == seen:
        return HttpResponse(status=204)
    since = opened_at(request)
    active = [one for one in rows if one["ticket"].is_active]
    ended = [one for one in rows if not one["ticket"].is_active and one["ticket"].ended_at >= since]
    context = {
        "now": [*reversed(ended), *active],  # what ends while the page is open keeps its place
        "over": [one for one in rows if one not in active and one not in ended],
        "poll_ms": POLL_MS if active else None,
        "seen": seen,
        "since": int(since.timestamp()),
    }
    return render(request, "coach/line.html#jobs" if request.htmx else "coach/line.html", context)


def opened_at(request: AthleteRequest) -> datetime:
    """Return when the page that polls was opened, as it says itself; now for a page that is being opened."""
    try:
        return datetime.fromtimestamp(int(request.GET.get("since", "")), tz=UTC)
    except (ValueError, OverflowError, OSError):
        return timezone.now()


@require_safe
@for_athlete
def measuring(request: AthleteRequest) -> HttpResponse:
    """Tell the pages that say how far the measuring of history is: what changed, or 204 (their timer runs on)."""
    if not request.htmx:
        return HttpResponseRedirect(reverse("line"))
    athlete = request.athlete
    if request.GET.get("seen") == f"{athlete.measured}-{athlete.to_measure}":
        return HttpResponse(status=204)
    page = request.htmx.current_url_abs_path or reverse("today")
    return render(request, "coach/measuring.html", {"measured": True, "page": page})


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


def row(ticket: api.Ticket, named: Named) -> dict[str, Any]:
    """Say in words what a job is, where its result will be seen, and what can be done about it."""
    return {
        "ticket": ticket,
        "name": named.name,
        "page": named.page,
        "state": str(STATES[ticket.status]),
        "progress": ticket.progress if ticket.is_active and ticket.progress else None,
        "sentence": "" if ticket.status == "running" and not ticket.stopping else queue_words.sentence(ticket),
        "error": named.outcome or queue_words.error(ticket),
        "can_retry": ticket.can_retry and not named.is_gone,
    }
