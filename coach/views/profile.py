"""Settings: the profile and the thresholds, each valid from a day on."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.template.defaultfilters import date
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST

from coach import folders, suggesting, writing
from coach import thresholds as service
from coach.forms import ProfileForm, ThresholdForm
from coach.models import Athlete, Threshold
from coach.templatetags.rows import threshold_called, threshold_value
from coach.views.access import AthleteRequest, for_athlete

AT_THRESHOLDS = "?said=thresholds#thresholds"  # the page is long: back to the place, where the message stands too
LATEST = 4  # thresholds of each kind; the older ones are a link away


@require_http_methods(["GET", "HEAD", "POST"])
@for_athlete
def settings(request: AthleteRequest) -> HttpResponse:
    """Two forms on one page; the button pressed says which one was sent. `?kind=…&from=…` names the one to correct."""
    sent = request.POST if request.method == "POST" else None
    is_threshold = sent is not None and "threshold" in sent
    profile = ProfileForm(None if is_threshold else sent, instance=request.athlete)
    wanted = {"kind": request.GET.get("kind"), "valid_from": request.GET.get("from")}
    threshold = ThresholdForm(sent if is_threshold else None, athlete=request.athlete, initial=wanted)
    form = threshold if is_threshold else profile
    if sent is not None and form.is_valid():
        form.save()
        return saved(request, gettext("Saved."), back=AT_THRESHOLDS if is_threshold else "")
    for name in list(form.errors)[:1]:
        if name in form.fields:
            form.fields[name].widget.attrs["autofocus"] = True  # the page is long: show what is wrong
    context = {
        "profile": profile,
        "threshold": threshold,
        "suggestions": suggesting.open_ones(request.athlete),
        "thresholds": by_kind(request.athlete, whole=request.GET.get("all", "")),
        "tokens": request.athlete.tokens.order_by("name"),
        "writing": writing.of(request.athlete),
        "watched": folders.standing(request.athlete),
    }
    return render(request, "coach/settings.html", context, status=422 if form.errors else 200)


def by_kind(athlete: Athlete, *, whole: str) -> list[dict[str, Any]]:
    """Return the thresholds of each kind, newest first: the latest of them, and all of the kind that is asked for."""
    found: dict[str, list[Threshold]] = {}
    for threshold in athlete.thresholds.all():
        found.setdefault(threshold.kind, []).append(threshold)
    shown = {kind: rows if kind == whole else rows[:LATEST] for kind, rows in found.items()}
    return [
        {"kind": kind, "name": threshold_called(rows[0]), "list": rows, "older": len(found[kind]) - len(rows)}
        for kind, rows in shown.items()
    ]


@require_POST
@for_athlete
def threshold_delete(request: AthleteRequest, pk: int) -> HttpResponse:
    threshold = get_object_or_404(Threshold, athlete=request.athlete, pk=pk)
    threshold.delete()
    gone = {"value": threshold_value(threshold, request.athlete), "day": date(threshold.valid_from, gettext("j F Y"))}
    return saved(request, gettext("Removed %(value)s from %(day)s.") % gone, back=AT_THRESHOLDS)


def saved(request: AthleteRequest, sentence: str, *, back: str) -> HttpResponse:
    """Have the history measured again where that edit asks for it, and say so where the edit was made."""
    if service.changed(request.athlete).is_active:
        again = gettext("Your sessions are being measured again; In line shows how far that is.")
        sentence = f"{sentence} {again}".replace("。 ", "。")
    messages.success(request, sentence)
    return HttpResponseRedirect(f"{reverse('settings')}{back}")
