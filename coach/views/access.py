"""Who may see a page: the signed-in athlete, and only rows of their own."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, cast
from zoneinfo import ZoneInfo

from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template.response import TemplateResponse
from django.utils import timezone, translation
from django.utils.cache import patch_cache_control, patch_vary_headers
from django_htmx.middleware import HtmxDetails

from coach import languages
from coach.models import Athlete
from coach.signed_out import signed_out_part


class AthleteRequest(HttpRequest):
    """A request that `for_athlete` let through."""

    athlete: Athlete
    htmx: HtmxDetails
    user: User


type View[**P] = Callable[Concatenate[AthleteRequest, P], HttpResponseBase]


def for_athlete[**P](view: View[P]) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
    """Give the view `request.athlete`; send strangers to the sign-in page and staff without one to a page."""

    @wraps(view)
    def guarded(plain: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        request = cast(AthleteRequest, plain)
        if not request.user.is_authenticated:
            response: HttpResponseBase = signed_out(request)
        else:
            athlete: Athlete | None = getattr(request.user, "athlete", None)  # it came with the person
            if athlete is None:
                with translation.override(languages.of(request)):
                    response = render(request, "coach/no_athlete.html", status=200 if request.user.is_staff else 403)
            else:
                request.athlete = athlete
                with timezone.override(ZoneInfo(athlete.time_zone)), translation.override(athlete.language):
                    response = view(request, *args, **kwargs)
        patch_vary_headers(response, ["HX-Request"])
        patch_cache_control(response, private=True, no_cache=True)
        return response

    return guarded


def in_browser_language[**P](
    view: Callable[Concatenate[HttpRequest, P], HttpResponseBase],
) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
    """Answer an athlete in their language, a stranger in the one that the browser asks for: nothing else is known."""

    @wraps(view)
    def spoken(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        with translation.override(languages.of_reader(request)):
            response = view(request, *args, **kwargs)
            if isinstance(response, TemplateResponse):
                response.render()  # it would be put off until the language is gone
        patch_vary_headers(response, ["Accept-Language"])
        return response

    return spoken


def signed_out(request: AthleteRequest) -> HttpResponse:
    """Ask to sign in; in place of a fragment say so, with nothing in it that polls on."""
    return signed_out_part(request) if request.htmx else redirect_to_login(request.get_full_path())
