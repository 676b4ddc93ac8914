"""Django's admin as an app, with Coach's own site in it."""

from django.contrib.admin.apps import AdminConfig


class StaffApp(AdminConfig):
    default_site = "coach.staff_site.StaffSite"
