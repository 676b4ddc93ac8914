"""Athletes and their thresholds."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from coach import thresholds
from coach.admin.kept import Kept, Listed
from coach.forms import LIMITS, ProfileForm, shown
from coach.models import Athlete, Threshold

if TYPE_CHECKING:  # Django's own class takes no parameter when the program runs
    PlainForm = forms.ModelForm[Threshold]
else:
    PlainForm = forms.ModelForm


@admin.register(Athlete)
class AthleteAdmin(Kept[Athlete]):
    form = ProfileForm
    fields = ("user", *ProfileForm.Meta.fields, "uses_model", "calls_a_day", "tokens_a_day")
    list_display = ("user", "time_zone", "units", "language", "sex", "birth_year", "in_line")
    list_select_related = ("user",)
    list_filter = ("language", "units")
    search_fields = ("user__username", "user__email")
    ordering = ("user__username",)
    raw_id_fields = ("user",)

    def get_readonly_fields(self, request: HttpRequest, obj: Athlete | None = None) -> tuple[str, ...]:
        return ("user",) if obj else ()

    def save_model(self, request: HttpRequest, obj: Athlete, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if {"sex", "birth_year"} & set(form.changed_data) and change:
            thresholds.changed(obj)

    @admin.display(description="jobs")
    def in_line(self, athlete: Athlete) -> SafeString:
        address = reverse("admin:jobs_job_changelist", query={"q": athlete.owner})
        return format_html('<a href="{}">{}</a>', address, athlete.owner)


class ThresholdForm(PlainForm):
    """Refuses what no human being can have."""

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if "kind" not in cleaned or "value" not in cleaned:
            return cleaned
        kind, value = Threshold.Kind(cleaned["kind"]), cleaned["value"]
        least, most = LIMITS[kind]
        if not least <= value <= most:
            self.add_error("value", f"This should lie between {shown(kind, least)} and {shown(kind, most)}.")
        return cleaned


@admin.register(Threshold)
class ThresholdAdmin(Listed[Threshold]):
    """Each edit has the athlete's history measured again."""

    form = ThresholdForm
    list_display = ("athlete", "kind", "worth", "valid_from", "estimated")
    list_select_related = ("athlete__user",)
    list_filter = ("kind", "estimated")
    search_fields = ("athlete__user__username",)
    ordering = ("athlete__user__username", "kind", "-valid_from")
    raw_id_fields = ("athlete",)
    show_full_result_count = False

    def save_model(self, request: HttpRequest, obj: Threshold, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        thresholds.changed(obj.athlete)

    def delete_model(self, request: HttpRequest, obj: Threshold) -> None:
        super().delete_model(request, obj)
        thresholds.changed(obj.athlete)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Threshold]) -> None:
        athletes = list(Athlete.objects.filter(thresholds__in=queryset).distinct())
        super().delete_queryset(request, queryset)
        for athlete in athletes:
            thresholds.changed(athlete)

    @admin.display(description="value")
    def worth(self, threshold: Threshold) -> str:
        return shown(threshold.kind, threshold.value)
