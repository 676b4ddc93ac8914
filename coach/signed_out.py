"""What stands in place of a part of a page that somebody who is signed out asked for."""

from typing import cast

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django_htmx.middleware import HtmxDetails

from coach import languages


def signed_out_part(request: HttpRequest) -> HttpResponse:
    """Say so, with nothing in it that polls on; the link leads back to the page."""
    try:
        back = cast(HtmxDetails, request.htmx).current_url_abs_path or "/"  # type: ignore[attr-defined]
    except ValueError:  # no address at all
        back = "/"
    with translation.override(languages.of(request)):
        return render(request, "coach/signed_out.html", {"back": back})
