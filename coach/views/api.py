"""The way in for a phone's automation or a program: a token in place of a session, JSON in place of pages."""

from collections.abc import Callable, Iterator
from functools import wraps
from http import HTTPStatus
from urllib.parse import unquote

from django.conf import settings
from django.http import HttpRequest, JsonResponse, UnreadablePostError
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from coach import arriving, imports, originals, throttle, tokens
from coach.arriving import Arrival
from coach.middleware import CUT, read_form
from coach.models import ImportRun, Token

READ_BYTES = 1024 * 1024
FORM = "multipart/form-data"
NO_FILES = ("application/json", "application/x-www-form-urlencoded")  # what a form or a shortcut sends by mistake
UNSURE = "Send the file itself as the body, with its name in X-File-Name, or a form of the type multipart/form-data."
STATES = {
    "running": "reading",
    "succeeded": "done",
    "partial": "in part",
    "failed": "failed",
    "cancelled": "stopped",
    "interrupted": "stopped",
}


class Refusal(Exception):
    """Nothing was taken in; the status and the sentence say why."""

    def __init__(self, status: HTTPStatus, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


def for_token(view: Callable[..., JsonResponse]) -> Callable[..., JsonResponse]:
    """Give the view the token of the request; every header without a good one gets the same answer."""

    @wraps(view)
    def guarded(request: HttpRequest, **arguments: int) -> JsonResponse:
        if throttle.has_guessed_tokens(request):
            response = refused(HTTPStatus.TOO_MANY_REQUESTS, "Too many wrong tokens came from here. Try again later.")
            response["Retry-After"] = str(int(settings.AXES_COOLOFF_TIME.total_seconds()))
            return response
        given = request.headers.get("Authorization", "")
        token = tokens.bearer(given)
        if token is None:
            throttle.wrong_token(request, given)
            response = refused(HTTPStatus.UNAUTHORIZED, "This token is not known. Make one on the settings page.")
            response["WWW-Authenticate"] = "Bearer"
            return response
        tokens.used(token)
        try:
            return view(request, token, **arguments)
        except Refusal as refusal:
            return refused(refusal.status, str(refusal))

    return guarded


@csrf_exempt
@require_POST
@never_cache
@for_token
def api_import(request: HttpRequest, token: Token) -> JsonResponse:
    """Take the file, or files, in."""
    if tokens.is_spent(token):
        most = f"A token begins at most {tokens.MOST_RUNS} imports an hour. Try again later."
        raise Refusal(HTTPStatus.TOO_MANY_REQUESTS, most)
    try:
        arrivals = posted(request) if request.content_type == FORM else [body(request)]
        run = imports.receive(tokens.source_of(token), arrivals, by=None, way=ImportRun.Way.TOKEN)
    except UnreadablePostError as error:
        raise Refusal(HTTPStatus.BAD_REQUEST, CUT) from error
    except imports.Refused as error:
        raise Refusal(HTTPStatus.UNPROCESSABLE_ENTITY, str(error)) from error
    except originals.NoRoom as error:
        raise Refusal(HTTPStatus.INSUFFICIENT_STORAGE, str(error)) from error
    there = request.build_absolute_uri(reverse("api_import_run", args=[run.pk]))
    return JsonResponse({"id": run.pk, "status": there}, status=HTTPStatus.CREATED, headers={"Location": there})


@csrf_exempt
@require_safe
@never_cache
@for_token
def api_import_run(request: HttpRequest, token: Token, pk: int) -> JsonResponse:
    """Say what became of every file of one import that came in by this token."""
    run = tokens.runs_of(token).filter(pk=pk).first()
    if run is None:
        raise Refusal(HTTPStatus.NOT_FOUND, "There is no such import of this token.")
    progress = imports.progress(run)
    state = STATES.get(progress.ticket.status, "waiting") if progress.ticket else "failed"
    files = [
        {"name": file.name, "size": file.size, "outcome": file.outcome, "sentence": file.sentence}
        for file in progress.files
    ]
    answer = {"id": run.pk, "state": state, "done": progress.done, "total": progress.total, "files": files}
    return JsonResponse({**answer, "sentence": progress.rate_sentence})


def posted(request: HttpRequest) -> list[Arrival]:
    """Return the files of a form, whatever its fields are called."""
    wrong = read_form(request)
    if wrong:
        raise Refusal(HTTPStatus(wrong[0]), wrong[1])
    return [arriving.posted(file) for _, files in request.FILES.lists() for file in files]


def body(request: HttpRequest) -> Arrival:
    """Return the body as a file; raises Refusal when it cannot be one."""
    name = text_of(request.headers.get("X-File-Name", "")) or request.GET.get("name", "")
    length = request.headers.get("Content-Length", "")
    if request.headers.get("Content-Encoding", "identity") != "identity":
        raise Refusal(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "Send the file as it is, without a Content-Encoding.")
    if request.content_type in NO_FILES and not name:
        raise Refusal(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, UNSURE)
    if "Transfer-Encoding" in request.headers and not length:
        raise Refusal(HTTPStatus.LENGTH_REQUIRED, "Say how long the file is (Content-Length).")
    size = int(length) if length.isdecimal() else 0
    if not size:
        raise Refusal(HTTPStatus.UNPROCESSABLE_ENTITY, f"No file came. {UNSURE}")
    first = b"" if size > settings.UPLOAD_ARCHIVE_BYTES else request.read(READ_BYTES)
    too_large = arriving.refusal(size, lambda: first[: arriving.HEAD_BYTES])
    if too_large:
        raise Refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, too_large)
    return Arrival(
        name=name or "(no name)",
        size=size,
        head=lambda: first[: arriving.HEAD_BYTES],
        keep=lambda: originals.keep(pieces(request, first)),
    )


def text_of(header: str) -> str:
    """Read a header that holds percent signs or, as phones send it, plain UTF-8."""
    return unquote(header.encode("latin-1", errors="replace").decode(errors="replace"), errors="replace")


def pieces(request: HttpRequest, first: bytes) -> Iterator[bytes]:
    piece = first
    while piece:
        yield piece
        piece = request.read(READ_BYTES)


def refused(status: HTTPStatus, sentence: str) -> JsonResponse:
    return JsonResponse({"sentence": sentence}, status=status)
