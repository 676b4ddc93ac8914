"""The doors: sign in, sign out, where to go first, and whether the house stands."""

from collections.abc import Iterator

from django.conf import settings
from django.contrib.auth.views import LoginView, LogoutView
from django.db import InterfaceError, OperationalError, connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from coach.forms import SignInForm
from coach.views.access import in_browser_language
from jobs import api

login = in_browser_language(LoginView.as_view(authentication_form=SignInForm, redirect_authenticated_user=True))
logout = LogoutView.as_view()


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
        return HttpResponse("The database does not answer.\n", status=503, content_type="text/plain")
    return HttpResponse("ok\n", content_type="text/plain")


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Tell a monitor that shows the token how the queue is, in Prometheus' text format; of whom it is, nothing."""
    shown = request.headers.get("Authorization", "").removeprefix("Bearer ").encode(errors="replace")
    if not settings.METRICS_TOKEN or not constant_time_compare(shown, settings.METRICS_TOKEN.encode()):
        return HttpResponse("Not found.\n", status=404, content_type="text/plain")
    registry = CollectorRegistry()
    registry.register(Queue())
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


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
        broken = api.health()
    except (OperationalError, InterfaceError):
        broken = ["The database does not answer."]
    status = 503 if broken else 200
    return HttpResponse("".join(f"{line}\n" for line in broken or ["ok"]), status=status, content_type="text/plain")
