"""`manage.py qcluster`: django-q2's own, which would answer a database that is away with tracebacks of its children."""

from typing import Any

from django.db import connection
from django_q.management.commands import qcluster
from django_q.models import Schedule


class Command(qcluster.Command):  # type: ignore[misc]  # django-q2 has no types
    def handle(self, *args: Any, **options: Any) -> None:
        Schedule.objects.exists()
        connection.close()
        super().handle(*args, **options)
