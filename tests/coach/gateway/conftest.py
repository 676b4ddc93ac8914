"""The trial gateway as the upstream that settings name, and facts to write about."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from coach.gateway.memory import PROCESS
from coach.scopes.facts import Facts
from coach.trial import TrialGateway
from tests.coach.gateway.fake_run import FakeRun
from tests.coach.gateway.load_facts import load_facts


@pytest.fixture(autouse=True)
def _nothing_learnt() -> Iterator[None]:
    PROCESS.forget()
    yield
    PROCESS.forget()


@pytest.fixture
def facts() -> Facts:
    return load_facts()


@pytest.fixture
def run() -> FakeRun:
    return FakeRun()


@pytest.fixture
def upstream(settings: Any) -> Iterator[TrialGateway]:
    with TrialGateway() as gateway:
        point(settings, url=gateway.url)
        yield gateway


@pytest.fixture
def pointed(settings: Any) -> Callable[..., None]:
    """Point the settings at an upstream of the test's own."""
    return lambda **fields: point(settings, **fields)


def point(settings: Any, **fields: Any) -> None:
    settings.GATEWAY = {"url": "", "key": "", "model": "trial", "idle_seconds": 5, **fields}
