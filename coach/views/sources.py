"""Where recordings come from: each source, what was handed in for it, and what its checks found."""

from typing import Any

from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.template.defaultfilters import date
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from coach import annotating, quality, undo
from coach import sources as service
from coach.forms import SourceForm
from coach.models import Activity, Finding, Source
from coach.retelling import retold
from coach.templatetags.rows import CALLED, called
from coach.views.access import AthleteRequest, for_athlete
from coach.views.letters import tag
from jobs import api

POLL_MS = 2000
BRIEF = 20


@require_safe
@for_athlete
def sources(request: AthleteRequest) -> HttpResponse:
    rows = Source.objects.filter(athlete=request.athlete).annotate(runs=Count("imports")).order_by("name")
    return render(request, "coach/sources.html", {"sources": rows})


@require_safe
@for_athlete
def source(request: AthleteRequest, pk: int) -> HttpResponse:
    """Show one source; to a poll send its findings when they moved, or 204."""
    row = own(request, pk)
    context = shown(row)
    if request.htmx and request.GET.get("seen") == context["seen"]:
        return HttpResponse(status=204)
    if request.htmx:
        return render(request, "coach/source.html#findings", context)
    return render(request, "coach/source.html", page_of(row) | {"form": SourceForm(instance=row)})


@require_POST
@for_athlete
def source_rename(request: AthleteRequest, pk: int) -> HttpResponse:
    row = own(request, pk)
    form = SourceForm(request.POST, instance=row)
    if not form.is_valid():
        return render(request, "coach/source.html", page_of(own(request, pk)) | {"form": form}, status=422)
    try:
        service.rename(row, form.cleaned_data["name"])
    except api.LaneBusy as busy:
        told = gettext("%(holder)s is at work on this source. Try again when it has ended.")
        form.add_error("name", told % {"holder": retold(busy.holder)})
        return render(request, "coach/source.html", page_of(own(request, pk)) | {"form": form}, status=409)
    messages.success(request, gettext("Renamed."))
    return HttpResponseRedirect(reverse("source", args=[pk]))


@require_POST
@for_athlete
def source_check(request: AthleteRequest, pk: int) -> HttpResponse:
    quality.ask(own(request, pk))
    return HttpResponseRedirect(f"{reverse('source', args=[pk])}#checks")


@require_POST
@for_athlete
def source_undo(request: AthleteRequest, pk: int) -> HttpResponse:
    """Take back everything that ever came from the source; the page has asked whether that is meant."""
    row = own(request, pk)
    if request.POST.get("sure") != "on":
        context = page_of(row) | {"form": SourceForm(instance=row), "unsure": True}
        return render(request, "coach/source.html", context, status=422)
    undo.ask(row, request.user)
    said = gettext("%(name)s is being taken back; In line shows how far that is.")
    messages.success(request, said % {"name": service.called(row.name)})
    return HttpResponseRedirect(reverse("sources"))


def own(request: AthleteRequest, pk: int) -> Source:
    return get_object_or_404(Source.objects.select_related("athlete__user"), athlete=request.athlete, pk=pk)


def page_of(row: Source) -> dict[str, Any]:
    """Return the whole page: what the checks found, and how far the sentences are."""
    return sentences_of(row) | shown(row)


def sentences_of(row: Source) -> dict[str, Any]:
    progress = annotating.progress(row)
    return {
        "source": row,
        "sentences": progress,
        "sentences_poll_ms": POLL_MS if progress.is_active else None,
        "sentences_seen": tag(progress.done, progress.total, progress.said, progress.is_active),
    }


def shown(row: Source) -> dict[str, Any]:
    ticket = quality.ticket(row)
    active = bool(ticket and ticket.is_active)
    findings = in_order(row)
    stale = not active and (ticket is None or ticket.fingerprint != quality.state(row))
    return {
        "source": row,
        "runs": row.imports.annotate(number=Count("files", filter=Q(files__parent=None)))[:BRIEF],
        "findings": findings,
        "ticket": ticket,
        "stale": stale,
        "poll_ms": POLL_MS if active else None,
        "seen": tag(active, ticket and (ticket.status, ticket.progress, ticket.sentence), [f["at"] for f in findings]),
    }


def in_order(row: Source) -> list[dict[str, Any]]:
    """Return the findings in the order of the checks, each session named."""
    found = {finding.check_name: finding for finding in row.findings.all()}
    ids = [one["activity"] for finding in found.values() for one in finding.details if "activity" in one]
    sessions = {
        activity.pk: activity for activity in Activity.objects.filter(athlete=row.athlete, pk__in=ids).only(*CALLED)
    }
    return [_finding(check.title, found[name], sessions) for name, check in quality.CHECKS.items() if name in found]


def _finding(title: str, finding: Finding, sessions: dict[int, Activity]) -> dict[str, Any]:
    details = [_detail(one, sessions) for one in finding.details]
    return {
        "name": finding.check_name,
        "title": title,
        "severity": finding.severity,
        "sentence": finding.sentence,
        "details": [one for one in details if one],
        "at": finding.checked_at,
    }


def _detail(one: dict[str, Any], sessions: dict[int, Activity]) -> dict[str, Any] | None:
    if "activity" not in one:
        return {"name": one.get("day", ""), "sentence": one["sentence"]}
    activity = sessions.get(one["activity"])
    if activity is None:
        return None
    name = gettext("%(name)s, %(day)s") % {
        "name": called(activity),
        "day": date(activity.local_date, gettext("j M Y")),
    }
    return {"name": name, "page": reverse("activity", args=[activity.pk]), "sentence": one["sentence"]}
