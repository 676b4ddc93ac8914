"""Invitations: made here, their link shown once, taken back by deleting them."""

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone

from coach import invites
from coach.admin.accounts import shown_once
from coach.admin.kept import Listed
from coach.models import Invite

if TYPE_CHECKING:  # Django's own class takes no parameter when the program runs
    PlainForm = forms.ModelForm[Invite]
else:
    PlainForm = forms.ModelForm


class InviteForm(PlainForm):
    days = forms.IntegerField(
        min_value=1, max_value=invites.MOST_DAYS, initial=invites.DAYS, help_text="How long the link is good."
    )

    class Meta:
        model = Invite
        fields = ["label"]


@admin.register(Invite)
class InviteAdmin(Listed[Invite]):
    form = InviteForm
    list_display = ("label", "state", "expires_at", "made_by", "user", "created_at")
    list_select_related = ("made_by", "user")
    search_fields = ("label", "user__username")
    ordering = ("-id",)
    show_full_result_count = False
    list_per_page = 50

    def has_change_permission(self, request: HttpRequest, obj: Invite | None = None) -> bool:
        return False

    def get_fields(self, request: HttpRequest, obj: Invite | None = None) -> Any:
        seen = ("label", "state", "email", "made_by", "created_at", "expires_at", "used_at", "user")
        return seen if obj else ("label", "days")

    def get_readonly_fields(self, request: HttpRequest, obj: Invite | None = None) -> Any:
        return self.get_fields(request, obj) if obj else ()

    def save_model(self, request: HttpRequest, obj: Invite, form: Any, change: bool) -> None:
        """Have the service make it, and keep the secret for the answer to this request alone."""
        until = timezone.now() + timedelta(days=form.cleaned_data["days"])
        secret = invites.make(label=obj.label, by=request.user, until=until)  # type: ignore[arg-type]
        obj.pk = Invite.objects.get(digest=invites.digest(secret)).pk
        obj.secret = secret  # type: ignore[attr-defined]

    def response_add(self, request: HttpRequest, obj: Invite, post_url_continue: str | None = None) -> HttpResponse:
        link = request.build_absolute_uri(reverse("welcome", args=[obj.secret]))  # type: ignore[attr-defined]
        said = f"For {obj.label}. It lets one person in, once. Whoever has it can come in, so send it to nobody else."
        return shown_once(self, request, title="An invitation", link=link, said=said)

    @admin.display(description="state")
    def state(self, invite: Invite) -> str:
        if invite.used_at:
            return "used"
        return "open" if invite.expires_at > timezone.now() else "over"
