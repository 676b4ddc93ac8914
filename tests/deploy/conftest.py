"""A second database for what is restored or upgraded beside the one of the tests."""

from collections.abc import Iterator

import pytest
from django.db import connection

from tests.processes import database_url


@pytest.fixture
def elsewhere(transactional_db: None) -> Iterator[str]:
    """The address of an empty database beside this one."""
    name = f"{connection.settings_dict['NAME']}_elsewhere"
    with connection.cursor() as cursor:
        cursor.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        cursor.execute(f'CREATE DATABASE "{name}"')
    yield database_url().rpartition("/")[0] + f"/{name}"
    with connection.cursor() as cursor:
        cursor.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
