"""The list of jobs: only the columns it shows, and what each row of the page waits for."""

from functools import reduce
from operator import and_
from typing import Any

from django.db.models import F, Q, QuerySet
from django.db.models.expressions import CombinedExpression
from django.http import HttpRequest

from jobs.admin.filters import ByStatus
from jobs.admin.keyset import KeysetChangeList
from jobs.console import found, waits
from jobs.models import Job, Status
from jobs.models.job import ENDED_SHORT, QUEUED

COLUMNS = (
    "id", "kind", "owner", "subject", "status", "lane", "pool", "band", "promoted", "turn", "run_at", "attempts",
    "worker", "token", "stop_token", "started_at", "ended_at", "created_at", "error_kind", "error",
)  # fmt: skip


SHORT = ("trouble", *ENDED_SHORT)


class JobChangeList(KeysetChangeList):
    def get_queryset(self, request: HttpRequest, exclude_parameters: list[str | None] | None = None) -> QuerySet[Any]:
        rows = super().get_queryset(request, exclude_parameters)
        self.request, self.wanted = request, wanted_of(request)
        few = list(self.wanted.narrowed())
        if self.query:
            by_ids = found.searched(self.query)
            rows = rows.filter(found.by_words(self.query) if by_ids is None else by_ids)
            few += [] if by_ids is None else [by_ids]
        self.are_few = bool(few)
        return rows.filter(reduce(and_, few, Q())).only(*COLUMNS)

    def base(self, request: HttpRequest) -> QuerySet[Job] | None:
        asked, state = set(self.wanted.asked), self.wanted.state
        by_index = asked == {"error"} or (asked == {"state"} and state in ("queued", Status.RUNNING, *SHORT))
        if self.are_few or not asked or by_index or state == Status.RUNNING:
            return None
        return Job.objects.filter(found.base(self.wanted), found.of_age(self.wanted.age))

    def expression(self, name: str) -> F | CombinedExpression:
        """A plain id is sought in the order of the table, which must not be where an index has the few that match."""
        in_line = name == "band" and self.model_admin.keyset(self.request)[0][0] == "band"
        few = name == "id" and (self.are_few or self.wanted.error or self.wanted.state in SHORT)
        return F(name) + 0 if in_line or few else F(name)

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        explained = waits.of(self.result_list)
        for job in self.result_list:
            job.wait = explained.get(job.pk, waits.NOTHING)


def wanted_of(request: HttpRequest) -> found.Sought:
    return found.sought(request.GET)


def keyset(request: HttpRequest) -> tuple[tuple[str, ...], bool]:
    """Return the order in which jobs are due where only queued ones are listed, the newest first otherwise."""
    chosen = request.GET.get(ByStatus.parameter_name, "")
    if chosen in ("queued", *QUEUED):
        return ("band", "turn", "id"), False
    return (("started_at", "id"), False) if chosen == Status.RUNNING else (("id",), True)
