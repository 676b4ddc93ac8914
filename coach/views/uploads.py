"""Files that come in pieces: an address for each, how far it is, and the next piece.

POST makes the address (Upload-Length, Upload-Name; a small file may be the body), HEAD and GET say how far it is
(Upload-Offset), PATCH goes on from there. 409 says where to go on when a piece does not fit, and that somebody else
sends right now: ask again before the next piece.
"""

from collections.abc import Iterator
from http import HTTPStatus
from urllib.parse import unquote
from uuid import UUID

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse, UnreadablePostError
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST

from coach import originals
from coach import uploads as service
from coach.models import Upload
from coach.retelling import retold
from coach.views.access import AthleteRequest, for_athlete

READ_BYTES = 64 * 1024
GONE = _("This upload is no longer here. Choose the file again.")


@require_POST
@for_athlete
def uploads(request: AthleteRequest) -> HttpResponse:
    size = whole(request.headers.get("Upload-Length"))
    if size is None:
        return refused(HTTPStatus.BAD_REQUEST, "Upload-Length must say how many bytes the file has.")
    name = unquote(request.headers.get("Upload-Name", ""), errors="replace")
    try:
        upload = service.begin(request.athlete, name=name, size=size)
    except (service.Refused, originals.NoRoom) as refusal:
        return refused(status_of(refusal), str(refusal))
    if whole(request.headers.get("Content-Length")):
        response = gone_on(request, upload, offset=0)
        if response.status_code >= HTTPStatus.BAD_REQUEST:
            service.discard(upload)  # nobody has been told its address
            return response
    response = standing(upload, HTTPStatus.CREATED)
    response["Location"] = reverse("upload", args=[upload.pk])
    return response


@require_http_methods(["GET", "HEAD", "PATCH"])
@for_athlete
def upload(request: AthleteRequest, pk: UUID) -> HttpResponse:
    mine = service.unfinished(request.athlete).filter(pk=pk)
    found = mine.first()
    if found is None:
        return refused(HTTPStatus.NOT_FOUND, GONE)
    if request.method != "PATCH":
        busy = service.is_busy(found)
        return standing(mine.first() or found, HTTPStatus.CONFLICT if busy else HTTPStatus.OK)
    offset = whole(request.headers.get("Upload-Offset"))
    if offset is None:
        return refused(HTTPStatus.BAD_REQUEST, "Upload-Offset must say where in the file this piece begins.")
    return gone_on(request, found, offset=offset)


@require_POST
@for_athlete
def upload_discard(request: AthleteRequest, pk: UUID) -> HttpResponse:
    service.discard(get_object_or_404(service.unfinished(request.athlete), pk=pk))
    return HttpResponseRedirect(reverse("imports"))


def gone_on(request: AthleteRequest, upload: Upload, *, offset: int) -> HttpResponse:
    try:
        service.append(upload, pieces(request), offset=offset)
    except UnreadablePostError:
        return standing(upload, HTTPStatus.BAD_REQUEST)  # whoever sent it is gone; what came is kept
    except service.Elsewhere:
        return standing(upload, HTTPStatus.CONFLICT)
    except service.Gone:
        return refused(HTTPStatus.NOT_FOUND, GONE)
    except (service.Refused, originals.NoRoom) as refusal:
        return refused(status_of(refusal), str(refusal))
    return standing(upload, HTTPStatus.NO_CONTENT)


def pieces(request: HttpRequest) -> Iterator[bytes]:
    while piece := request.read(READ_BYTES):
        yield piece


def standing(upload: Upload, status: HTTPStatus) -> HttpResponse:
    """Say how far the file is."""
    response = HttpResponse(status=status)
    response["Upload-Offset"] = str(upload.received)
    response["Upload-Length"] = str(upload.size)
    response["Cache-Control"] = "no-store"
    return response


def status_of(refusal: Exception) -> HTTPStatus:
    if isinstance(refusal, originals.NoRoom):
        return HTTPStatus.INSUFFICIENT_STORAGE
    too_large = isinstance(refusal, service.TooLarge)
    return HTTPStatus.REQUEST_ENTITY_TOO_LARGE if too_large else HTTPStatus.UNPROCESSABLE_ENTITY


def refused(status: HTTPStatus, sentence: object) -> JsonResponse:
    return JsonResponse({"sentence": retold(str(sentence))}, status=status)


def whole(text: str | None) -> int | None:
    """Read a number of bytes; None when it is none."""
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) < 19 else None
