"""The body screen, and the weights that are typed in on it."""

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST

from coach import weights as service
from coach.views.access import AthleteRequest, for_athlete
from coach.views.screens import facts_of, screen
from coach.weight_form import WeightForm

SHOWN = 10  # of what was typed in


@require_http_methods(["GET", "HEAD", "POST"])
@for_athlete
def body(request: AthleteRequest) -> HttpResponse:
    athlete = request.athlete
    form = WeightForm(request.POST if request.method == "POST" else None, athlete=athlete)
    if form.is_bound and form.is_valid():
        messages.success(request, form.save())
        return HttpResponseRedirect(reverse("body"))
    return screen(
        request,
        "coach/body.html",
        facts_of(athlete, "body", "current"),
        status=422 if form.errors else 200,
        form=form,
        typed=list(service.typed(athlete)[:SHOWN]),
    )


@require_POST
@for_athlete
def weight_delete(request: AthleteRequest, pk: int) -> HttpResponse:
    row = get_object_or_404(service.typed(request.athlete), pk=pk)
    service.remove(row)
    messages.success(request, gettext("Removed the weight. The trend is made of the others."))
    return HttpResponseRedirect(reverse("body"))
