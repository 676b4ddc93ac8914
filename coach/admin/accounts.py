"""Accounts for staff: nobody gives away rights but who has all of them, and links are shown once."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, path, reverse

from coach import mails, second_step

if TYPE_CHECKING:  # Django's own class takes no parameter when the program runs
    PlainUsers = UserAdmin[User]
else:
    PlainUsers = UserAdmin

RIGHTS = ("is_staff", "is_superuser", "groups", "user_permissions")

admin.site.unregister(User)
admin.site.unregister(Group)


def is_above(request: HttpRequest, user: User | None) -> bool:
    """Return whether this account could do more than an athlete, and so is for superusers to change."""
    return user is not None and (user.is_staff or user.is_superuser) and not request.user.is_superuser


@admin.register(User)
class AccountAdmin(PlainUsers):
    """Whoever may change users changes athletes; Django's own page would let them make themselves superusers."""

    change_form_template = "admin/coach/account.html"

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return super().has_change_permission(request, obj) and not is_above(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return super().has_delete_permission(request, obj) and not is_above(request, obj)

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> Any:
        fixed = super().get_readonly_fields(request, obj)
        return fixed if request.user.is_superuser else (*fixed, *RIGHTS)

    def get_urls(self) -> list[URLPattern | URLResolver]:  # type: ignore[override]
        own = {"reset-link": self.reset_link, "second-step": self.take_second_step}
        paths = [
            path(f"<int:pk>/{word}/", self.admin_site.admin_view(view), name=f"auth_user_{word.replace('-', '_')}")
            for word, view in own.items()
        ]
        return [*paths, *super().get_urls()]

    def reset_link(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show a link for a new password, for a site without mail; it is good once, and for a day."""
        user = self._asked_for(request, pk)
        if isinstance(user, HttpResponse):
            return user
        self.log_change(request, user, "Made a link for a new password.")
        link = request.build_absolute_uri(mails.reset_path(user))
        said = f"With it {user.get_username()} chooses a new password: once, and within a day."
        return shown_once(self, request, title="A link for a new password", link=link, said=said)

    def take_second_step(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Take the second step away from somebody whose phone and codes are gone."""
        user = self._asked_for(request, pk)
        if isinstance(user, HttpResponse):
            return user
        if second_step.remove(user):
            self.log_change(request, user, "Took the second step away.")
            self.message_user(request, "The second step is taken away. The password alone lets them in.")
        else:
            self.message_user(request, "There was no second step.", messages.WARNING)
        return HttpResponseRedirect(reverse("admin:auth_user_change", args=[pk]))

    def _asked_for(self, request: HttpRequest, pk: int) -> User | HttpResponse:
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        if not self.has_change_permission(request):
            raise PermissionDenied
        user = User.objects.filter(pk=pk).first()
        if user is None:
            raise Http404
        if not self.has_change_permission(request, user):
            raise PermissionDenied
        return user


@admin.register(Group)
class RightsAdmin(GroupAdmin):
    """A group's rights are those of its members: whoever could change them could take them all."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return request.user.is_superuser

    def has_change_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:
        return request.user.is_superuser

    def has_delete_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:
        return request.user.is_superuser


def shown_once(of: Any, request: HttpRequest, *, title: str, link: str, said: str) -> HttpResponse:
    """Show a link in the answer itself: it is kept nowhere, and so can be shown only now."""
    context = {**of.admin_site.each_context(request), "title": title, "link": link, "said": said, "opts": of.opts}
    response = TemplateResponse(request, "admin/coach/link.html", context)
    response["Cache-Control"] = "no-store"
    return response
