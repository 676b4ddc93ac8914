"""Which language to answer in: the athlete's own, and that of the browser while nobody knows who asks."""

from django.http import HttpRequest
from django.utils import translation

from coach.models import Athlete


def of(request: HttpRequest) -> str:
    """Return the language without asking the database: it may be what is broken."""
    athlete = getattr(request, "athlete", None)
    return str(athlete.language) if athlete else translation.get_language_from_request(request)


def of_reader(request: HttpRequest) -> str:
    """Return the language of whoever is signed in; one query."""
    if not request.user.is_authenticated:
        return of(request)
    kept = Athlete.objects.filter(user=request.user.pk).values_list("language", flat=True).first()
    return kept or of(request)
