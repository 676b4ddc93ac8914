"""The doors: sign in, sign out, where to go first, and whether the house stands."""

from django.contrib.auth.views import LoginView, LogoutView
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from coach.forms import SignInForm

login = LoginView.as_view(authentication_form=SignInForm, redirect_authenticated_user=True)
logout = LogoutView.as_view()


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    return redirect("week")


@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """Answer ok when the database answers; for load balancers and monitors."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return HttpResponse("ok\n", content_type="text/plain")
