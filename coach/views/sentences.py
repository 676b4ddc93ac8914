"""A sentence for each session of a source: asking for them, how far they are, and stopping."""

from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from coach import annotating
from coach.models import Source
from coach.views.access import AthleteRequest, for_athlete
from coach.views.sources import own, sentences_of


@require_http_methods(["GET", "HEAD", "POST"])
@for_athlete
def source_sentences(request: AthleteRequest, pk: int) -> HttpResponse:
    """Show how far they are, to a poll only when they moved; a POST asks for those that are missing."""
    source = own(request, pk)
    if request.method == "POST":
        annotating.ask(source, by=request.user)
        return acted(request, source)
    context = sentences_of(source)
    if request.htmx and request.GET.get("seen") == context["sentences_seen"]:
        return HttpResponse(status=204)
    return render(request, "coach/sentences.html#sentences" if request.htmx else "coach/sentences.html", context)


@require_POST
@for_athlete
def source_sentences_stop(request: AthleteRequest, pk: int) -> HttpResponse:
    source = own(request, pk)
    annotating.stop(source, by=request.user)
    return acted(request, source)


def acted(request: AthleteRequest, source: Source) -> HttpResponse:
    if request.htmx:
        return render(request, "coach/sentences.html#sentences", sentences_of(source) | {"acted": True})
    return HttpResponseRedirect(f"{reverse('source', args=[source.pk])}#sentences")
