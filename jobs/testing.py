"""For the tests of projects that use the queue: run what is due here and now, in this process."""

import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from django.db.models.functions import Now

from jobs import events
from jobs import ticket as tickets
from jobs.models import Job
from jobs.registry import KINDS
from jobs.ticket import Ticket
from jobs.transitions import claim, finish, pools, sweep
from jobs.transitions.claim import Claimed, Served
from jobs.transitions.outcomes import Attempted
from jobs.worker import lines
from jobs.worker.endings import outcome_of
from jobs.worker.run import Run


def run_due(*, most: int = 1000) -> int:
    """Claim and run jobs until nothing can be claimed; return how many ran. Gaps and closings hold."""
    pools.create_declared()
    worker = uuid.uuid4()
    served = Served(
        kinds={kind.name: kind.timeout_s for kind in KINDS.values()},
        pools=list(sweep.pool_names()),
    )
    for ran in range(most):
        job = claim.claim(worker, 1, served)
        if not isinstance(job, Claimed):
            return ran
        run_one(job)
    return most


def run_one(job: Claimed) -> None:
    """Run a claimed job as a slot would, without its process."""
    with events.within(job.id), lines.kept() as kept:
        try:
            how = Attempted(outcome="succeeded", result=KINDS[job.kind].handler(Run(job)))
        except BaseException as error:
            how = outcome_of(error)
    finish.end(job.id, job.token, replace(how, log=kept.text))


def drain() -> int:
    """Run everything, also what is set for later, without waiting."""
    total = 0
    while True:
        Job.objects.filter(status="scheduled").update(run_at=Now())
        sweep.due()
        ran = run_due()
        if not ran:
            return total
        total += ran


def wait(job_id: int, *, seconds: float = 30) -> Ticket:
    """Wait until real workers have finished the job."""
    until = time.monotonic() + seconds
    while True:
        found = tickets.of_job(job_id)
        assert found is not None, f"There is no job {job_id}."
        if found.is_finished:
            return found
        assert time.monotonic() < until, f"Job {job_id} is still {found.status}: {found.sentence}"
        time.sleep(0.05)


@contextmanager
def assert_enqueued(kind: str, *, owner: str | None = None, subject: str | None = None) -> Iterator[None]:
    """Check that the block enqueues a job of this kind, owner and subject."""
    wanted = {"kind": kind, **({"owner": owner} if owner is not None else {})}
    if subject is not None:
        wanted["subject"] = subject
    before = set(Job.objects.filter(**wanted).values_list("id", flat=True))
    yield
    after = set(Job.objects.filter(**wanted).values_list("id", flat=True))
    assert after - before, f"No job {wanted} was enqueued."
