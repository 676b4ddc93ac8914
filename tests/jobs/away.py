"""A pool that is away for long, and what is queued in it."""

from datetime import timedelta

import pytest
from django.db.models.functions import Now

from jobs import api
from jobs.models import Job, Pool
from jobs.registry import KINDS
from jobs.transitions import workers
from tests.jobs.rows import WORKER

AWAY_S = 600
MINUTE = timedelta(minutes=1)


@pytest.fixture
def served(queue, tune):
    """A worker serves both pools, and ten minutes of an outage are long."""
    tune(SPARE_AFTER_SECONDS=AWAY_S)
    workers.register(WORKER, host="here", pid=1, slots=1, pools=["gateway", "wide"], kinds=list(KINDS), version="1")


def ask(count=1, kind="routed", **options):
    return [api.enqueue(kind, f"owner:{n % 3}", f"{kind}-{n}", **options).id for n in range(count)]


def close(name="gateway", *, for_s=AWAY_S, again_in_s=60):
    """Have a pool be down for so long already; it is tried again in so many seconds (negative: now)."""
    now = Now()
    Pool.objects.filter(pk=name).update(
        admit=1,
        failures=3,
        down_since=now - timedelta(seconds=for_s),
        closed_at=now - MINUTE,
        closed_until=now + timedelta(seconds=again_in_s),
    )


def in_pool(name):
    return set(Job.objects.filter(pool=name).values_list("id", flat=True))
