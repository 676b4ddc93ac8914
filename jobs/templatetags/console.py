"""The picture of the machine, and the line of places, for the admin's pages."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import template
from django.apps import apps
from django.template import RequestContext

from jobs.console import history, machine, throughput
from jobs.models import Audit

register = template.Library()

ORDER = ("Job", "Pool", "Seat", "Lane", "Worker", "Attempt", "Audit")


@register.simple_tag
def picture(user: Any) -> machine.Machine | None:
    """Return the machine for staff who may see pools and jobs; nothing for others."""
    return machine.whole() if user.has_perms(["jobs.view_pool", "jobs.view_job"]) else None


@register.simple_tag
def throughput_charts() -> tuple[throughput.Chart, ...]:
    return throughput.charts()


@register.simple_tag(takes_context=True)
def refresher(context: RequestContext) -> str:
    """Return the script that keeps a page as things are; where django-htmx is not installed, nothing."""
    if not apps.is_installed("django_htmx"):
        return ""
    from django_htmx.jinja import htmx_script

    return htmx_script(nonce=context.get("csp_nonce"))


@register.simple_tag(takes_context=True)
def places(context: RequestContext) -> list[dict[str, Any]]:
    """Return the pages of the queue that this person may see, the one that is open marked."""
    installed: Iterable[Mapping[str, Any]] = context.get("available_apps") or ()
    path = context["request"].path
    found = [app for app in installed if app["app_label"] == "jobs"]
    shown = [{"name": "Overview", "url": app["app_url"], "open": path == app["app_url"]} for app in found]
    models = [model for app in found for model in app["models"] if model["object_name"] in ORDER and model["admin_url"]]
    for model in sorted(models, key=lambda model: ORDER.index(model["object_name"])):
        url = model["admin_url"]
        shown.append({"name": model["name"], "url": url, "open": path.startswith(url)})
    return shown


@register.filter
def changes(entry: Audit) -> str:
    return history.changes(entry)
