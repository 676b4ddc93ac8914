"""The queue on a database that really commits; afterwards only the queue's own rows are deleted."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, transaction

from jobs.transitions import pools

WIPE = ";".join(f"DELETE FROM {model._meta.db_table}" for model in apps.get_app_config("jobs").get_models())  # noqa: S608


@pytest.fixture
def transactional_db(request: Any) -> None:
    """pytest-django's own, but not for `queue`: it truncates every table of the project, half a second a test."""
    if "queue" not in request.fixturenames:
        request.getfixturevalue("transactional_db")


@pytest.fixture
def queue(transactional_db: None, django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Let the test commit as a site does: what runs on commit runs, and other sessions see the rows."""
    with django_db_blocker.unblock():
        assert str(connection.settings_dict["NAME"]).startswith("test_"), "Only a test database may be wiped."
        yield
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(WIPE)
            pools.create_declared()
        connection.close()


@pytest.fixture
def tune(settings: Any) -> Callable[..., None]:
    """Change settings of the queue for this test."""

    def change(**values: Any) -> None:
        settings.JOBS = {**settings.JOBS, **values}

    return change
