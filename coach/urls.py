"""Every address of Coach."""

from django.contrib import admin
from django.urls import path

from coach.views import account, activities, doors, imports, line, panels, profile, screens, sources

urlpatterns = [
    path("", doors.home, name="home"),
    path("login/", doors.login, name="login"),
    path("logout/", doors.logout, name="logout"),
    path("healthz", doors.healthz, name="healthz"),
    path("readyz", doors.readyz, name="readyz"),
    path("week/", screens.week, name="week"),
    path("week/<slug:subject>/", screens.week, name="week"),
    path("load/", screens.load, name="load"),
    path("activities/", activities.activities, name="activities"),
    path("activities/<int:pk>/", screens.activity, name="activity"),
    path("import/", imports.imports, name="imports"),
    path("import/<int:pk>/", imports.import_run, name="import_run"),
    path("import/<int:pk>/stop/", imports.import_stop, name="import_stop"),
    path("import/<int:pk>/retry/", imports.import_retry, name="import_retry"),
    path("import/files/<int:pk>/", imports.original, name="original"),
    path("sources/", sources.sources, name="sources"),
    path("sources/<int:pk>/", sources.source, name="source"),
    path("sources/<int:pk>/rename/", sources.source_rename, name="source_rename"),
    path("sources/<int:pk>/check/", sources.source_check, name="source_check"),
    path("insight/<slug:scope>/<slug:subject>/", panels.panel, name="panel"),
    path("insight/<slug:scope>/<slug:subject>/stop/", panels.panel_stop, name="panel_stop"),
    path("insight/<slug:scope>/<slug:subject>/retry/", panels.panel_retry, name="panel_retry"),
    path("line/", line.line, name="line"),
    path("line/<int:pk>/stop/", line.line_stop, name="line_stop"),
    path("line/<int:pk>/retry/", line.line_retry, name="line_retry"),
    path("settings/", profile.settings, name="settings"),
    path("settings/thresholds/<int:pk>/delete/", profile.threshold_delete, name="threshold_delete"),
    path("account/", account.account, name="account"),
    path("account/export/", account.account_export, name="account_export"),
    path("account/exports/<uuid:pk>/", account.account_download, name="account_download"),
    path("account/delete/", account.account_delete, name="account_delete"),
    path("admin/", admin.site.urls),
]
