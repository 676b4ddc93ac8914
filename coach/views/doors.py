"""The doors: sign in, sign out, where to go first, and whether the house stands."""

from collections.abc import Iterator
from math import ceil
from typing import Any

from django.conf import settings
from django.contrib.auth.views import LoginView, LogoutView
from django.db import InterfaceError, OperationalError, ProgrammingError, connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from coach import second_step, standing, throttle
from coach.door_forms import SignInForm
from coach.signed_out import signed_out_part
from coach.views.access import in_browser_language
from coach.views.steps import to_second_step
from jobs import api

AWAY = "The database does not answer."


class SignIn(LoginView):
    """Asks for name and password; of whom a second step is asked, that comes next."""

    authentication_form = SignInForm
    redirect_authenticated_user = True

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """A poll that was sent here was one of somebody who is signed out: its part of the page says so."""
        if "HX-Request" in request.headers:
            return signed_out_part(request)
        return super().dispatch(request, *args, **kwargs)

    def form_valid(self, form: Any) -> HttpResponse:
        user = form.get_user()
        if second_step.is_set_up(user):
            second_step.begin(self.request, user)
            return to_second_step(self.get_success_url())
        return super().form_valid(form)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs, may_sign_up=settings.SIGN_UP and settings.MAIL)


login = in_browser_language(SignIn.as_view())
logout = LogoutView.as_view()


def locked(request: HttpRequest, response: HttpResponse | None, credentials: dict[str, Any] | None) -> HttpResponse:
    """Answer whoever gave too many wrong passwords; django-axes puts this in place of the answer."""
    seconds = throttle.seconds_left(request, (credentials or {}).get("username") or "")

    @in_browser_language
    def told(request: HttpRequest) -> HttpResponse:
        return render(request, "registration/locked.html", {"minutes": ceil(seconds / 60)}, status=429)

    answer = told(request)
    answer["Retry-After"] = str(seconds)
    return answer  # type: ignore[return-value]


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    return redirect("today")


@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """Answer ok when the database answers; for load balancers."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except (OperationalError, InterfaceError):
        return HttpResponse(f"{AWAY}\n", status=503, content_type="text/plain")
    return HttpResponse("ok\n", content_type="text/plain")


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Tell a monitor that shows the token how the queue is, in Prometheus' text format; of whom it is, nothing."""
    shown = request.headers.get("Authorization", "").removeprefix("Bearer ").encode(errors="replace")
    if not settings.METRICS_TOKEN or not constant_time_compare(shown, settings.METRICS_TOKEN.encode()):
        return HttpResponse("Not found.\n", status=404, content_type="text/plain")
    registry = CollectorRegistry()
    try:
        registry.register(Queue())
        told = generate_latest(registry)
    except (OperationalError, InterfaceError):
        return HttpResponse(f"{AWAY}\n", status=503, content_type="text/plain")
    except ProgrammingError:
        return HttpResponse(f"{standing.OLD_TABLES}\n", status=503, content_type="text/plain")
    return HttpResponse(told, content_type=CONTENT_TYPE_LATEST)


class Queue(Collector):
    def collect(self) -> Iterator[GaugeMetricFamily]:
        for gauge in api.gauges():
            labels = list(gauge.values[0][0]) if gauge.values else []
            family = GaugeMetricFamily(gauge.name, gauge.help, labels=labels)
            for names, value in gauge.values:
                family.add_metric(list(names.values()), value)
            yield family


@require_safe
@never_cache
def readyz(request: HttpRequest) -> HttpResponse:
    """Answer ok when the queue breaks none of its rules; for monitors. What is broken is named, never whose it is."""
    try:
        broken = standing.troubles() or api.health()
    except (OperationalError, InterfaceError):
        broken = [AWAY]
    except ProgrammingError:
        broken = [standing.OLD_TABLES]
    status = 503 if broken else 200
    return HttpResponse("".join(f"{line}\n" for line in broken or ["ok"]), status=status, content_type="text/plain")
