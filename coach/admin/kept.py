"""What is kept, and what is derived and so only read."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

if TYPE_CHECKING:  # Django's own class takes no parameter when the program runs

    class PlainAdmin[M: Model](admin.ModelAdmin[M]): ...

else:

    class PlainAdmin[M: Model](admin.ModelAdmin): ...


class Listed[M: Model](PlainAdmin[M]):
    """A list takes from its address what its filters offer: another column may be a secret, or no index has it."""

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        filters = self.get_list_filter(request)
        return lookup in {getattr(each, "parameter_name", f"{each}__exact") for each in filters}


class Kept[M: Model](Listed[M]):
    """Deleting would leave files and jobs behind, so nothing is deleted here."""

    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    list_per_page = 50

    def has_delete_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        return False


class Derived[M: Model](Kept[M]):
    """Made by a service, so only read here."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        return False
