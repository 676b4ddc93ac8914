"""The list of activities, newest first, a page at a time."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.template.defaultfilters import date
from django.views.decorators.http import require_safe

from coach.models import Activity
from coach.views.access import AthleteRequest, for_athlete

PAGE = 40
SHOWN = ("started_at", "local_date", "sport", "name", "indoor", "virtual", "timer_s", "distance_m", "load")
MARKS = ("is_race", "is_ignored")


@require_safe
@for_athlete
def activities(request: AthleteRequest) -> HttpResponse:
    """`?before=ID` shows those that started before that one: no page grows slow with its number."""
    rows = Activity.objects.filter(athlete=request.athlete).newest_first().only(*SHOWN, *MARKS)
    last = above(request)
    if last:
        rows = rows.filter(started_at__lte=last.started_at).exclude(started_at=last.started_at, pk__gte=last.pk)
    page = list(rows[: PAGE + 1])
    context = {
        "activities": page[:PAGE],
        "older": page[PAGE - 1].pk if len(page) > PAGE else None,
        "is_first_page": last is None,
        # Put below rows that are shown already, the month that goes on needs no second heading.
        "continued": date(last.local_date, "F Y") if last and request.htmx else "",
    }
    return render(request, "coach/activities.html#rows" if request.htmx else "coach/activities.html", context)


def above(request: AthleteRequest) -> Activity | None:
    """Return the activity that this page comes after; None on the first page."""
    before = request.GET.get("before", "")
    if not before:
        return None
    return get_object_or_404(Activity, athlete=request.athlete, pk=int(before) if before.isdecimal() else 0)
