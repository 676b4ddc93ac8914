"""Jobs: the list, one job's page, and what staff may do to them."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import URLPattern, URLResolver, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from jobs.admin import cells, filters, job_actions, job_list, job_page
from jobs.admin.readonly import ReadOnly, may_operate
from jobs.console import logged, operate, waits, words
from jobs.models import Job, Status
from jobs.models.job import QUEUED

STOP_POLLING = 286  # htmx asks no more after this answer
PROMOTED = {"staff": "promoted", "now": "at once", "watch": "watched", "patience": "overdue"}


@admin.register(Job)
class JobAdmin(ReadOnly[Job]):
    list_display = (
        "number", "state", "kind", "owner", "subject", "waits_for", "position", "attempts", "since", "problem",
    )  # fmt: skip
    list_filter = (
        filters.ByStatus, filters.ByKind, filters.ByPool, filters.ByErrorKind, filters.ByAge, filters.ByOwner,
        filters.ByLane,
    )  # fmt: skip
    search_fields = ("id", "owner", "subject")
    search_help_text = "An id, a whole owner, or the beginning of a subject."
    actions = tuple(job_actions.action(name) for name in operate.VERBS)
    action_form = job_actions.ActionForm
    change_form_template = "admin/jobs/job/change_form.html"

    def has_operate_permission(self, request: HttpRequest) -> bool:
        return may_operate(request)

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> Any:
        return job_list.JobChangeList

    def keyset(self, request: HttpRequest) -> tuple[tuple[str, ...], bool]:
        return job_list.keyset(request)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Job], search_term: str
    ) -> tuple[QuerySet[Job], bool]:
        return queryset, False  # by the change list, which knows whether few are found

    # One job's page

    def get_urls(self) -> list[URLPattern | URLResolver]:  # type: ignore[override]
        operated = self.admin_site.admin_view(self.operate)
        lines = self.admin_site.admin_view(self.lines)
        return [
            path("<int:pk>/do/<slug:verb>/", operated, name="jobs_job_operate"),
            path("<int:pk>/lines/", lines, name="jobs_job_lines"),
            *super().get_urls(),
        ]

    def lines(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show what a running job has logged so far; once it is over the page asks no more."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        job = get_object_or_404(Job, pk=pk)
        runs = job.status == Status.RUNNING
        status = STOP_POLLING if not runs and "HX-Request" in request.headers else 200
        return render(
            request, "jobs/logged.html", {"job": job, "runs": runs, "lines": logged.so_far(job)}, status=status
        )

    def operate(self, request: HttpRequest, pk: int, verb: str) -> HttpResponse:
        """Do one thing to one job, outside any transaction: a transition brings its own."""
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        if not (self.has_operate_permission(request) and self.has_view_permission(request)):
            raise PermissionDenied
        if verb not in operate.VERBS:
            raise Http404
        priority = job_actions.priority_of(request) if verb == "priority" else operate.USUAL
        if priority is not None:
            if operate.VERBS[verb].hurts and not request.POST.get("sure") and job_page.would_hurt(verb, pk):
                return job_actions.asked_of_one(self, request, verb, pk)
            cells.tell(request, operate.VERBS[verb]([pk], by=cells.who(request), priority=priority))
        return HttpResponseRedirect(reverse("admin:jobs_job_change", args=[pk]))

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        job: Job = context["original"]
        page = job_page.of(job)
        buttons = page.verbs if self.has_operate_permission(request) else ()
        context |= {"page": page, "buttons": buttons, "title": f"Job {job.pk}", "subtitle": str(job)}
        return super().render_change_form(request, context, *args, **kwargs)

    # Cells of the list

    @admin.display(description="job")
    def number(self, job: Job) -> str:
        return f"{job.pk}"

    @admin.display(description="state")
    def state(self, job: Job) -> SafeString:
        first = PROMOTED.get(job.promoted, "") if job.status in QUEUED else ""
        return format_html("{} <small>{}</small>", cells.state(job.status), first) if first else cells.state(job.status)

    @admin.display(description="waits for")
    def waits_for(self, job: Job) -> str:
        wait: waits.Wait = getattr(job, "wait", waits.NOTHING)
        return wait.sentence

    @admin.display(description="place")
    def position(self, job: Job) -> str:
        wait: waits.Wait = getattr(job, "wait", waits.NOTHING)
        return wait.place

    @admin.display(description="since")
    def since(self, job: Job) -> SafeString | str:
        return cells.time(job.ended_at or job.started_at or job.created_at)

    @admin.display(description="error")
    def problem(self, job: Job) -> str:
        return words.problem(job.error_kind, job.error)
