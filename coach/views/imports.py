"""Handing in recordings, and what became of every file."""

from typing import Any

from django.conf import settings
from django.http import FileResponse, Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from coach import imports as service
from coach import originals, uploads
from coach.forms import ImportForm
from coach.models import Athlete, ImportFile, ImportRun, Provenance, Source
from coach.retelling import retold
from coach.views.access import AthleteRequest, for_athlete
from coach.views.letters import tag

Outcome = ImportFile.Outcome
WORDS: dict[str, Any] = {
    Outcome.ASKED: _("to be explained"),
    Outcome.DOUBTED: _("to be answered"),
    Outcome.REFUSED: _("not read"),
    Outcome.WAITING: _("still to read"),
    Outcome.IMPORTED: _("imported"),
    Outcome.JOINED: _("joined with another recording"),
    Outcome.DUPLICATE: _("already there"),
    service.UNPACKED: _("unpacked"),
    Outcome.IGNORED: _("without training"),
}
NEEDS_THE_ATHLETE = (Outcome.ASKED, Outcome.DOUBTED, Outcome.REFUSED)
SHOWN = 12  # imports on the page; each has an address of its own, which names every file
BRIEF = 20  # files of one outcome, where the import is the newest or alone on the page
FEW = 3  # of one outcome, of each import before
AT_ONCE = 60  # files of one import, whose own page shows them all open


@require_http_methods(["GET", "HEAD", "POST"])
@for_athlete
def imports(request: AthleteRequest) -> HttpResponse:
    form = ImportForm(request.POST, request.FILES) if request.method == "POST" else ImportForm()
    status = 200
    if form.is_valid():
        try:
            run = handed_in(request, form)
        except service.REFUSALS as refusal:
            form.add_error("recordings", retold(str(refusal)))
            status = 507 if isinstance(refusal, originals.NoRoom) else 422
        else:
            return HttpResponseRedirect(f"{reverse('imports')}#run-{run.pk}")
    context = page_of(request.athlete) | {"form": form}
    return render(request, "coach/import.html", context, status=422 if form.errors and status == 200 else status)


def handed_in(request: AthleteRequest, form: ImportForm) -> ImportRun:
    arrived = uploads.named(request.athlete, form.cleaned_data["uploads"])
    posted = form.cleaned_data["recordings"]
    if not arrived and not posted:
        raise service.Refused("Choose at least one file.")
    return uploads.hand_in(form.source_of(request.athlete), arrived, posted, by=request.user)


def page_of(athlete: Athlete) -> dict[str, Any]:
    rows = list(ImportRun.objects.filter(source__athlete=athlete).select_related("source__athlete")[:SHOWN])
    runs = [shown(one) for one in service.progress_of(rows, most=BRIEF, few=FEW)]
    note_activities(athlete, [file for run in runs for file in run["progress"].files])
    names = list(Source.objects.filter(athlete=athlete).order_by("name").values_list("name", flat=True))
    return {
        "runs": runs,
        "sources": list(dict.fromkeys([service.FIRST_SOURCE, *names])),
        "first_source": service.FIRST_SOURCE,
        "unfinished": uploads.unfinished(athlete),
        "piece_bytes": settings.UPLOAD_PIECE_BYTES,
        "most_files": settings.UPLOAD_FILES,
        "is_watching": settings.WATCH is not None,
    }


@require_safe
@for_athlete
def import_run(request: AthleteRequest, pk: int) -> HttpResponse:
    """Show one import; to a poll send it when it moved, or 204 (its timer runs on)."""
    most = BRIEF if request.htmx else service.EVERY
    run = shown(service.progress(run_of(request, pk), most=most), opened=not request.htmx)
    if request.htmx and request.GET.get("seen") == run["seen"]:
        return HttpResponse(status=204)
    note_activities(request.athlete, run["progress"].files)
    template = "coach/import_run.html#run" if request.htmx else "coach/import_run.html"
    return render(request, template, run)


@require_POST
@for_athlete
def import_stop(request: AthleteRequest, pk: int) -> HttpResponse:
    service.stop(run_of(request, pk), request.user)
    return acted(request, pk)


@require_POST
@for_athlete
def import_retry(request: AthleteRequest, pk: int) -> HttpResponse:
    service.retry(run_of(request, pk), request.user)
    return acted(request, pk)


@require_safe
@for_athlete
def original(request: AthleteRequest, pk: int) -> FileResponse:
    """Give the bytes back as they came, always as a download."""
    file = get_object_or_404(ImportFile, run__source__athlete=request.athlete, pk=pk)
    try:
        content = service.original(file)
    except FileNotFoundError as missing:
        raise Http404("This file was not kept.") from missing
    return FileResponse(
        content,
        as_attachment=True,
        filename=file.name,
        content_type="application/octet-stream",
    )


def run_of(request: AthleteRequest, pk: int) -> ImportRun:
    return get_object_or_404(
        ImportRun.objects.select_related("source__athlete"), source__athlete=request.athlete, pk=pk
    )


def shown(progress: service.ImportProgress, *, opened: bool = False) -> dict[str, Any]:
    seen = tag(progress.counts, progress.rate_sentence, progress.poll_ms, progress.can_stop)
    found = progress.total - progress.counts.get(service.UNPACKED, 0)
    return {
        "progress": progress,
        "found": found,
        "seen": seen,
        "groups": groups(progress, opened=opened and progress.total <= AT_ONCE),
    }


def note_activities(athlete: Athlete, files: list[ImportFile]) -> None:
    """Give each file the activity that its bytes are in, whichever import brought them first; the first of several."""
    made = Provenance.objects.filter(athlete=athlete, sha256__in={file.sha256 for file in files} - {""})
    found = dict(made.filter(activity__isnull=False).order_by("-session").values_list("sha256", "activity"))
    for file in files:
        file.activity = found.get(file.sha256)  # type: ignore[attr-defined]


def groups(progress: service.ImportProgress, *, opened: bool) -> list[dict[str, Any]]:
    """Sort the files by what became of them, those that need the athlete first and open."""
    sorted_out: dict[str, list[ImportFile]] = {outcome: [] for outcome in WORDS}
    for file in progress.files:
        sorted_out[file.became].append(file)  # type: ignore[attr-defined]
    return [
        {
            "outcome": outcome,
            "words": words,
            "count": progress.counts[outcome],
            "files": sorted_out[outcome],
            "hidden": progress.counts[outcome] - len(sorted_out[outcome]),
            "is_open": opened or outcome in NEEDS_THE_ATHLETE,
        }
        for outcome, words in WORDS.items()
        if sorted_out[outcome]
    ]


def acted(request: AthleteRequest, pk: int) -> HttpResponse:
    if request.htmx:
        run = shown(service.progress(run_of(request, pk), most=BRIEF))
        note_activities(request.athlete, run["progress"].files)
        return render(request, "coach/import_run.html#run", run | {"acted": True})
    return HttpResponseRedirect(f"{reverse('imports')}#run-{pk}")
