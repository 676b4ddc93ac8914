"""Turns away what no page can mean, names every request, tells browsers what is allowed, lets sessions end."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import unquote

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from django.shortcuts import render
from django.utils import timezone, translation

from coach import languages, logs, originals

type Answer = Callable[[HttpRequest], HttpResponse]
CUT = "It did not arrive wholly, so nothing was kept. Send it again."
SLIDE_BELOW = 0.9  # of the age: not every page writes the session
MANY = "This is too much at once. Hand in fewer files, or a zip of them. Nothing was kept."


def without_nul(answer: Answer) -> Answer:
    """Refuse a NUL in an address: PostgreSQL cannot hold one, so nothing is ever called that."""

    def check(request: HttpRequest) -> HttpResponse:
        if "\0" in request.path or "\0" in unquote(request.META.get("QUERY_STRING", "")):
            return HttpResponseBadRequest("No address here holds a NUL.", content_type="text/plain")
        return answer(request)

    return check


def with_request_id(answer: Answer) -> Answer:
    """Give the request the id that the proxy sends along, or a new one: its log lines and its answer carry it."""

    def name(request: HttpRequest) -> HttpResponse:
        with logs.within(request.headers.get("X-Request-ID", "")) as known:
            response = answer(request)
        response["X-Request-ID"] = known
        return response

    return name


class with_whole_body:  # noqa: N801  (named as what it is in the list of middleware)
    """Read a form before anything else does, and answer with a sentence when it cannot be read."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._answer(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        if getattr(view, "csrf_exempt", False):  # it asks who sends before it reads
            return None
        refused = read_form(request)
        if refused is None:
            return None
        with translation.override(languages.of(request)):
            return render(request, "refused.html", {"sentence": refused[1]}, status=refused[0])


def read_form(request: HttpRequest) -> tuple[int, str] | None:
    """Read what a form sends; when that fails, return the status and the sentence to answer with."""
    try:
        with originals.no_room():
            _ = request.POST
    except (UnreadablePostError, MultiPartParserError):
        request._mark_post_parse_error()  # type: ignore[attr-defined]
        return 400, CUT
    except (TooManyFilesSent, TooManyFieldsSent, RequestDataTooBig):
        request._mark_post_parse_error()  # type: ignore[attr-defined]
        return 413, MANY
    except originals.NoRoom as full:
        request._mark_post_parse_error()  # type: ignore[attr-defined]
        return 507, str(full)
    return None


POWERS = ("accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "magnetometer", "microphone", "usb")
FURTHER = {
    "Permissions-Policy": ", ".join(f"{power}=()" for power in POWERS),
    "Cross-Origin-Resource-Policy": "same-origin",
}


def with_further_headers(answer: Answer) -> Answer:
    """Add what Django has no setting for: no page needs a power of the device, and no other site a page."""

    def tell(request: HttpRequest) -> HttpResponse:
        response = answer(request)
        for name, value in FURTHER.items():
            response.headers.setdefault(name, value)
        return response

    return tell


def sliding_session(answer: Answer) -> Answer:
    """Move the end of a session when somebody opens a page; nothing that a page does by itself moves it.

    The end is a moment, not an age, so that what a poll saves in a session does not move it either.
    """

    def slide(request: HttpRequest) -> HttpResponse:
        response = answer(request)
        if is_opened_by_hand(request) and request.user.is_authenticated:
            age = timedelta(
                seconds=settings.STAFF_SESSION_AGE if request.user.is_staff else settings.SESSION_COOKIE_AGE
            )
            now, end = timezone.now(), request.session.get("_session_expiry")
            left = datetime.fromisoformat(end) - now if isinstance(end, str) else timedelta()
            if not age * SLIDE_BELOW < left <= age:
                request.session.set_expiry(now + age)
        return response

    return slide


def is_opened_by_hand(request: HttpRequest) -> bool:
    """Return whether a browser went to this page; a browser that does not say so is believed, unless htmx asks."""
    mode = request.headers.get("Sec-Fetch-Mode", "navigate")
    return mode == "navigate" and "HX-Request" not in request.headers
