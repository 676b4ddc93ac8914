"""The list of jobs: only the columns it shows, and what each row of the page waits for."""

from typing import Any

from django.contrib.admin.views.main import ChangeList
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from jobs.admin.filters import ByStatus
from jobs.console import waits
from jobs.models import Job, Status
from jobs.models.job import QUEUED

COLUMNS = (
    "id", "kind", "owner", "subject", "status", "lane", "pool", "band", "promoted", "turn", "run_at", "attempts",
    "worker", "token", "stop_token", "started_at", "ended_at", "created_at", "error_kind", "error",
)  # fmt: skip


class JobChangeList(ChangeList):
    def get_queryset(self, request: HttpRequest, exclude_parameters: list[str | None] | None = None) -> QuerySet[Any]:
        return super().get_queryset(request, exclude_parameters).only(*COLUMNS)

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        self.result_list = list(self.result_list[: self.list_per_page])  # more may have come since they were counted
        explained = waits.of(self.result_list)
        for job in self.result_list:
            job.wait = explained.get(job.pk, waits.NOTHING)


def order(request: HttpRequest) -> tuple[str, ...]:
    """Return the order in which jobs are due where only queued ones are listed, the newest first otherwise."""
    chosen = request.GET.get(ByStatus.parameter_name, "")
    if chosen in ("queued", *QUEUED):
        return ("band", "turn", "id")
    return ("started_at", "id") if chosen == Status.RUNNING else ("-id",)


def searched(queryset: QuerySet[Job], term: str) -> QuerySet[Job]:
    """Keep the jobs that every word names: by id, by whole owner, or by the beginning of the subject."""
    for word in term.split():
        named = Q(owner=word) | Q(subject__startswith=word)
        if word.isascii() and word.isdigit():
            named |= Q(pk=int(word))
        queryset = queryset.filter(named)
    return queryset
