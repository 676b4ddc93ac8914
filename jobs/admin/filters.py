"""Filters whose choices come from the registry and from small tables, never from a scan of the jobs."""

from collections.abc import Iterable, Iterator
from typing import Any, get_args

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from jobs.console import found
from jobs.models import Attempt, Pool, Status
from jobs.registry import KINDS
from jobs.transitions.outcomes import BY_ITEMS, Name

RECENT = 2000  # attempts whose error kinds are offered


class OfJobs(admin.SimpleListFilter):
    """One condition of `found`."""

    template = "admin/jobs/filter.html"

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        chosen = self.value()
        return queryset.filter(found.CONDITIONS[str(self.parameter_name)](chosen)) if chosen else queryset


class Choice(OfJobs):
    """One column compared with one of some words."""

    def names(self, request: HttpRequest) -> Iterable[str]:
        raise NotImplementedError

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[Any, str]]:
        """A value that is chosen is offered, also when nothing has it any more."""
        names = {str(name) for name in self.names(request)}
        chosen = request.GET.get(str(self.parameter_name))
        return [(name, name) for name in sorted(names | ({chosen} if chosen else set()))]


class ByStatus(OfJobs):
    title = "state"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[Any, Any]]:
        groups: list[tuple[Any, Any]] = [(key, label) for key, (label, _) in found.GROUPS.items()]
        return [*groups, *Status.choices]


class ByAge(OfJobs):
    title = "age"
    parameter_name = "age"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[Any, str]]:
        return [(name, label) for name, (label, _) in found.AGES.items()]


class ByText(OfJobs):
    """A column that holds too many words to offer them: typed."""

    template = "admin/jobs/text_filter.html"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[Any, str]]:
        chosen = request.GET.get(str(self.parameter_name))
        return [(chosen, chosen)] if chosen else []

    def has_output(self) -> bool:
        return True

    def choices(self, changelist: Any) -> Iterator[Any]:
        others = {name: value for name, value in changelist.params.items() if name != self.parameter_name}
        clear = changelist.get_query_string(remove=[self.parameter_name])
        yield {"value": self.value() or "", "name": self.parameter_name, "others": others, "clear": clear}


class ByOwner(ByText):
    title = "owner"
    parameter_name = "owner"


class ByLane(ByText):
    title = "lane"
    parameter_name = "lane"


class ByKind(Choice):
    title = "kind"
    parameter_name = "kind"

    def names(self, request: HttpRequest) -> Iterable[str]:
        return KINDS


class ByPool(Choice):
    title = "pool"
    parameter_name = "pool"

    def names(self, request: HttpRequest) -> Iterable[str]:
        return [found.NONE, *Pool.objects.values_list("name", flat=True)]


class ByErrorKind(Choice):
    title = "error"
    parameter_name = "error"

    def names(self, request: HttpRequest) -> Iterable[str]:
        """Return the kinds of error among the newest attempts, and those that only jobs have."""
        met = Attempt.objects.order_by("-ended_at").values_list("error_kind", flat=True)[:RECENT]
        return {"items", "crash_loop", *met} - {""}


class Paused(admin.BooleanFieldListFilter):
    template = "admin/jobs/filter.html"


class ByOutcome(Choice):
    title = "outcome"
    parameter_name = "outcome"

    def names(self, request: HttpRequest) -> Iterable[str]:
        return [*get_args(Name.__value__), *BY_ITEMS]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        chosen = self.value()
        return queryset.filter(outcome=chosen) if chosen else queryset
