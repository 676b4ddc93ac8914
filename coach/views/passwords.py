"""Passwords: another one for who is signed in, and a new one for who came by a link."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.views import PasswordChangeView, PasswordResetCompleteView, PasswordResetConfirmView
from django.http import HttpResponse
from django.urls import reverse_lazy
from django.utils.translation import gettext

from coach.door_forms import ChangePasswordForm, ResetPasswordForm
from coach.views.access import in_browser_language


class ChangePassword(PasswordChangeView):
    """Every other session of this person ends with the old password."""

    form_class = ChangePasswordForm
    success_url = reverse_lazy("home")

    def get_form_kwargs(self) -> dict[str, Any]:
        return super().get_form_kwargs() | {"request": self.request}

    def form_valid(self, form: Any) -> HttpResponse:
        messages.success(self.request, gettext("Your password is changed. Everywhere else you are signed out."))
        return super().form_valid(form)

    def form_invalid(self, form: Any) -> HttpResponse:
        return self.render_to_response(self.get_context_data(form=form), status=422)


class NewPassword(PasswordResetConfirmView):
    form_class = ResetPasswordForm

    def form_invalid(self, form: Any) -> HttpResponse:
        return self.render_to_response(self.get_context_data(form=form), status=422)


password_change = in_browser_language(ChangePassword.as_view())
password_reset_confirm = in_browser_language(NewPassword.as_view())
password_reset_complete = in_browser_language(PasswordResetCompleteView.as_view())
