"""The pages that other apps bring to the console, without what would give more away than they need."""

from typing import Any

from axes import admin as axes_admin  # noqa: F401  (registers what is taken out below)
from axes.models import AccessFailureLog, AccessLog
from django.contrib import admin
from django.http import HttpRequest
from django_otp.plugins.otp_static import admin as static_admin  # noqa: F401
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp import admin as totp_admin  # noqa: F401
from django_otp.plugins.otp_totp.models import TOTPDevice
from django_q.admin import ScheduleAdmin
from django_q.models import Schedule

# The secrets of the second step are nobody's to look at, and two tables are not written.
for model in (TOTPDevice, StaticDevice, AccessLog, AccessFailureLog, Schedule):
    admin.site.unregister(model)


@admin.register(Schedule)
class TimesAdmin(ScheduleAdmin):  # type: ignore[misc]
    """Staff say when, never what: django-q2 calls any function by its name, and that would be any code."""

    fields = ("name", "func", "schedule_type", "minutes", "cron", "repeats", "next_run")
    readonly_fields = ("name", "func")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
