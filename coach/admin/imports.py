"""Where recordings come from, and every file that was handed in."""

from typing import Any

from django.contrib import admin
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from coach.admin.kept import Derived, Kept
from coach.models import ImportFile, ImportRun, Source


@admin.register(Source)
class SourceAdmin(Kept[Source]):
    list_display = ("name", "athlete", "line", "created_at")
    list_select_related = ("athlete__user",)
    search_fields = ("name", "athlete__user__username")
    fields = ("athlete", "name", "line", "created_at")
    readonly_fields = ("athlete", "line", "created_at")
    ordering = ("-id",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    @admin.display(description="line")
    def line(self, source: Source) -> SafeString:
        return format_html(
            '<a href="{}">{}</a>', reverse("admin:jobs_lane_changelist", query={"q": source.lane}), source.lane
        )


@admin.register(ImportRun)
class ImportRunAdmin(Derived[ImportRun]):
    list_display = ("id", "source", "athlete", "created_at", "its_files", "its_job")
    list_select_related = ("source__athlete__user",)
    search_fields = ("=id", "source__athlete__user__username")
    fields = ("source", "created_at", "its_files", "its_job")
    ordering = ("-id",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[ImportRun]:
        counted = ImportFile.objects.filter(run=OuterRef("pk")).order_by().values("run").annotate(n=Count("pk"))
        return super().get_queryset(request).annotate(n=Subquery(counted.values("n")))

    @admin.display(description="athlete")
    def athlete(self, run: ImportRun) -> str:
        return str(run.source.athlete)

    @admin.display(description="files")
    def its_files(self, run: ImportRun) -> SafeString:
        address = reverse("admin:coach_importfile_changelist", query={"run__id__exact": run.pk})
        return format_html('<a href="{}">{}</a>', address, getattr(run, "n", None) or 0)

    @admin.display(description="job")
    def its_job(self, run: ImportRun) -> SafeString:
        query = {"kind": "import", "q": f"{run.source.athlete.owner} {run.pk}"}
        return format_html('<a href="{}">its job</a>', reverse("admin:jobs_job_changelist", query=query))


@admin.register(ImportFile)
class ImportFileAdmin(Derived[ImportFile]):
    list_display = ("name", "run", "outcome", "size", "sentence")
    list_filter = ("outcome",)
    search_fields = ("name", "=sha256")
    ordering = ("-id",)

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        return lookup == "run__id__exact" or super().lookup_allowed(lookup, value, request)
