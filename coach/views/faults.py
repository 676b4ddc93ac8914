"""The pages of what went wrong, in the language of whoever looks at them."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation

from coach import languages


def page(template: str, status: int) -> Callable[..., HttpResponse]:
    """Return a view that says what went wrong; whatever it is told of the cause is not for show."""

    def fault(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        with translation.override(languages.of(request)):
            return render(request, template, status=status)

    return fault


not_accepted = page("400.html", 400)
not_allowed = page("403.html", 403)
not_sent = page("403_csrf.html", 403)
nowhere = page("404.html", 404)
gone = page("coach/gone.html", 200)
broken = page("500.html", 500)


def not_found(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
    """Say so; to an open page that asks for a part of itself in a part that asks no more."""
    is_part = request.method in ("GET", "HEAD") and getattr(request, "htmx", None)
    return gone(request) if is_part else nowhere(request)
