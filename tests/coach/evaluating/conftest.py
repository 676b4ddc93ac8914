"""An athlete with stored insights, a gateway that writes, and staff who are signed in."""

import pytest

from coach import panels, scopes
from coach.models import Insight
from coach.scopes.calendar import week_of
from jobs import testing
from tests import factories
from tests.coach.views.rows import signed_in


@pytest.fixture(autouse=True)
def _no_collected_files(settings):
    settings.MIDDLEWARE = [name for name in settings.MIDDLEWARE if "whitenoise" not in name]


@pytest.fixture
def stored(ana, gateway):
    """Three insights as the service keeps them, written by the trial gateway."""
    week = week_of(ana.today(), starts_on=ana.week_starts_on)
    for scope, subject in (("load", "current"), ("today", "current"), ("week", week)):
        panels.panel(ana, scopes.facts_for(scope, ana, subject), ana.user)
    testing.run_due()
    assert Insight.objects.filter(writer="model/trial/2").count() == 3
    return gateway


@pytest.fixture
def as_staff():
    return signed_in(factories.staff())
