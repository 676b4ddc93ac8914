"""What the athlete says about a session: the form stands on its page, and is sent here."""

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from coach import remarks
from coach.views.access import AthleteRequest, for_athlete
from coach.views.screens import activity_page

SAVED = _("Saved. Your word counts before what was computed, and it holds when the file comes in again.")


@require_POST
@for_athlete
def activity_remarks(request: AthleteRequest, pk: int) -> HttpResponse:
    page = activity_page(request, pk, said=request.POST)
    if not page.form.is_valid():
        return page.response(status=422)
    try:
        remarks.say(request.athlete, pk, page.form.values())
    except remarks.Gone as gone:
        raise Http404(str(gone)) from gone
    messages.success(request, str(SAVED))
    return HttpResponseRedirect(reverse("activity", args=[pk]))
