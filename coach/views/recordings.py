"""What activities are made of: splitting, joining, answering doubts, and taking an import back."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from coach import deciding, origins
from coach import undo as undoing
from coach.forms import BeganForm
from coach.models import Activity, Doubt, ImportRun, Provenance
from coach.retelling import retold
from coach.views.access import AthleteRequest, for_athlete
from jobs import api

SHOWN = 20
JOINED = _("They are one activity now. Whatever comes in later keeps to that.")
SPLIT = _("It is an activity of its own now. Whatever comes in later keeps to that.")
ANSWERED = _("Thank you. That holds from now on, also when the file comes in again.")


@require_POST
@for_athlete
def split(request: AthleteRequest, pk: int) -> HttpResponse:
    row = get_object_or_404(Provenance.objects.select_related("athlete"), athlete=request.athlete, pk=pk)
    back = reverse("activity", args=[row.activity_id]) if row.activity_id else reverse("doubts")
    return decided(request, lambda: deciding.split(row), back=back, done=SPLIT)


@require_http_methods(["GET", "HEAD", "POST"])
@for_athlete
def join(request: AthleteRequest, pk: int) -> HttpResponse:
    """Choose among the activities of those days; a POST joins with the chosen one."""
    activity = get_object_or_404(Activity, athlete=request.athlete, pk=pk)
    there = origins.near(activity)
    if request.method != "POST":
        return render(request, "coach/join.html", {"activity": activity, "near": there})
    chosen = next((row for row in there if str(row.pk) == request.POST.get("with")), None)
    if chosen is None:
        context = {"activity": activity, "near": there, "error": gettext("Choose the activity to join it with.")}
        return render(request, "coach/join.html", context, status=422)
    return decided(request, lambda: deciding.join(activity, chosen), back=reverse("join", args=[pk]), done=JOINED)


@require_safe
@for_athlete
def doubts(request: AthleteRequest) -> HttpResponse:
    return render(request, "coach/doubts.html", asked(request))


@require_POST
@for_athlete
def doubt_answer(request: AthleteRequest, pk: int) -> HttpResponse:
    rows = Doubt.objects.select_related("provenance__athlete", "athlete")
    doubt = get_object_or_404(rows, athlete=request.athlete, pk=pk)
    if doubt.kind == Doubt.Kind.DATE:
        form = BeganForm(request.POST)
        if not form.is_valid():
            sentence = " ".join(str(error) for errors in form.errors.values() for error in errors)
            return render(request, "coach/doubts.html", asked(request) | {"wrong": pk, "error": sentence}, status=422)
        return decided(request, lambda: deciding.date(doubt, form.cleaned_data["began"]), back=reverse("doubts"))
    said = request.POST.get("answer")
    if said not in (deciding.SAME, deciding.DIFFERENT):
        context = asked(request) | {"wrong": pk, "error": gettext("Choose one of the two answers.")}
        return render(request, "coach/doubts.html", context, status=422)
    return decided(request, lambda: deciding.answer(doubt, same=said == deciding.SAME), back=reverse("doubts"))


@require_http_methods(["GET", "HEAD", "POST"])
@for_athlete
def undo(request: AthleteRequest, pk: int) -> HttpResponse:
    """Say what goes, ask once more, then show how far it is."""
    run = ImportRun.objects.select_related("source__athlete").filter(source__athlete=request.athlete, pk=pk).first()
    if run is None:
        return gone(request, pk)
    if request.method == "POST":
        undoing.ask(run, request.user)
        return HttpResponseRedirect(reverse("undo", args=[pk]))
    ticket = undoing.ticket(run)
    activities = Activity.objects.filter(provenance__file__run=run).distinct().count()
    context = {"run": run, "files": run.files.count(), "activities": activities, "ticket": ticket}
    return render(request, "coach/undo.html#undo" if request.htmx else "coach/undo.html", context)


def gone(request: AthleteRequest, pk: int) -> HttpResponse:
    """Say that an import of this athlete is undone; of anybody else's there is nothing."""
    ticket = api.ticket(undoing.KIND, request.athlete.owner, f"{undoing.IMPORT}/{pk}")
    if ticket is None:
        return render(request, "404.html", status=404)
    return render(request, "coach/undo.html#undo" if request.htmx else "coach/undo.html", {"ticket": ticket})


def decided(
    request: AthleteRequest, decide: Callable[[], int | None], *, back: str, done: object = ANSWERED
) -> HttpResponse:
    """Do it; when something is at work on a source, say what, change nothing, and let it be tried again."""
    try:
        activity = decide()
    except api.LaneBusy as busy:
        return render(request, "coach/busy.html", {"holder": busy.holder, "back": back}, status=409)
    except deciding.Refused as refusal:
        messages.error(request, retold(str(refusal)))
        return HttpResponseRedirect(back)
    messages.success(request, str(done))  # it is kept when the language is gone
    return HttpResponseRedirect(reverse("activity", args=[activity]) if activity else back)


def asked(request: AthleteRequest) -> dict[str, object]:
    found = Doubt.objects.open().filter(athlete=request.athlete)
    count = found.count()
    return {"questions": origins.questions(found)[:SHOWN], "count": count, "more": max(count - SHOWN, 0)}
