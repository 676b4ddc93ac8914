"""The insight panel of a screen: its polls, stop and try again."""

from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_POST, require_safe

from coach import insights
from coach.scopes.facts import Facts
from coach.views.access import AthleteRequest, for_athlete
from coach.views.letters import look, page
from coach.views.screens import facts_of


@require_safe
@for_athlete
def panel(request: AthleteRequest, scope: str, subject: str) -> HttpResponse:
    """Show the panel alone; to a poll send what changed, or 204 where nothing did (its timer runs on)."""
    facts = facts_of(request.athlete, scope, subject)
    shown = insights.panel(request.athlete, facts, request.user)
    seen = look(shown, facts, request)
    if request.htmx and seen.is_same:
        return HttpResponse(status=204)
    template = "coach/insight.html#update" if request.htmx else "coach/insight.html"
    return render(request, template, {"facts": facts, "panel": shown, "look": seen})


@require_POST
@for_athlete
def panel_stop(request: AthleteRequest, scope: str, subject: str) -> HttpResponse:
    facts = facts_of(request.athlete, scope, subject)
    insights.stop(request.athlete, scope, subject, request.user)
    return acted(request, facts)


@require_POST
@for_athlete
def panel_retry(request: AthleteRequest, scope: str, subject: str) -> HttpResponse:
    facts = facts_of(request.athlete, scope, subject)
    insights.retry(request.athlete, scope, subject, request.user)
    return acted(request, facts)


def acted(request: AthleteRequest, facts: Facts) -> HttpResponse:
    """Answer an action with the panel as it is now; without script, go back to the screen."""
    if not request.htmx:
        return HttpResponseRedirect(page(facts.scope, facts.subject))
    shown = insights.panel(request.athlete, facts, request.user)
    context = {"facts": facts, "panel": shown, "look": look(shown, facts, request), "acted": True}
    return render(request, "coach/insight.html#update", context)
