"""The screens that answer one question each."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from coach import annotating, origins, panels, scopes, suggesting, thresholds
from coach import said as words
from coach.models import Activity, Athlete
from coach.remarks_form import RemarksForm
from coach.scopes.activity.route import same_route
from coach.scopes.calendar import days_of, week_of
from coach.scopes.facts import Facts
from coach.scopes.records.bests import main_family
from coach.scopes.records.chinese import SAID
from coach.scopes.records.facts import FAMILIES
from coach.scopes.terms import style_of, worded
from coach.scopes.trends.facts import RANGES
from coach.views.access import AthleteRequest, for_athlete
from coach.views.letters import look

LEAD = 4  # facts above the text, the first that are known; the rest comes after the chart
# Tables that stand behind a chart.
DRAWN = {"week", "load", "streams", "track", "zones", "records", "hrv", "sleep", "resting", "weight", "days"}


@require_safe
@for_athlete
def today(request: AthleteRequest) -> HttpResponse:
    return screen(request, "coach/today.html", facts_of(request.athlete, "today", "current"))


@require_safe
@for_athlete
def week(request: AthleteRequest, subject: str = "") -> HttpResponse:
    athlete = request.athlete
    facts = facts_of(athlete, "week", subject or week_of(athlete.today(), starts_on=athlete.week_starts_on))
    return screen(request, "coach/week.html", facts, beside=beside(athlete, facts.subject))


@require_safe
@for_athlete
def load(request: AthleteRequest) -> HttpResponse:
    facts = facts_of(request.athlete, "load", "current")
    return screen(request, "coach/load.html", facts, suggestions=suggesting.open_ones(request.athlete))


@require_safe
@for_athlete
def trends(request: AthleteRequest, subject: str = "90d") -> HttpResponse:
    facts = facts_of(request.athlete, "trends", subject)
    return screen(request, "coach/trends.html", facts, ranges=RANGES.items())


@require_safe
@for_athlete
def records(request: AthleteRequest, subject: str = "") -> HttpResponse:
    """Without a sport, show the one with the most bests."""
    facts = facts_of(request.athlete, "records", subject or main_family(request.athlete))
    style = style_of(request.athlete)
    families = [(family, worded(word, SAID, style=style)) for family, word in FAMILIES.items()]
    return screen(request, "coach/records.html", facts, families=families)


@require_safe
@for_athlete
def recovery(request: AthleteRequest) -> HttpResponse:
    return screen(request, "coach/recovery.html", facts_of(request.athlete, "recovery", "current"))


@require_safe
@for_athlete
def activity(request: AthleteRequest, pk: int) -> HttpResponse:
    return activity_page(request, pk).response()


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivityPage:
    request: AthleteRequest
    activity: Activity
    facts: Facts
    form: RemarksForm
    origins: list[origins.Origin]

    def response(self, *, status: int = 200) -> HttpResponse:
        starts_on = self.request.athlete.week_starts_on
        return screen(
            self.request,
            "coach/activity.html",
            self.facts,
            status=status,
            activity=self.activity,
            sentence=annotating.shown(self.activity, self.request.athlete, self.facts),
            form=self.form,
            origins=self.origins,
            scored_by=thresholds.scoring(self.activity),
            same_route=same_route(self.activity, style=style_of(self.request.athlete)),
            week=week_of(self.activity.local_date, starts_on=starts_on),
        )


def activity_page(request: AthleteRequest, pk: int, *, said: Any = None) -> ActivityPage:
    """Put the page of a session together; `said` is the form that was sent. 404 where there is no such session."""
    facts = facts_of(request.athlete, "activity", str(pk))
    made_of = origins.of(pk)
    row = made_of[0].row.activity if made_of else None  # it came with its recordings
    row = row or get_object_or_404(Activity, athlete=request.athlete, pk=pk)
    kind = facts.get("kind_found") or facts.get("kind")
    form = RemarksForm(
        said,
        activity=row,
        inputs=dict(words.of([origin.row for origin in made_of]).inputs),
        found=kind.display if kind else gettext("nothing yet"),
        style=style_of(request.athlete),
    )
    return ActivityPage(request=request, activity=row, facts=facts, form=form, origins=made_of)


def screen(request: AthleteRequest, template: str, facts: Facts, *, status: int = 200, **extra: Any) -> HttpResponse:
    """Render facts, chart and panel; asking for the panel is what puts its job first."""
    panel = panels.panel(request.athlete, facts, request.user)
    lead = [fact for fact in facts.facts if fact.value is not None][:LEAD]
    shown = {
        "facts": facts,
        "lead": lead,
        "more": [fact for fact in facts.facts if fact not in lead],
        "other_tables": [name for name in facts.tables if name not in DRAWN],
        "question": gettext(scopes.question(facts.scope)),
        "panel": panel,
        "look": look(panel, facts, request),
    }
    return render(request, template, shown | extra, status=status)


def facts_of(athlete: Athlete, scope: str, subject: str) -> Facts:
    """Return the facts, or 404 for a scope or subject that this athlete does not have."""
    try:
        return scopes.facts_for(scope, athlete, subject)
    except (scopes.UnknownScope, scopes.UnknownSubject) as unknown:
        raise Http404("There is no such screen.") from unknown


def beside(athlete: Athlete, subject: str) -> dict[str, Any]:
    """Return the weeks before and after; no later one than that of today."""
    starts_on = athlete.week_starts_on
    first, last = days_of(subject, starts_on=starts_on)
    names = {"before": week_of(first - timedelta(days=7), starts_on=starts_on), "after": ""}
    if last < athlete.today():
        names["after"] = week_of(last + timedelta(days=1), starts_on=starts_on)
    return names
