"""Lists and pages that only show, quick on tables of millions."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.utils.functional import cached_property

if TYPE_CHECKING:  # Django's own classes take no parameter when the program runs

    class PlainAdmin[M: Model](admin.ModelAdmin[M]): ...

    class PlainPaginator(Paginator[Any]): ...

else:

    class PlainAdmin[M: Model](admin.ModelAdmin): ...

    class PlainPaginator(Paginator): ...


def may_operate(request: HttpRequest) -> bool:
    """Viewing, operating and configuring are three permissions: view_…, operate_job, and change_pool for its limits."""
    return request.user.has_perm("jobs.operate_job")


def offered(filters: Iterable[Any]) -> set[str]:
    """Return the parameters of an address that these filters read."""
    plain = [each[0] if isinstance(each, tuple) else each for each in filters]
    return {getattr(each, "parameter_name", f"{each}__exact") for each in plain}


class CappedPaginator(PlainPaginator):
    """Counts up to a bound: an exact count of a large table takes seconds."""

    most = 10_000

    @cached_property
    def count(self) -> int:
        rows: Any = self.object_list
        return min(int(rows.order_by()[: self.most + 1].count()), self.most)

    @property
    def counted(self) -> str:
        return f"{self.count:,} or more" if self.count == self.most else f"{self.count:,}"


class ReadOnly[M: Model](PlainAdmin[M]):
    """Nothing is added, edited or deleted here; a POST without an action that the person may take is refused."""

    paginator = CappedPaginator
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    empty_value_display = ""
    list_per_page = 50
    list_max_show_all = 50  # never all: what is said about a row is asked for a page at a time
    sortable_by = ()  # a sort without an index reads the whole table

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        """Only what a filter offers: any other column in an address may be a secret, or reads the whole table."""
        return lookup in offered(self.get_list_filter(request))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        return False

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        if request.method == "POST" and not self.get_actions(request):
            raise PermissionDenied
        return super().changelist_view(request, extra_context)
