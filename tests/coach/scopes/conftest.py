"""A Thursday morning that never passes, and an athlete in it."""

from datetime import datetime

import pytest
from django.utils import timezone

from coach.models import Athlete
from tests.coach.scopes import rows


@pytest.fixture(autouse=True)
def thursday(monkeypatch: pytest.MonkeyPatch) -> datetime:
    monkeypatch.setattr(timezone, "now", lambda: rows.MORNING)
    return rows.MORNING


@pytest.fixture
def ana(db: None) -> Athlete:
    return rows.athlete()
