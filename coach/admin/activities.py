"""Activities, with the files they were read from."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from coach import display
from coach.admin.kept import Derived
from coach.metrics.sports import SPORTS
from coach.models import Activity, Provenance

if TYPE_CHECKING:  # Django's own class takes no parameter when the program runs
    PlainInline = admin.TabularInline[Provenance, Activity]
else:
    PlainInline = admin.TabularInline


class BySport(admin.SimpleListFilter):
    """The sports that are known: asking the table for its own would read all of it."""

    title = "sport"
    parameter_name = "sport"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[Any, str]]:
        return [(name, name.replace("_", " ")) for name in SPORTS]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Activity]) -> QuerySet[Activity]:
        return queryset.filter(sport=self.value()) if self.value() else queryset


class ProvenanceInline(PlainInline):
    model = Provenance
    fields = readonly_fields = ("file", "session", "format", "device", "sha256")
    can_delete = False
    extra = 0

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Activity)
class ActivityAdmin(Derived[Activity]):
    list_display = ("local_date", "athlete", "sport", "name", "timer", "distance", "points", "doubts")
    list_select_related = ("athlete__user",)
    list_filter = (BySport, "load_from")
    search_fields = ("name", "athlete__user__username")
    ordering = ("-started_at", "-id")
    inlines = (ProvenanceInline,)

    @admin.display(description="timer")
    def timer(self, activity: Activity) -> str:
        return display.duration(activity.timer_s)

    @admin.display(description="distance")
    def distance(self, activity: Activity) -> str:
        return display.distance(activity.distance_m) if activity.distance_m else display.UNKNOWN

    @admin.display(description="load")
    def points(self, activity: Activity) -> str:
        return f"{display.number(activity.load)} from {activity.get_load_from_display()}"

    @admin.display(description="doubts")
    def doubts(self, activity: Activity) -> str:
        return str(len(activity.flags) or "")
