"""What can only be read: seats, attempts, workers, and who changed what."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import DurationField, ExpressionWrapper, F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Now
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.urls import URLPattern, URLResolver, path, reverse
from django.utils.safestring import SafeString

from jobs.admin import cells, filters
from jobs.admin.keyset import KeysetChangeList
from jobs.admin.readonly import ReadOnly, may_operate
from jobs.conf import conf
from jobs.console import breaker, found, history, words
from jobs.models import Attempt, Audit, Job, Seat, Worker
from jobs.transitions import workers


@admin.register(Seat)
class SeatAdmin(ReadOnly[Seat]):
    list_display = ("number", "pool", "state", "its_job", "says", "free")
    list_filter = (filters.ByPool,)
    ordering = ("pool", "id")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Seat]:
        left = ExpressionWrapper(F("free_at") - Now(), output_field=DurationField())
        started = Job.objects.filter(pk=OuterRef("job")).values("started_at")
        since = ExpressionWrapper(Now() - Subquery(started), output_field=DurationField())
        return super().get_queryset(request).annotate(left=left, since=since)

    @admin.display(description="seat")
    def number(self, seat: Seat) -> str:
        return f"{seat.pk}"

    @admin.display(description="state")
    def state(self, seat: Seat) -> SafeString:
        return cells.state(breaker.seat_state(_as_row(seat)))

    @admin.display(description="job")
    def its_job(self, seat: Seat) -> SafeString | str:
        return cells.link("job", seat.job)

    @admin.display(description="what it does")
    def says(self, seat: Seat) -> str:
        return breaker.seat_sentence(_as_row(seat))

    @admin.display(description="free")
    def free(self, seat: Seat) -> SafeString | str:
        return cells.time(seat.free_at) if seat.job is None else "–"


def _as_row(seat: Seat) -> dict[str, object]:
    left = seat.left.total_seconds()  # type: ignore[attr-defined]
    since: timedelta | None = seat.since  # type: ignore[attr-defined]
    return {
        "job": seat.job,
        "why": seat.why,
        "rests_s": max(0.0, left),
        "since_s": since.total_seconds() if since is not None else None,
    }


class AttemptChangeList(KeysetChangeList):
    def base(self, request: HttpRequest) -> QuerySet[Attempt] | None:
        return Attempt.objects.all() if self.has_active_filters and not self.query else None


@admin.register(Attempt)
class AttemptAdmin(ReadOnly[Attempt]):
    list_display = ("its_job", "kind", "number", "result", "lasted", "ended", "problem", "where")
    list_display_links = None
    list_filter = (filters.ByKind, filters.ByOutcome, filters.ByErrorKind)
    search_fields = ("job",)
    search_help_text = "The id of a job."

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> Any:
        return AttemptChangeList

    def keyset(self, request: HttpRequest) -> tuple[tuple[str, ...], bool]:
        return ("ended_at", "token"), True

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Attempt], search_term: str
    ) -> tuple[QuerySet[Attempt], bool]:
        word = search_term.strip()
        if not word:
            return queryset, False
        number = found.id_of(word)
        return (queryset.none() if number is None else queryset.filter(job=number)), False

    @admin.display(description="job")
    def its_job(self, attempt: Attempt) -> SafeString | str:
        return cells.link("job", attempt.job)

    @admin.display(description="outcome")
    def result(self, attempt: Attempt) -> SafeString:
        return cells.state(attempt.outcome)

    @admin.display(description="lasted")
    def lasted(self, attempt: Attempt) -> str:
        return words.lasting((attempt.ended_at - attempt.started_at).total_seconds())

    @admin.display(description="ended")
    def ended(self, attempt: Attempt) -> SafeString | str:
        return cells.time(attempt.ended_at)

    @admin.display(description="error")
    def problem(self, attempt: Attempt) -> str:
        return words.problem(attempt.error_kind, attempt.error)

    @admin.display(description="worker, slot")
    def where(self, attempt: Attempt) -> str:
        return f"{str(attempt.worker)[:8]}, {attempt.slot}"


@admin.register(Worker)
class WorkerAdmin(ReadOnly[Worker]):
    list_display = ("__str__", "state", "lease", "slots", "serves_pools", "serves_kinds", "started", "version")
    ordering = ("host", "started_at")
    change_form_template = "admin/jobs/worker/change_form.html"

    def get_urls(self) -> list[URLPattern | URLResolver]:  # type: ignore[override]
        drained = self.admin_site.admin_view(self.drain)
        return [path("<uuid:worker>/drain/", drained, name="jobs_worker_drain"), *super().get_urls()]

    def drain(self, request: HttpRequest, worker: UUID) -> HttpResponse:
        """Have a worker end what it runs and leave; what started it may start another."""
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        if not (may_operate(request) and self.has_view_permission(request)):
            raise PermissionDenied
        if workers.drain(worker, by=cells.who(request)):
            said = "It claims nothing any more, ends what it runs and leaves; what started it may start another."
            self.message_user(request, said, messages.SUCCESS)
        else:
            self.message_user(request, "It is leaving already, or gone.", messages.WARNING)
        return HttpResponseRedirect(reverse("admin:jobs_worker_changelist"))

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        context |= {"may_operate": may_operate(request), "title": f"Worker {context['original']}", "subtitle": None}
        return super().render_change_form(request, context, *args, **kwargs)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Worker]:
        age = ExpressionWrapper(Now() - F("heartbeat_at"), output_field=DurationField())
        return super().get_queryset(request).annotate(age=age)

    @admin.display(description="state")
    def state(self, worker: Worker) -> SafeString:
        if _age_s(worker) > conf().SELF_KILL_SECONDS:
            return cells.state("silent")
        return cells.state("draining" if worker.draining or worker.drain_by else "working")

    @admin.display(description="lease")
    def lease(self, worker: Worker) -> str:
        return f"beat {words.lasting(_age_s(worker))} ago"

    @admin.display(description="pools")
    def serves_pools(self, worker: Worker) -> str:
        return cells.kinds(worker.pools)

    @admin.display(description="kinds")
    def serves_kinds(self, worker: Worker) -> str:
        return cells.kinds(worker.kinds)

    @admin.display(description="started")
    def started(self, worker: Worker) -> SafeString | str:
        return cells.time(worker.started_at)


def _age_s(worker: Worker) -> float:
    age: float = worker.age.total_seconds()  # type: ignore[attr-defined]
    return age


@admin.register(Audit)
class AuditAdmin(ReadOnly[Audit]):
    list_display = ("when", "actor", "action", "its_target", "changed")
    list_display_links = None
    search_fields = ("target",)
    search_help_text = "What was changed, as “job 12” or “pool gateway”."

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> Any:
        return KeysetChangeList

    def keyset(self, request: HttpRequest) -> tuple[tuple[str, ...], bool]:
        return ("id",), True

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Audit], search_term: str
    ) -> tuple[QuerySet[Audit], bool]:
        word = search_term.strip()
        return (queryset.filter(target=word) if word else queryset), False

    @admin.display(description="when")
    def when(self, audit: Audit) -> SafeString | str:
        return cells.time(audit.at)

    @admin.display(description="target")
    def its_target(self, audit: Audit) -> SafeString | str:
        what, _, key = audit.target.partition(" ")
        return cells.link(what, key, audit.target) if what in ("job", "pool", "lane") and key else audit.target

    @admin.display(description="what it changed")
    def changed(self, audit: Audit) -> str:
        return history.changes(audit)
