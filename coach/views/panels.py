"""The insight panel of a screen: its polls, stop and try again."""

from django.http import HttpResponse, HttpResponseBadRequest, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_POST, require_safe

from coach import panels, versions
from coach.models import Insight
from coach.scopes.facts import Facts
from coach.views.access import AthleteRequest, for_athlete
from coach.views.letters import Look, glance, is_fresh, look, of_page, page
from coach.views.screens import facts_of

OPINIONS = {"1": True, "0": False, "": None}


@require_safe
@for_athlete
def panel(request: AthleteRequest, scope: str, subject: str) -> HttpResponse:
    """Show the panel alone; to a poll send what changed, or 204 where nothing did (its timer runs on)."""
    if request.htmx and (waits := job_of(request, scope, subject)):
        return update(request, waits, glance(waits, request))
    facts = facts_of(request.athlete, scope, subject)
    shown = panels.panel(request.athlete, facts, request.user)
    seen = look(shown, facts, request)
    if request.htmx:
        return update(request, shown, seen)
    return render(request, "coach/insight.html", {"facts": facts, "panel": shown, "look": seen})


def job_of(request: AthleteRequest, scope: str, subject: str) -> panels.Panel | None:
    """Look at the job alone where that is enough: the page waits for it, and its facts were looked at just now."""
    has = of_page(request)
    if not is_fresh(has):
        return None
    return panels.glance(request.athlete, scope, subject, request.user, wanted=has.wanted, state=has.state)


def update(request: AthleteRequest, panel: panels.Panel, seen: Look) -> HttpResponse:
    if seen.is_same:
        return HttpResponse(status=204)
    return render(request, "coach/insight.html#update", {"panel": panel, "look": seen})


@require_POST
@for_athlete
def panel_stop(request: AthleteRequest, scope: str, subject: str) -> HttpResponse:
    facts = facts_of(request.athlete, scope, subject)
    panels.stop(request.athlete, scope, subject, request.user)
    return acted(request, facts)


@require_POST
@for_athlete
def panel_retry(request: AthleteRequest, scope: str, subject: str) -> HttpResponse:
    facts = facts_of(request.athlete, scope, subject)
    panels.retry(request.athlete, scope, subject, request.user)
    return acted(request, facts)


def acted(request: AthleteRequest, facts: Facts) -> HttpResponse:
    """Answer an action with the panel as it is now; without script, go back to the screen."""
    if not request.htmx:
        return HttpResponseRedirect(page(facts.scope, facts.subject))
    shown = panels.panel(request.athlete, facts, request.user)
    context = {"facts": facts, "panel": shown, "look": look(shown, facts, request), "acted": True}
    return render(request, "coach/insight.html#update", context)


@require_POST
@for_athlete
def opinion(request: AthleteRequest, pk: int) -> HttpResponse:
    """Keep whether a text helped, and what is not right about it."""
    insight = get_object_or_404(Insight, athlete=request.athlete, pk=pk)
    said = request.POST.get("good")
    if said not in OPINIONS:
        return HttpResponseBadRequest("`good` is 1, 0 or empty.", content_type="text/plain")
    given = versions.judge(insight, good=OPINIONS[said], note=request.POST.get("note", "").strip())
    if not request.htmx:
        return HttpResponseRedirect(page(insight.scope, insight.subject))
    context = {"insight": insight, "opinion": given, "acted": True}
    return render(request, "coach/opinion.html", context)


@require_safe
@for_athlete
def versions_page(request: AthleteRequest, scope: str, subject: str) -> HttpResponse:
    """List the texts that this screen has had."""
    facts = facts_of(request.athlete, scope, subject)
    said = request.GET.get("before", "")
    before = int(said) if said.isascii() and said.isdecimal() and len(said) < 19 else None
    found, further = versions.of(request.athlete, facts.scope, facts.subject, before=before)
    context = {"facts": facts, "versions": found, "further": further, "page": page(facts.scope, facts.subject)}
    return render(request, "coach/versions.html", context | {"is_newest_page": before is None})
