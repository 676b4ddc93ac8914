"""The list of activities, a page at a time, and the same sessions as a calendar and as a year."""

from urllib.parse import urlencode

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.template.defaultfilters import date
from django.urls import reverse
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_safe

from coach import listing, months
from coach.display import Style, number, show
from coach.list_form import ListForm
from coach.models import Activity
from coach.models.activity import LOOK, ActivityQuerySet
from coach.scopes.terms import style_of
from coach.views.access import AthleteRequest, for_athlete

PAGE = 40
SHOWN = ("local_date", "name", "indoor", "virtual", "is_ignored", *LOOK)
SENTENCE = ("annotation__about", "annotation__text", "annotation__facts")
ASKED = ("name", "sport", "kind", "first", "last", "sort")


@require_safe
@for_athlete
def activities(request: AthleteRequest) -> HttpResponse:
    """`?before=ID` shows those that come after that one in the order that was asked for."""
    sports, kinds = listing.choices(request.athlete)
    form = ListForm(request.GET, sports=sports, kinds=kinds)
    wish = form.wish()
    every = listing.chosen(request.athlete, wish)
    last = above(request)
    rows = listing.after(every, last, wish=wish) if last else every
    page = list(rows.select_related("annotation").only(*SHOWN, *SENTENCE)[: PAGE + 1])
    asked = {name: request.GET[name] for name in ASKED if request.GET.get(name)}
    older = {**asked, "before": page[PAGE - 1].pk} if len(page) > PAGE else None
    context = {
        "activities": page[:PAGE],
        "older": f"{reverse('activities')}?{urlencode(older)}" if older else "",
        "is_first_page": last is None,
        "by_month": not wish.sort,
        # Put below rows that are shown already, the month that goes on needs no second heading.
        "continued": date(last.local_date, gettext("F Y")) if last and request.htmx else "",
    }
    if request.htmx:
        return render(request, "coach/activities.html#rows", context)
    context |= {"form": form, "narrows": wish.narrows, "total": total_of(every, wish, style=style_of(request.athlete))}
    return render(request, "coach/activities.html", context)


def total_of(rows: ActivityQuerySet, wish: listing.Wish, *, style: Style) -> str:
    """Say what the sessions come to; their load only of a choice, as that of a whole history says nothing."""
    count, seconds, load = listing.totals(rows)
    said = ngettext("%(n)s session that counts, %(time)s", "%(n)s sessions that count, %(time)s", count)
    if wish.narrows:
        said = ngettext(
            "%(n)s session that counts, %(time)s, load %(load)s",
            "%(n)s sessions that count, %(time)s, load %(load)s",
            count,
        )
    return said % {"n": count, "time": show("hours", seconds, style=style), "load": number(load)} if count else ""


def above(request: AthleteRequest) -> Activity | None:
    """Return the activity that this page comes after; None on the first page."""
    before = request.GET.get("before", "")
    if not before:
        return None
    pk = int(before) if before.isdecimal() and len(before) < 19 else 0
    return get_object_or_404(Activity, athlete=request.athlete, pk=pk)


@require_safe
@for_athlete
def calendar(request: AthleteRequest, month: str = "") -> HttpResponse:
    try:
        shown = months.month(request.athlete, month)
    except ValueError as wrong:
        raise Http404(str(wrong)) from wrong
    return render(request, "coach/calendar.html", {"month": shown})


@require_safe
@for_athlete
def year(request: AthleteRequest, year: int = 0) -> HttpResponse:
    try:
        shown = months.year(request.athlete, year)
    except ValueError as wrong:
        raise Http404(str(wrong)) from wrong
    return render(request, "coach/year.html", {"year": shown})
