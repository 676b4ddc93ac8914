"""Ways in on the settings page: tokens, made, shown once and revoked; and the watched folder."""

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from coach import folders
from coach import tokens as service
from coach.models import Token
from coach.retelling import retold
from coach.views.access import AthleteRequest, for_athlete


@require_POST
@for_athlete
def token_make(request: AthleteRequest) -> HttpResponse:
    """Show the new token in the answer itself: it is kept nowhere, and so can be shown only now."""
    name = request.POST.get("name", "").strip()
    try:
        if not name:
            raise service.Refused(gettext("Give the token a name, such as the phone that uses it."))
        secret = service.make(request.athlete, name)
    except service.Refused as refusal:
        messages.error(request, retold(str(refusal)))
        return HttpResponseRedirect(f"{reverse('settings')}#tokens")
    there = request.build_absolute_uri(reverse("api_import"))
    response = render(request, "coach/token.html", {"secret": secret, "name": name, "address": there})
    response["Cache-Control"] = "no-store"
    return response


@require_POST
@for_athlete
def token_revoke(request: AthleteRequest, pk: int) -> HttpResponse:
    token = get_object_or_404(Token, athlete=request.athlete, pk=pk)
    token.delete()
    messages.success(request, gettext("Revoked %(name)s. What it handed in stays.") % {"name": token.name})
    return HttpResponseRedirect(f"{reverse('settings')}#tokens")


@require_POST
@for_athlete
def folder_make(request: AthleteRequest) -> HttpResponse:
    if folders.standing(request.athlete) is None:
        raise Http404("No folder is watched here.")
    try:
        folders.make(request.athlete)
        messages.success(request, gettext("Made. It is looked into every minute."))
    except folders.Refused as refusal:
        messages.error(request, retold(str(refusal)))
    return HttpResponseRedirect(f"{reverse('settings')}#watched")
