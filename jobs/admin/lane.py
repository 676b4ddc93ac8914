"""Lanes: what is at their head, who holds them, and pausing them."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.safestring import SafeString

from jobs.admin import cells, filters
from jobs.admin.keyset import KeysetChangeList
from jobs.admin.readonly import ReadOnly, may_operate
from jobs.console import operate
from jobs.models import Job, Lane, Status


class LaneChangeList(KeysetChangeList):
    """Adds each lane's head, in one statement a page."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        keys = [lane.pk for lane in self.result_list]
        heads = Job.objects.filter(lane__in=keys, status__in=[Status.READY, Status.RUNNING]).exclude(lane="")
        by_lane = {job.lane: job for job in heads.only("id", "kind", "status", "lane")}
        for lane in self.result_list:
            lane.head = by_lane.get(lane.pk)


@admin.register(Lane)
class LaneAdmin(ReadOnly[Lane]):
    list_display = ("key", "state", "head", "holder", "until")
    list_filter = (("paused", filters.Paused),)
    search_fields = ("key",)
    search_help_text = "The beginning of a lane's name."
    actions = ("pause", "resume")
    fields = ("key", "label", "paused", "held_kind", "held_label", "held_until")

    def has_pause_permission(self, request: HttpRequest) -> bool:
        return may_operate(request)

    def keyset(self, request: HttpRequest) -> tuple[tuple[str, ...], bool]:
        return ("key",), False

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> Any:
        return LaneChangeList

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Lane], search_term: str
    ) -> tuple[QuerySet[Lane], bool]:
        return queryset.filter(key__startswith=search_term.strip()), False

    @admin.action(permissions=["pause"], description="Pause: start nothing new in them")
    def pause(self, request: HttpRequest, queryset: QuerySet[Lane]) -> None:
        self._switch(request, queryset, paused=True)

    @admin.action(permissions=["pause"], description="Resume")
    def resume(self, request: HttpRequest, queryset: QuerySet[Lane]) -> None:
        self._switch(request, queryset, paused=False)

    def _switch(self, request: HttpRequest, queryset: QuerySet[Lane], *, paused: bool) -> None:
        keys = list(queryset.order_by("key").values_list("key", flat=True)[: operate.MOST + 1])
        report = operate.pause_lanes(keys[: operate.MOST], by=cells.who(request), paused=paused)
        cells.tell(request, report, more=len(keys) > operate.MOST)

    @admin.display(description="state")
    def state(self, lane: Lane) -> SafeString:
        if lane.paused:
            return cells.state("paused")
        return cells.state("held" if lane.held_until and lane.held_until > timezone.now() else "open")

    @admin.display(description="at its head")
    def head(self, lane: Lane) -> SafeString | str:
        job: Job | None = getattr(lane, "head", None)
        return cells.link("job", job.pk, f"{job.kind} {job.pk}, {job.status}") if job else "nothing"

    @admin.display(description="held by")
    def holder(self, lane: Lane) -> str:
        return lane.held_label or "–"

    @admin.display(description="until")
    def until(self, lane: Lane) -> SafeString | str:
        return cells.time(lane.held_until)
