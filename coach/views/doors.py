"""The doors: sign in, sign out, where to go first, and whether the house stands."""

from datetime import timedelta

from django.contrib.auth.views import LoginView, LogoutView
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from coach.forms import SignInForm
from coach.models import Activity, Athlete
from coach.scopes.calendar import week_of

login = LoginView.as_view(authentication_form=SignInForm, redirect_authenticated_user=True)
logout = LogoutView.as_view()


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Open this week; while nothing is in it yet, the week before, where there is something to read."""
    athlete = Athlete.objects.filter(user=request.user.pk).first()
    if athlete is None:
        return redirect("week")
    today = athlete.today()
    this_week = week_of(today, starts_on=athlete.week_starts_on)
    days = Activity.objects.filter(athlete=athlete).between(today - timedelta(days=13), today)
    weeks = {week_of(day, starts_on=athlete.week_starts_on) for day in days.values_list("local_date", flat=True)}
    return redirect("week", max(weeks)) if weeks and this_week not in weeks else redirect("week")


@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """Answer ok when the database answers; for load balancers and monitors."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return HttpResponse("ok\n", content_type="text/plain")
