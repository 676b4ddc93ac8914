"""An athlete with a season, and a writing service: one for jobs of this process, or one that workers ask."""

import pytest

from coach.models import Source
from coach.trial import TrialGateway
from tests import factories


@pytest.fixture
def ana():
    owner = factories.athlete()
    factories.season(owner)
    return owner


@pytest.fixture
def source(ana):
    """Where all of the athlete's sessions come from."""
    return Source.objects.get(athlete=ana)


@pytest.fixture
def configured(settings):
    """Have this process ask this gateway; return the environment in which a worker does."""

    def use(gateway):
        settings.GATEWAY = {**settings.GATEWAY, "url": gateway.url, "key": "", "model": "trial"}
        return {"COACH_GATEWAY_URL": gateway.url, "COACH_GATEWAY_MODEL": "trial", "COACH_GATEWAY_KEY": ""}

    return use


@pytest.fixture
def gateway(settings, configured):
    """A gateway for jobs that run in this process."""
    with TrialGateway() as upstream:
        configured(upstream)
        settings.JOBS = {**settings.JOBS, "POOLS": {"gateway": {"capacity": 1, "gap": 0}}}
        yield upstream
