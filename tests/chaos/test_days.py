"""Ten athletes through each day of the trial gateway, two hundred times faster: its own log decides."""

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from coach import panels, scopes
from coach.models import Insight
from coach.trial import TrialGateway
from coach.trial.server import Neighbourhood
from jobs.models import Job
from jobs.transitions import invariants, pools
from tests import factories
from tests.processes import until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.full]

SCALE = 0.005  # an answer takes half a second, the longest five
# Who waits for a permit as well must not be given up: a call that never spoke keeps its seat for a minute of ours.
SCALES = {"starved": 0.002}
GAP_S = 0.1
NAMES = ("ana", "ben", "cleo", "dora", "emil", "finn", "gina", "hugo", "ina", "jan")
SCREENS = (("load", "current"), ("trends", "90d"))
SCALED = {
    "AI_JOB_CLAIM_TIMEOUT": "8",
    "COACH_GATEWAY_IDLE_SECONDS": "5.5",
    "COACH_GATEWAY_KEY": "",
    "COACH_GATEWAY_MODEL": "trial",
    "TEST_DOWN_SECONDS": "0.2",
    "TEST_MISCONFIGURED_SECONDS": "1",
    "TEST_BACKOFF_SECONDS": "0.4",
}
SETTLED = ("written", "partly", "builtin", "failed")  # failed: with the short version
# The neighbours' reserve: with one seat for Coach and three of them there is always a permit for each.
RESERVED = Neighbourhood(count=3, hold_s=0.4, rest_s=0.4)
DAYS = [
    ("normal-day", 1, SCREENS),
    ("normal-day", 2, SCREENS),
    ("bad-day", 1, SCREENS),
    ("outage", 1, SCREENS),
    ("starved", 1, SCREENS),
    ("poison", 1, SCREENS),
    ("hostile", 1, SCREENS[:1]),
]


def opened(owner: Any, scope: str, subject: str) -> Any:
    return panels.panel(owner, scopes.facts_for(scope, owner, subject), owner.user)


def in_flight(log: list[dict[str, Any]]) -> int:
    moments = sorted([(call["started"], 1) for call in log] + [(call["ended"], -1) for call in log])
    most = now = 0
    for _at, step in moments:
        now += step
        most = max(most, now)
    return most


@pytest.mark.parametrize(("day", "seed", "screens"), DAYS, ids=[f"{day} {seed}" for day, seed, _screens in DAYS])
def test_a_day_overruns_nothing_and_every_screen_gets_its_text(
    start_worker: Any, settings: Any, day: str, seed: int, screens: tuple[tuple[str, str], ...]
) -> None:
    owners = [factories.athlete(name) for name in NAMES]
    for owner in owners:
        factories.season(owner, days=60)
    pools.change("gateway", by="test", capacity=1, gap_s=GAP_S)
    crowd = Neighbourhood() if day == "starved" else RESERVED  # there the neighbours are the weather
    with TrialGateway(profile=day, scale=SCALES.get(day, SCALE), seed=seed, neighbourhood=crowd) as gateway:
        settings.GATEWAY = {**settings.GATEWAY, "url": gateway.url, "key": "", "model": "trial"}
        env = {**SCALED, "COACH_GATEWAY_URL": gateway.url}
        workers = [start_worker(slots=2, env=env), start_worker(slots=2, env=env)]
        for owner in owners:
            for scope, subject in screens:
                assert opened(owner, scope, subject).state != "no_data"
        until(lambda: not Job.objects.active().exists(), seconds=85, what="every text is written or given up")
        panels = [opened(owner, scope, subject) for owner in owners for scope, subject in screens]
        until(lambda: gateway.stats()["in_flight"] == 0, seconds=30, what="the gateway is done")
        log, stats = gateway.log(), gateway.stats()
        # Nobody asks again for what has not changed.
        for owner in owners:
            for scope, subject in screens:
                assert opened(owner, scope, subject).poll_ms is None
        assert len(gateway.log()) == len(log)
    print(day, seed, "calls", len(log), dict(Counter(panel.state for panel in panels)), stats["turns"])
    # What the gateway saw
    assert in_flight(log) <= 1
    calls = sorted(log, key=lambda call: float(call["started"]))
    assert all(after["started"] - before["ended"] >= GAP_S for before, after in pairwise(calls))
    assert stats["neighbours"]["kept_waiting"] == 0
    # What the athletes see
    assert all(panel.headline for panel in panels)
    assert {panel.state for panel in panels} <= set(SETTLED)
    written = Insight.objects.count()
    assert written == len(set(Insight.objects.values_list("athlete", "scope", "subject", "fingerprint")))
    assert written >= (0.5 if day == "hostile" else 0.7) * len(panels)
    # What the queue kept
    if day in ("outage", "starved"):
        assert not Job.objects.filter(attempts__gt=0).exists()
        assert written == len(panels)
    if day == "poison":
        assert Job.objects.exclude(status="succeeded").count() <= 1
    assert "Traceback" not in "".join(worker.log for worker in workers)
    until(lambda: not invariants.violations(), seconds=15, what="the audit finds nothing")
