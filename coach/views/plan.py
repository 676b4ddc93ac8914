"""Goals and plan: what it is for, what is meant to be done, by hand and from a calendar file."""

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST

from coach import plans
from coach.plan_forms import CalendarForm, GoalForm, PlannedForm
from coach.retelling import retold
from coach.views.access import AthleteRequest, for_athlete

PAGE = 60  # sessions shown
FORMS: dict[str, type[PlannedForm] | type[GoalForm] | type[CalendarForm]] = {
    "session": PlannedForm,
    "goal": GoalForm,
    "file": CalendarForm,
}


@require_http_methods(["GET", "HEAD", "POST"])
@for_athlete
def plan(request: AthleteRequest) -> HttpResponse:
    """Three forms on one page; the button pressed says which one was sent."""
    athlete = request.athlete
    sent = next((name for name in FORMS if name in request.POST), "") if request.method == "POST" else ""
    made = {
        name: form(request.POST, request.FILES, athlete=athlete) if name == sent else form(athlete=athlete)
        for name, form in FORMS.items()
    }
    if sent and made[sent].is_valid():
        try:
            messages.success(request, retold(made[sent].keep()))
        except plans.Refused as refused:
            made[sent].add_error("calendar" if sent == "file" else None, retold(str(refused)))
        else:
            return HttpResponseRedirect(reverse("plan"))
    sessions = list(plans.planned(athlete)[: PAGE + 1])
    context = {
        "forms": made,
        "goals": plans.goals(athlete),
        "sessions": sessions[:PAGE],
        "is_cut": len(sessions) > PAGE,
        "today": athlete.today(),
    }
    return render(request, "coach/plan.html", context, status=422 if sent or request.method == "POST" else 200)


@require_POST
@for_athlete
def goal_delete(request: AthleteRequest, pk: int) -> HttpResponse:
    get_object_or_404(plans.goals(request.athlete), pk=pk).delete()
    messages.success(request, gettext("Removed the goal."))
    return HttpResponseRedirect(reverse("plan"))


@require_POST
@for_athlete
def planned_delete(request: AthleteRequest, pk: int) -> HttpResponse:
    get_object_or_404(plans.planned(request.athlete), pk=pk).delete()
    messages.success(request, gettext("Removed the session from your plan."))
    return HttpResponseRedirect(reverse("plan"))
