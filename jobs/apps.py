"""The queue as a Django app."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.module_loading import autodiscover_modules


class JobsConfig(AppConfig):
    name = "jobs"
    verbose_name = "Jobs"

    def ready(self) -> None:
        from jobs import checks  # noqa: F401  (registers the checks)
        from jobs.transitions import pools

        autodiscover_modules("handlers")
        post_migrate.connect(pools.create_declared, sender=self, dispatch_uid="jobs.pools")
