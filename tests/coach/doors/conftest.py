"""Somebody at the door: a visitor, a mail server that keeps what it is given, and people with passwords."""

from typing import Any

import pytest
from django.test import Client

from tests import factories

PASSWORD = "a long password"


@pytest.fixture
def ana(db: None) -> Any:
    ana = factories.athlete("ana")
    ana.user.email = "ana@example.org"
    ana.user.save()
    return ana


@pytest.fixture
def boss(db: None) -> Any:
    return factories.staff("boss")


@pytest.fixture
def with_mail(settings: Any) -> None:
    settings.MAIL = True
    settings.MAILERS = {"default": {"BACKEND": "django.core.mail.backends.locmem.EmailBackend"}}


@pytest.fixture
def as_boss(boss: Any) -> Client:
    client = Client()
    client.force_login(boss)
    return client
