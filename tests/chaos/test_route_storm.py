"""Two upstreams and a route between them in a storm, while people stop, ask again, promote and hurry what waits."""

from collections.abc import Callable
from contextlib import suppress
from random import Random

import pytest

from coach.trial import TrialGateway
from jobs import api, sql
from jobs.models import Audit, Job, Seat, Worker
from jobs.transitions import invariants, pools, urgency, workers
from tests.chaos import witness
from tests.chaos.sessions import deadlocks
from tests.chaos.storm import SLOTS, Storm
from tests.chaos.test_storm import ALWAYS, SURFACED
from tests.processes import until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.full]

STORM_S, SETTLE_S, GAP_S = 60, 120, 0.2
CALL_S, CALL_MOST_S = 0.4, 6
SEATS_OF_THE_SPARE = 2


class RouteStorm(Storm):
    """The first upstream is away half of the time; its jobs go to the spare after a second, and come back."""

    def start(self, number: int):
        times = {"TEST_DOWN_SECONDS": "0.3", "TEST_SPARE_AFTER_SECONDS": "1", "TEST_WATCH_SECONDS": "2"}
        return self._start(slots=SLOTS, args=("--no-clock",), env=times)

    def blow(self, seconds: float, *, meanwhile: Callable[[], None]) -> None:
        super().blow(seconds, meanwhile=lambda: (self.weather(), self.somebody(), meanwhile()))

    def calm(self) -> None:
        self.gateway.open_listener()
        super().calm()

    def weather(self) -> None:
        if self.chance.random() < 0.12:
            self.gateway.close_listener()
            self.did.append("outage")
        elif self.chance.random() < 0.12:
            self.gateway.open_listener()
        elif self.chance.random() < 0.03:
            pools.change("gateway", by="storm", paused=True)
            self.did.append("pause")
        else:
            pools.change("gateway", by="storm", paused=False)

    def somebody(self) -> None:
        """Do what people do, to jobs in any state."""
        for _ in range(3):
            job = self.chance.choice(list(Job.objects.values_list("id", "owner", "subject")))
            act = self.chance.choice(["stop", "retry", "promote", "now", "priority", "watch", "look", "drain"])
            self.did.append(act)
            match act:
                case "stop":
                    api.stop(job[0], by="somebody")
                case "retry":
                    api.retry(job[0], by="somebody")
                case "promote":
                    api.promote(job[0], by="somebody")
                case "now":
                    urgency.run_now(job[0], by="somebody")
                case "priority":
                    urgency.change_priority(job[0], self.chance.randrange(100), by="somebody")
                case "watch":
                    api.watch(job[0], f"user {self.chance.randrange(3)}")
                case "look":
                    api.ticket("routed", job[1], job[2], watch=f"user {self.chance.randrange(3)}")
                case "drain" if self.chance.random() < 0.05:
                    self.drain()

    def drain(self) -> None:
        """By the console; whoever keeps it running starts another."""
        number = self.chance.randrange(4)
        for row in Worker.objects.filter(pid=self.workers[number].pid):
            workers.drain(row.pk, by="somebody")
            self.replace(number)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_route_in_a_storm_overruns_neither_upstream_and_loses_nothing(start_worker, seed):
    before = deadlocks()
    pools.change("wide", by="test", capacity=SEATS_OF_THE_SPARE, gap_s=GAP_S)
    with TrialGateway(delay_s=CALL_S, permits=4) as first, TrialGateway(delay_s=CALL_S, permits=4) as spare:
        args = {"urls": {"gateway": first.url, "wide": spare.url}, "timeout": CALL_MOST_S, "streamed": False}
        chance = Random(seed)
        broken: list[object] = []

        def feed() -> None:
            broken.extend(row for rule in ALWAYS for row in sql.rows(rule))
            if Job.objects.filter(ended_at__isnull=True).count() < 30:
                for _ in range(10):
                    number = Job.objects.count()
                    watch = f"user {number % 3}" if chance.random() < 0.3 else ""
                    api.enqueue("routed", f"o{number % 5}", str(number), args=args, watch=watch)
                    api.enqueue("lined", "o", str(number), args={"lane": f"lane:{number % 3}", "seconds": 0.1})

        feed()
        storm = RouteStorm(seed, first, start_worker, gap_s=GAP_S)
        until(lambda: Job.objects.filter(status="running").count() > 1, seconds=40, what="they work")
        storm.blow(STORM_S, meanwhile=feed)
        storm.calm()
        with suppress(AssertionError):
            until(lambda: not Job.objects.filter(ended_at__isnull=True).exists(), seconds=SETTLE_S)
        left = list(Job.objects.filter(ended_at__isnull=True).values_list("id", "kind", "status", "pool", "run_at"))
        assert left == []
        for gateway in (first, spare):
            until(lambda gateway=gateway: gateway.stats()["in_flight"] == 0, what="the upstreams are done")
        print("did", {name: storm.did.count(name) for name in sorted(set(storm.did))})
        print("calls", len(first.log()), len(spare.log()), "moves", Audit.objects.filter(action="job.reroute").count())
        known = [call for call in first.log() if call["job"]]
        at_first, at_spare = witness.made(known), witness.made(spare.log())
    assert witness.overruns(at_first, storm.caps, gap_s=0) == []  # run_now goes past the gap
    assert witness.overruns(at_spare, witness.Caps(SEATS_OF_THE_SPARE), gap_s=0) == []
    assert witness.twice([*at_first, *at_spare]) == []
    assert witness.late([*at_first, *at_spare]) == []
    assert broken == []
    assert at_spare, "nothing was moved"
    assert not Seat.objects.filter(job__isnull=False).exists()
    until(lambda: not invariants.violations(), seconds=15, what="the audit finds nothing")
    assert deadlocks() == before
    logs = "\n".join(worker.log for worker in storm.all)
    assert [word for word in SURFACED if word in logs] == []
