"""The product as a Django app."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class CoachConfig(AppConfig):
    name = "coach"
    verbose_name = "Coach"

    def ready(self) -> None:
        from coach import checks as set_up  # noqa: F401  (registers the checks)
        from coach import schedules, thresholds
        from coach.gateway import checks  # noqa: F401  (registers the checks)

        post_migrate.connect(schedules.create, sender=self, dispatch_uid="coach.schedules")
        post_migrate.connect(thresholds.after_migrate, sender=self, dispatch_uid="coach.thresholds")
