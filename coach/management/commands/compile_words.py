"""Compiles the translation files, after one was edited: python manage.py compile_words."""

from typing import Any

from django.core.management.base import BaseCommand

from coach import catalog


class Command(BaseCommand):
    help = "Compiles coach/locale/*/LC_MESSAGES/django.po; commit both files."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        for path in catalog.files():
            found = catalog.messages(path.read_text(encoding="utf-8"))
            path.with_suffix(".mo").write_bytes(catalog.compiled(found))
            self.stdout.write(f"{path.parent.parent.name}: {len(found) - 1} messages")
