"""A closer look at a part of the streams of a session, as JSON for the script of its page."""

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from django.views.decorators.http import require_safe

from coach.models import Activity
from coach.scopes.activity import closer
from coach.templatetags.drawing import streams
from coach.views.access import AthleteRequest, for_athlete

LEAST_SECONDS, MOST_SECONDS = 10, 10**8
NOTHING = "This session has no samples in that part."


@require_safe
@for_athlete
def activity_closer(request: AthleteRequest, pk: int) -> HttpResponse:
    """Draw the seconds `from` to `to`; a browser that has them already is told so before any sample is read."""
    activity = get_object_or_404(Activity, athlete=request.athlete, pk=pk)
    part = asked_for(request)
    etag = quote_etag(f"{closer.fingerprint(activity, request.athlete)}-{part[0]:g}-{part[1]:g}")
    known = get_conditional_response(request, etag=etag)
    if known is not None:
        return known
    drawn = streams.closer(closer.closer(activity, request.athlete, part=part) or {})
    if drawn is None:
        raise Http404(NOTHING)
    return JsonResponse(drawn, headers={"ETag": etag})


def asked_for(request: HttpRequest) -> tuple[float, float]:
    """Return the part that was asked for, in seconds; 404 for what is no part."""
    try:
        first, last = (int(request.GET[name]) for name in ("from", "to"))
    except (KeyError, ValueError):
        raise Http404(NOTHING) from None
    if first < 0 or last > MOST_SECONDS or last - first < LEAST_SECONDS:
        raise Http404(NOTHING)
    return float(first), float(last)
