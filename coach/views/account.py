"""The account: everything as one download, and the end of it."""

from django.contrib import messages
from django.contrib.auth import logout
from django.http import FileResponse, Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from coach import accounts, exports, second_step
from coach.door_forms import FarewellForm
from coach.models import Export
from coach.retelling import retold
from coach.views.access import AthleteRequest, for_athlete
from coach.views.letters import tag

POLL_MS = 2000


@require_safe
@for_athlete
def account(request: AthleteRequest) -> HttpResponse:
    """Show the exports; to a poll send them when they moved, or 204."""
    context = shown(request)
    if request.htmx and request.GET.get("seen") == context["seen"]:
        return HttpResponse(status=204)
    template = "coach/account.html#exports" if request.htmx else "coach/account.html"
    return render(request, template, context | {"form": FarewellForm(request=request)})


@require_POST
@for_athlete
def account_export(request: AthleteRequest) -> HttpResponse:
    exports.ask(request.athlete)
    return HttpResponseRedirect(reverse("account"))


@require_safe
@for_athlete
def account_download(request: AthleteRequest, pk: str) -> FileResponse:
    export = get_object_or_404(Export, athlete=request.athlete, pk=pk, size__isnull=False)
    try:
        content = exports.opened(export)
    except FileNotFoundError as missing:
        raise Http404("This export is no longer kept. Ask for a new one.") from missing
    name = f"coach-{export.created_at:%Y-%m-%d}.zip"
    return FileResponse(content, as_attachment=True, filename=name, content_type="application/zip")


@sensitive_post_parameters("password")
@require_http_methods(["POST"])
@for_athlete
def account_delete(request: AthleteRequest) -> HttpResponse:
    form = FarewellForm(request.POST, request=request)
    if form.is_valid():
        try:
            accounts.close(request.athlete)
        except accounts.Refused as refusal:
            form.add_error(None, retold(str(refusal)))
        else:
            logout(request)
            messages.success(request, gettext("Your account is closed, and everything in it is being deleted."))
            return HttpResponseRedirect(reverse("login"))
    return render(request, "coach/account.html", shown(request) | {"form": form}, status=422)


def shown(request: AthleteRequest) -> dict[str, object]:
    ticket = exports.ticket(request.athlete)
    active = bool(ticket and ticket.is_active)
    ready = exports.ready(request.athlete)
    seen = tag(active, ticket and (ticket.status, ticket.progress, ticket.sentence), [one.pk for one in ready])
    return {
        "second_step_is_offered": second_step.is_offered(request.user),
        "ticket": ticket,
        "active": active,
        "ready": ready,
        "seen": seen,
        "poll_ms": POLL_MS if active else None,
    }
