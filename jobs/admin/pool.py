"""Pools, edited live through their transition."""

from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.urls import URLPattern, URLResolver, path

from jobs.admin import cells, pool_list
from jobs.admin.pool_form import PoolForm
from jobs.admin.readonly import ReadOnly, may_operate
from jobs.console import history, machine, tuning
from jobs.models import Pool
from jobs.transitions import pools


@admin.register(Pool)
class PoolAdmin(pool_list.Cells, ReadOnly[Pool]):
    form = PoolForm
    fields = ("capacity", "gap_seconds", "reserve_lines")
    list_display = ("name", "state", "says", "capacity", "gap_seconds", "seats")
    ordering = ("name",)
    change_form_template = "admin/jobs/pool/change_form.html"

    def has_change_permission(self, request: HttpRequest, obj: Pool | None = None) -> bool:
        return request.user.has_perm("jobs.change_pool")

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> Any:
        return pool_list.PoolChangeList

    def get_urls(self) -> list[URLPattern | URLResolver]:  # type: ignore[override]
        acts = {"probe": self.probe, "pause": self.pause, "resume": self.resume}
        own = [
            path(f"<path:key>/{name}/", self.admin_site.admin_view(act), name=f"jobs_pool_{name}")
            for name, act in acts.items()
        ]
        return [*own, *super().get_urls()]

    def has_operate_permission(self, request: HttpRequest) -> bool:
        return may_operate(request) and self.has_view_permission(request)

    def named(self, request: HttpRequest, key: str) -> str:
        """Return the name of the pool that this person may operate by this request."""
        if not self.has_operate_permission(request):
            raise PermissionDenied
        name = unquote(key)
        if not Pool.objects.filter(pk=name).exists():
            raise Http404
        return name

    def pause(self, request: HttpRequest, key: str) -> HttpResponse:
        return self.switch(request, key, paused=True)

    def resume(self, request: HttpRequest, key: str) -> HttpResponse:
        return self.switch(request, key, paused=False)

    def switch(self, request: HttpRequest, key: str, *, paused: bool) -> HttpResponse:
        """Start no new job of it, or start them again; what runs goes on."""
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        name = self.named(request, key)
        self.message_user(request, tuning.change(name, by=cells.who(request), paused=paused), messages.SUCCESS)
        return HttpResponseRedirect(cells.address("pool", name))

    def probe(self, request: HttpRequest, key: str) -> HttpResponse:
        """Let a closed pool be tried now instead of at its next try."""
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        name = self.named(request, key)
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
            "may_operate": self.has_operate_permission(request),
            "audit": history.of(f"pool {pool.pk}"),
            "show_save_and_continue": False,
            "title": f"Pool {pool.pk}",
            "subtitle": None,
        }
        return super().render_change_form(request, context, *args, **kwargs)
