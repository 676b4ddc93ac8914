"""The second step at the sign-in of staff: giving a code, setting codes up, taking them away."""

from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from coach import second_step as service
from coach.door_forms import CodeForm, RemoveForm
from coach.views.access import in_browser_language

WRONG = _("This code is not right, or was used already. Wait a moment, then give a new one.")
EARLY_OR_LATE = _("This is not the code of this moment. Look at the clock of the phone, then try again.")
BACKEND = "coach.signing_in.WithAthlete"


def to_second_step(there: str) -> HttpResponse:
    return HttpResponseRedirect(f"{reverse('second_step')}?{urlencode({'next': there})}")


def there_of(request: HttpRequest) -> str:
    """Return where to go afterwards: an address of this site, whatever was asked for."""
    return LoginView().get_redirect_url(request) or reverse(settings.LOGIN_REDIRECT_URL)


@sensitive_post_parameters("code")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@in_browser_language
def second_step(request: HttpRequest) -> HttpResponseBase:
    """Ask for a code: of somebody whose password was right, or whose session is older than the second step."""
    user = request.user if request.user.is_authenticated else service.pending(request)
    if not isinstance(user, User) or not service.is_set_up(user):
        return redirect("login")
    form = CodeForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        device = service.verify(user, form.cleaned_data["code"])
        if device is not None:
            user.otp_device = device  # type: ignore[attr-defined]  # django-otp puts it into the session
            service.end(request)
            login(request, user, backend=BACKEND)
            return HttpResponseRedirect(there_of(request))
        form.add_error("code", WRONG)
    context = {"form": form, "next": there_of(request)}
    return render(request, "registration/second_step.html", context, status=422 if form.errors else 200)


@sensitive_post_parameters("code")
@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@in_browser_language
def second_step_setup(request: HttpRequest) -> HttpResponse:
    """Show the secret as a picture until a code proves that the phone has it, then the codes for a lost phone."""
    user = of_staff(request)
    if service.is_set_up(user):
        return shown(request, RemoveForm(request=request))
    form = CodeForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        device = service.confirm(user, form.cleaned_data["code"])
        if device is not None:
            return with_codes(request, user, device)
        form.add_error("code", EARLY_OR_LATE)
    device = service.proposed(user)
    context = {"form": form, "picture": service.picture(device), "secret": service.secret_of(device)}
    return render(request, "registration/second_step_setup.html", context, status=422 if form.errors else 200)


def with_codes(request: HttpRequest, user: User, device: object) -> HttpResponse:
    """Show the codes for a lost phone in the answer itself: they are kept nowhere, and so can be shown only now."""
    user.otp_device = device  # type: ignore[attr-defined]
    login(request, user, backend=BACKEND)
    context = {"codes": service.new_codes(user), "next": there_of(request)}
    response = render(request, "registration/second_step_codes.html", context)
    response["Cache-Control"] = "no-store"
    return response


@sensitive_post_parameters("code", "password")
@never_cache
@login_required
@require_POST
@in_browser_language
def second_step_remove(request: HttpRequest) -> HttpResponse:
    """Take the second step away from oneself, for another phone or for good; asks for both steps once more."""
    user = of_staff(request)
    form = RemoveForm(request.POST, request=request)
    if form.is_valid() and service.verify(user, form.cleaned_data["code"]) is None:
        form.add_error("code", WRONG)
    if not form.is_valid():
        return shown(request, form)
    service.remove(user)
    messages.success(request, gettext("The second step is taken away. Your password alone lets you in."))
    return redirect("second_step_setup")


def shown(request: HttpRequest, form: RemoveForm) -> HttpResponse:
    context = {"form": form, "left": service.codes_left(of_staff(request))}
    return render(request, "registration/second_step_there.html", context, status=422 if form.errors else 200)


def of_staff(request: HttpRequest) -> User:
    if not isinstance(request.user, User) or not service.is_offered(request.user):
        raise PermissionDenied
    return request.user
