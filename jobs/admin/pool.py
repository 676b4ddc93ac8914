"""Pools, edited live through their transition."""

from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.urls import URLPattern, URLResolver, path

from jobs.admin import cells, pool_list
from jobs.admin.pool_form import PoolForm
from jobs.admin.readonly import ReadOnly
from jobs.console import history, machine, tuning
from jobs.models import Pool
from jobs.transitions import pools


@admin.register(Pool)
class PoolAdmin(pool_list.Cells, ReadOnly[Pool]):
    form = PoolForm
    fields = ("capacity", "gap_seconds", "paused", "reserve_lines")
    list_display = ("name", "state", "says", "capacity", "gap_seconds", "seats")
    ordering = ("name",)
    change_form_template = "admin/jobs/pool/change_form.html"

    def has_change_permission(self, request: HttpRequest, obj: Pool | None = None) -> bool:
        return request.user.has_perm("jobs.change_pool")

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> Any:
        return pool_list.PoolChangeList

    def get_urls(self) -> list[URLPattern | URLResolver]:  # type: ignore[override]
        probed = self.admin_site.admin_view(self.probe)
        return [path("<path:key>/probe/", probed, name="jobs_pool_probe"), *super().get_urls()]

    def probe(self, request: HttpRequest, key: str) -> HttpResponse:
        """Let a closed pool be tried now instead of at its next try."""
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        if not self.has_change_permission(request):
            raise PermissionDenied
        name = unquote(key)
        if not Pool.objects.filter(pk=name).exists():
            raise Http404
        if pools.probe(name, by=cells.who(request)):
            said = f"{name} may be tried now: the next job that is due calls it."
            self.message_user(request, said, messages.SUCCESS)
        else:
            self.message_user(request, f"{name} is not closed, so nothing was changed.", messages.WARNING)
        return HttpResponseRedirect(cells.address("pool", name))

    def save_model(self, request: HttpRequest, obj: Pool, form: Any, change: bool) -> None:
        """Hand what changed to the transition; the row itself is never saved, for it may have moved meanwhile."""
        wanted = form.changes()
        if wanted:
            self.message_user(request, tuning.change(obj.pk, by=cells.who(request), **wanted), messages.SUCCESS)
        else:
            self.message_user(request, f"{obj.pk}: nothing was changed.", messages.INFO)

    def response_change(self, request: HttpRequest, obj: Pool) -> HttpResponse:
        return HttpResponseRedirect(cells.address("pool", obj.pk))

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        pool: Pool = context["original"]
        context |= {
            "machine": machine.pools(name=pool.pk)[0],
            "may_change": self.has_change_permission(request),
            "audit": history.of(f"pool {pool.pk}"),
            "show_save_and_continue": False,
            "title": f"Pool {pool.pk}",
            "subtitle": None,
        }
        return super().render_change_form(request, context, *args, **kwargs)
