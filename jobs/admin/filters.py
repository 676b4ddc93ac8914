"""Filters whose choices come from the registry and from small tables, never from a scan of the jobs."""

from collections.abc import Iterable
from typing import Any, get_args

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from jobs.models import Attempt, Pool, Status
from jobs.models.job import QUEUED
from jobs.registry import KINDS
from jobs.transitions.outcomes import BY_ITEMS, Name

NONE = "-"  # no pool
RECENT = 2000  # attempts whose error kinds are offered
TROUBLE = [Status.FAILED, Status.PARTIAL, Status.INTERRUPTED]
GROUPS: dict[str, tuple[str, list[Status]]] = {
    "queued": ("in line", QUEUED),
    "trouble": ("in trouble", TROUBLE),
}


class Choice(admin.SimpleListFilter):
    """One column compared with one of some words."""

    template = "admin/jobs/filter.html"
    column = ""

    def names(self, request: HttpRequest) -> Iterable[str]:
        raise NotImplementedError

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[Any, str]]:
        """A value that is chosen is offered, also when nothing has it any more."""
        names = {str(name) for name in self.names(request)}
        chosen = request.GET.get(str(self.parameter_name))
        return [(name, name) for name in sorted(names | ({chosen} if chosen else set()))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        chosen = self.value()
        return queryset.filter(**{self.column: chosen}) if chosen else queryset


class ByStatus(admin.SimpleListFilter):
    title = "state"
    parameter_name = "state"
    template = "admin/jobs/filter.html"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[Any, Any]]:
        groups: list[tuple[Any, Any]] = [(key, label) for key, (label, _) in GROUPS.items()]
        return [*groups, *Status.choices]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        chosen = self.value()
        if chosen in GROUPS:
            return queryset.filter(status__in=GROUPS[chosen][1])
        return queryset.filter(status=chosen) if chosen in Status.values else queryset


class ByKind(Choice):
    title = "kind"
    parameter_name = "kind"
    column = "kind"

    def names(self, request: HttpRequest) -> Iterable[str]:
        return KINDS


class ByPool(Choice):
    title = "pool"
    parameter_name = "pool"
    column = "pool"

    def names(self, request: HttpRequest) -> Iterable[str]:
        return [NONE, *Pool.objects.values_list("name", flat=True)]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(pool="") if self.value() == NONE else super().queryset(request, queryset)


class ByErrorKind(Choice):
    title = "error"
    parameter_name = "error"
    column = "error_kind"

    def names(self, request: HttpRequest) -> Iterable[str]:
        """Return the kinds of error among the newest attempts, and those that only jobs have."""
        met = Attempt.objects.order_by("-ended_at").values_list("error_kind", flat=True)[:RECENT]
        return {"items", "crash_loop", *met} - {""}


class ByOutcome(Choice):
    title = "outcome"
    parameter_name = "outcome"
    column = "outcome"

    def names(self, request: HttpRequest) -> Iterable[str]:
        return [*get_args(Name.__value__), *BY_ITEMS]
