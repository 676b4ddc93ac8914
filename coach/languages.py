"""Which language to answer in: the athlete's own, and that of the browser while nobody knows who asks."""

from django.http import HttpRequest
from django.utils import translation


def of(request: HttpRequest) -> str:
    athlete = getattr(request, "athlete", None)
    return str(athlete.language) if athlete else translation.get_language_from_request(request)
