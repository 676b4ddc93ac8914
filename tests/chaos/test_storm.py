"""Sixteen claiming processes in a storm of kills, freezes, cuts and changes: the gateway's log decides."""

from random import Random

import pytest

from coach.trial import TrialGateway
from coach.trial.server import Neighbourhood
from jobs import api, sql
from jobs.models import Job, Seat
from jobs.transitions import invariants
from tests.chaos import witness
from tests.chaos.sessions import deadlocks
from tests.chaos.storm import Storm
from tests.processes import until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.full]

STORM_S, SETTLE_S, GAP_S = 60, 120, 0.2
# A call takes 0.6 s, a slow one 1.5 s; before it stand at most a neighbour and calls whose clients have died.
CALL_S, CALL_MOST_S = 0.6, 6
LOADING = '{"error": {"message": "Loading model", "type": "unavailable_error", "code": 503}}'
FAULTS = ({"do": "status", "status": 503, "body": LOADING}, {"do": "reset"}, {"do": "answer", "delay_s": 1.5})
# What no log of a worker may show: none of its transactions waits for another that waits for it, or gives up waiting.
SURFACED = ("Traceback", "LockNotAvailable", "DeadlockDetected", "QueryCanceled", "IntegrityError")
# Two of the rules hold at every instant, not only after the storm.
ALWAYS = (invariants.SEATLESS, invariants.ORPHANED)


def faults(seed: int) -> list[dict[str, object]]:
    """One call in about fifteen fails or is slow."""
    chance = Random(seed)
    return [
        turn for _ in range(60) for turn in ({"do": "answer", "times": chance.randint(8, 20)}, chance.choice(FAULTS))
    ]


class Feed:
    """Keeps some jobs of each sort in line while the storm lasts."""

    def __init__(self, gateway: TrialGateway) -> None:
        self.call = {"url": gateway.url, "timeout": CALL_MOST_S, "streamed": False}
        self.ids: list[int] = []
        self.broken: list[object] = []

    def __call__(self) -> None:
        self.broken += [row for rule in ALWAYS for row in sql.rows(rule)]
        if Job.objects.filter(ended_at__isnull=True).count() < 40:
            self.more(10)

    def more(self, count: int) -> None:
        for n in range(len(self.ids), len(self.ids) + count):
            owner, subject = f"o{n % 5}", str(n)
            lane = {"seconds": 0.3, "lane": f"lane:{n % 3}"}
            tickets = [api.enqueue("calls", owner, subject, args=self.call)]
            tickets += [api.enqueue("lined", owner, subject, args=lane)] if n % 3 == 0 else []
            tickets += [api.enqueue("signs", owner, subject, args={"seconds": 0.1}, items="abc")] if n % 2 == 0 else []
            self.ids += [ticket.id for ticket in tickets]


@pytest.mark.parametrize("seed", [1, 2])
def test_a_storm_overruns_nothing_and_loses_nothing(start_worker, seed):
    before = deadlocks()
    shared = Neighbourhood(count=1, hold_s=0.4, rest_s=0.4)
    with TrialGateway(delay_s=CALL_S, permits=4, seed=seed, neighbourhood=shared) as gateway:
        gateway.script(faults(seed))
        feed = Feed(gateway)
        feed.more(20)
        storm = Storm(seed, gateway, start_worker, gap_s=GAP_S)
        until(lambda: Job.objects.filter(status="running").count() > 2, seconds=40, what="they work")
        storm.blow(STORM_S, meanwhile=feed)
        storm.calm()
        until(lambda: not Job.objects.filter(ended_at__isnull=True).exists(), seconds=SETTLE_S, what="every job ends")
        until(lambda: gateway.stats()["in_flight"] == 0, what="the upstream is done with every call")
        calls = witness.made(gateway.log())
        print("did", {name: storm.did.count(name) for name in sorted(set(storm.did))}, "caps", len(storm.caps))
    print("jobs", len(feed.ids), "calls", len(calls), "of the dead", len(witness.orphaned(calls)))
    # What the upstream saw
    assert max(call.ended - call.started for call in calls) < CALL_MOST_S, "the gateway broke its own promise"
    assert witness.overruns(calls, storm.caps, gap_s=GAP_S) == []
    assert witness.twice(calls) == []
    assert witness.late(calls) == []
    assert witness.orphaned(calls), "the storm was too mild to prove that a seat lingers"
    # What became of the jobs
    ended = Job.objects.filter(pk__in=feed.ids)
    assert witness.ended_otherwise(ended) == []
    assert ended.filter(status="succeeded").count() > 0.7 * len(feed.ids)
    assert not ended.filter(attempts__gt=0, downs__lt=3).exists()
    assert witness.late_writes() == []
    # What is left
    assert feed.broken == []
    assert not Seat.objects.filter(job__isnull=False).exists()
    until(lambda: not invariants.violations(), seconds=15, what="the audit finds nothing")
    assert Seat.objects.filter(pool="gateway").count() == 4
    assert deadlocks() == before
    logs = "\n".join(worker.log for worker in storm.all)
    assert [word for word in SURFACED if word in logs] == []
