"""Coming in: by an invitation, or, where it is switched on, by signing up with a mail address that is confirmed."""

from django.conf import settings
from django.contrib.auth import login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from coach import invites, mails, throttle
from coach.door_forms import MailForm, WelcomeForm
from coach.views.access import in_browser_language
from coach.views.steps import BACKEND

INVITED = "invited"  # in the session: the secret of the link, which then stands in no address that a page passes on


@never_cache
@require_safe
def welcome(request: HttpRequest, secret: str) -> HttpResponse:
    """Take the secret out of the address, and go on without it."""
    request.session[INVITED] = secret
    return redirect("welcome_form")


@sensitive_post_parameters("password1", "password2")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@in_browser_language
def welcome_form(request: HttpRequest) -> HttpResponse:
    """Make the account of somebody who was invited, and sign them in."""
    invite = invites.find(request.session.get(INVITED, ""))
    if invite is None:
        return render(request, "registration/welcome_over.html", status=410)
    initial = {"language": translation.get_language()}
    form = WelcomeForm(request.POST if request.method == "POST" else None, confirmed=invite.email, initial=initial)
    if form.is_valid():
        try:
            user = invites.accept(invite, *form.people())
        except invites.Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            del request.session[INVITED]
            login(request, user, backend=BACKEND)
            return redirect("imports")
    context = {"form": form, "invite": invite}
    return render(request, "registration/welcome.html", context, status=422 if form.errors else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@in_browser_language
def sign_up(request: HttpRequest) -> HttpResponse:
    """Have a link sent to an address. The answer is the same whether or not there is an account already."""
    if not (settings.SIGN_UP and settings.MAIL):
        raise Http404("Nobody signs up here.")
    return asked_for_letter(request, mails.SIGN_UP, "registration/sign_up.html")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@in_browser_language
def password_reset(request: HttpRequest) -> HttpResponse:
    """Have a link for a new password sent; without a mail server say who can make one."""
    return asked_for_letter(request, mails.RESET, "registration/password_reset_form.html")


def asked_for_letter(request: HttpRequest, about: str, template: str) -> HttpResponse:
    form = MailForm(request.POST if request.method == "POST" else None)
    context = {"form": form, "can_send": settings.MAIL}
    if not settings.MAIL or not form.is_valid():
        return render(request, template, context, status=422 if form.errors and settings.MAIL else 200)
    if not throttle.may_ask(request):
        context["too_many"] = True
        return render(request, template, context, status=429)
    email = form.cleaned_data["email"]
    if throttle.may_send(request, email):
        site = request.build_absolute_uri("/").rstrip("/")
        mails.ask(about, email, site=site, language=translation.get_language() or settings.LANGUAGE_CODE)
    return render(request, "registration/letter_sent.html", {"email": email})
