"""Answers to suggested thresholds, from the settings and from the load page."""

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBadRequest, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from coach import suggesting
from coach.models import Suggestion
from coach.views.access import AthleteRequest, for_athlete
from coach.views.profile import AT_THRESHOLDS

TAKEN = _("Taken. It holds from its day on.")
MEASURED = _("Your sessions are being measured again; In line shows how far that is.")
LEFT = _("Left. It is shown again only when a better one comes.")


@require_POST
@for_athlete
def suggestion_answer(request: AthleteRequest, pk: int) -> HttpResponse:
    asked = Suggestion.objects.select_related("athlete").filter(state=Suggestion.State.OPEN)
    suggestion = get_object_or_404(asked, athlete=request.athlete, pk=pk)
    match request.POST.get("answer"):
        case "take":
            said = f"{TAKEN} {MEASURED}".replace("。 ", "。") if suggesting.take(suggestion).is_active else str(TAKEN)
            messages.success(request, said)
        case "leave":
            suggesting.leave(suggestion)
            messages.success(request, str(LEFT))
        case _:
            return HttpResponseBadRequest(gettext("Choose to take it or to leave it."))
    if request.POST.get("back") == "load":
        return HttpResponseRedirect(reverse("load"))
    return HttpResponseRedirect(f"{reverse('settings')}{AT_THRESHOLDS}")
