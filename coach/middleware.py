"""Turns away what no page can mean."""

from collections.abc import Callable
from urllib.parse import unquote

from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest

type Answer = Callable[[HttpRequest], HttpResponse]


def without_nul(answer: Answer) -> Answer:
    """Refuse a NUL in an address: PostgreSQL cannot hold one, so nothing is ever called that."""

    def check(request: HttpRequest) -> HttpResponse:
        if "\0" in request.path or "\0" in unquote(request.META.get("QUERY_STRING", "")):
            return HttpResponseBadRequest("No address here holds a NUL.", content_type="text/plain")
        return answer(request)

    return check
