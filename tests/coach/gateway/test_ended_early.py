"""A call that we break off ourselves is no failure of the gateway, and its seat waits until that call must be over."""

import signal
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from coach.trial import TrialGateway
from jobs import api
from jobs.models import Attempt, Job, Pool, Seat
from tests.processes import Worker, until

pytestmark = pytest.mark.django_db(transaction=True)

TIMEOUT_S = 20
SILENT = {"do": "answer", "delay_s": 60}
TALKING = {"do": "slow", "seconds": 0.2, "text": "word " * 500}


@pytest.fixture
def slow() -> Iterator[TrialGateway]:
    with TrialGateway() as gateway:
        yield gateway


def stop(worker: Worker, job: int) -> None:
    api.stop(job, by="ana")


def terminate(worker: Worker, job: int) -> None:
    worker.signal(signal.SIGTERM)


def lose_the_lease(worker: Worker, job: int) -> None:
    """The worker is killed and says no more; another one takes its jobs over."""
    worker.kill()


# What is done; what the job is then, with its crashes; what its attempt is called; how long its seat lingers then.
EARLY: list[tuple[Callable[[Worker, int], None], Any, str, int, str, float]] = [
    (stop, SILENT, "cancelled", 0, "stopped", 60),  # it may still be reading the prompt
    (stop, TALKING, "cancelled", 0, "stopped", 5),  # it notices at its next word
    (terminate, SILENT, "ready", 0, "drained", 60),
    (terminate, TALKING, "ready", 0, "drained", 5),
    (lose_the_lease, SILENT, "ready", 1, "crashed", TIMEOUT_S),  # nobody knows: until the call must be over
]


@pytest.mark.parametrize(
    ("act", "turn", "status", "crashes", "outcome", "rests_s"),
    EARLY,
    ids=[f"{row[0].__name__} {row[5]}" for row in EARLY],
)
def test_what_we_break_off_is_no_failure(
    start_worker: Callable[..., Worker],
    slow: TrialGateway,
    act: Callable[[Worker, int], None],
    turn: Any,
    status: str,
    crashes: int,
    outcome: str,
    rests_s: float,
) -> None:
    slow.script([turn])
    env = {"COACH_GATEWAY_URL": slow.url, "COACH_GATEWAY_KEY": "", "TEST_STOP_GRACE_SECONDS": "1"}
    worker = start_worker(env=env, args=("--no-clock", "--grace", "1"))
    ticket = api.enqueue("asks", "ana", "1", args={"timeout": TIMEOUT_S})
    until(lambda: slow.log() and (turn is SILENT or slow.log()[0]["tokens"] > 3), what="the call is under way")
    if act is lose_the_lease:
        start_worker(env=env)
    act(worker, ticket.id)
    until(lambda: Attempt.objects.filter(job=ticket.id).exists(), seconds=30, what="the attempt ends")
    job, attempt = Job.objects.get(pk=ticket.id), Attempt.objects.get(job=ticket.id)
    seat = Seat.objects.get(pool="gateway")
    assert (job.status, job.attempts, job.crashes, attempt.outcome) == (status, 0, crashes, outcome)
    assert Pool.objects.get(pk="gateway").closed_until is None
    assert seat.why == "lingering"
    since = slow.log()[0]["started"] if outcome == "crashed" else attempt.ended_at.timestamp()
    assert rests_s - 2 < seat.free_at.timestamp() - since <= rests_s + (2 if outcome == "crashed" else 0)
    assert len(slow.log()) == 1
