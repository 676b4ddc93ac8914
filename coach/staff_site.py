"""The console: Django's admin behind the one door of the site, and behind the second step."""

from collections.abc import Callable
from functools import update_wrapper
from typing import Any
from urllib.parse import urlencode

from django.contrib.admin import AdminSite
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.auth.views import LoginView, redirect_to_login
from django.core.exceptions import BadRequest, PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse

# Imported where they are used, for models are not there yet when Django imports this module.


def _can_be(key: Any, text: str) -> bool:
    try:
        key.to_python(text)
    except ValidationError:
        return False
    return "\0" not in text


class StaffSite(AdminSite):
    site_header = site_title = "Coach"

    def has_permission(self, request: HttpRequest) -> bool:
        from coach import second_step

        return super().has_permission(request) and not second_step.is_missing(request)

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        from coach import second_step

        return super().each_context(request) | {"second_step_is_offered": second_step.is_offered(request.user)}

    def admin_view(self, view: Callable[..., Any], cacheable: bool = False) -> Any:
        """Answer a poll of somebody who is signed out by a word in its place, never by the page to sign in."""
        guarded = super().admin_view(view, cacheable)

        def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            if "HX-Request" in request.headers and not self.has_permission(request):
                from coach.signed_out import signed_out_part

                return signed_out_part(request)
            if self.has_permission(request):
                self._refuse_forged_ids(request)
            return guarded(request, *args, **kwargs)

        return update_wrapper(answered, view)

    def _refuse_forged_ids(self, request: HttpRequest) -> None:
        """Refuse an action on what no row of the list can be called, which Django would hand to the database."""
        ticked = request.POST.getlist(ACTION_CHECKBOX_NAME)
        match = request.resolver_match
        for model in self._registry if ticked and match else ():
            is_listed = match.url_name == f"{model._meta.app_label}_{model._meta.model_name}_changelist"  # type: ignore[union-attr]
            if is_listed and not all(_can_be(model._meta.pk, each) for each in ticked):
                raise BadRequest("An id that is none.")

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Send whoever may not see the console to what is missing: the sign-in page, a code, or setting codes up."""
        from coach import second_step

        there = LoginView().get_redirect_url(request) or reverse("admin:index", current_app=self.name)
        if self.has_permission(request):
            return HttpResponseRedirect(there)
        if not request.user.is_authenticated:
            return redirect_to_login(there)
        if not request.user.is_staff:
            raise PermissionDenied
        page = "second_step" if second_step.is_set_up(request.user) else "second_step_setup"
        return HttpResponseRedirect(f"{reverse(page)}?{urlencode({'next': there})}")

    def password_change(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        return redirect("password_change")

    def password_change_done(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        return redirect("password_change")
