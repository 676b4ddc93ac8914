"""People of the staff: one may do everything, others may operate the queue, or configure it, or only look."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.contrib.sessions.models import Session
from django.test import Client

PASSWORD = "a long password"
MAY = {"operator": ("operate_job",), "configurer": ("change_pool",)}


def views() -> list[Permission]:
    return list(Permission.objects.filter(codename__startswith="view_"))


def create(name: str) -> User:
    if name == "root":
        return User.objects.create_superuser(name, password=PASSWORD)
    user = User.objects.create_user(name, password=PASSWORD, is_staff=name != "stranger")
    user.user_permissions.add(*views())
    user.user_permissions.add(*Permission.objects.filter(codename__in=MAY.get(name, ())))
    return user


@pytest.fixture(autouse=True)
def no_collected_files(settings: Any) -> None:
    """Nothing is collected before tests, and WhiteNoise warns of the folder that is not there."""
    settings.MIDDLEWARE = [name for name in settings.MIDDLEWARE if "whitenoise" not in name]


@pytest.fixture
def sign_in(request: pytest.FixtureRequest) -> Iterator[Callable[[str], Client]]:
    """Return a client of root, operator, configurer, viewer or stranger; they are deleted with the test."""
    if "queue" not in request.fixturenames:
        request.getfixturevalue("db")
    made: list[User] = []

    def enter(name: str) -> Client:
        client = Client()
        user = User.objects.filter(username=name).first()
        if user is None:
            user = create(name)
            made.append(user)
        client.force_login(user)
        client.get("/admin/")  # the first page gives the session its end
        return client

    yield enter
    for user in made:
        user.delete()
    Session.objects.all().delete()


@pytest.fixture
def root(sign_in: Callable[[str], Client]) -> Client:
    return sign_in("root")


@pytest.fixture
def operator(sign_in: Callable[[str], Client]) -> Client:
    return sign_in("operator")


@pytest.fixture
def configurer(sign_in: Callable[[str], Client]) -> Client:
    return sign_in("configurer")


@pytest.fixture
def viewer(sign_in: Callable[[str], Client]) -> Client:
    return sign_in("viewer")


def said(response: Any) -> list[str]:
    """Return the messages that the page shows."""
    return [str(message) for message in response.context["messages"]]
