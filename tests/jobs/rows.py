"""Jobs in the state that a test needs, moved there by the queue's own statements."""

import uuid
from datetime import timedelta
from typing import Any

from django.db.models import F

from jobs import api, sql
from jobs.models import Job, Seat
from jobs.registry import KINDS
from jobs.transitions import calls, claim, finish
from jobs.transitions.claim import Claimed, Served
from jobs.transitions.outcomes import Attempted, Ending

WORKER = uuid.UUID(int=1)


def serving(*kinds: str, pools: tuple[str, ...] = ("gateway", "wide"), poolless: bool = True) -> Served:
    return Served(kinds=dict.fromkeys(kinds or KINDS, 600.0), pools=pools, poolless=poolless)


def try_claim(*kinds: str, slot: int = 1, **served: Any) -> Any:
    return claim.claim(WORKER, slot, serving(*kinds, **served))


def take(*kinds: str, slot: int = 1, **served: Any) -> Claimed:
    """Claim the best job of these kinds (of all without a name); there must be one."""
    job = try_claim(*kinds, slot=slot, **served)
    assert isinstance(job, Claimed), job
    return job


def enqueue(*subjects: str, kind: str = "plain", **options: Any) -> list[api.Ticket]:
    """Enqueue a job of ana's for each subject."""
    return [api.enqueue(kind, "ana", subject, **options) for subject in subjects]


def started(kind: str = "plain", subject: str = "1", *, owner: str = "ana", slot: int = 1, **options: Any) -> Claimed:
    """Enqueue a job and claim it."""
    ticket = api.enqueue(kind, owner, subject, **options)
    job = take(kind, slot=slot)
    assert job.id == ticket.id
    return job


def end(job: Claimed, outcome: Any = "succeeded", **how: Any) -> Ending:
    """End the attempt; it must still be this token's."""
    ending = finish.end(job.id, job.token, Attempted(outcome=outcome, **how))
    assert ending is not None
    return ending


def called(job: Claimed, *, timeout_s: float = 100, streamed: bool = True, ago_s: float = 0) -> None:
    """Record a call that began `ago_s` seconds ago."""
    calls.begin(job.id, job.token, timeout_s=timeout_s, streamed=streamed)
    if ago_s:
        sql.run("UPDATE jobs_call SET started_at = started_at - make_interval(secs => %(s)s)", s=ago_s)


def row(job: Any) -> Job:
    """Return the row as it is now, of a ticket, a claimed job or an id."""
    return Job.objects.get(pk=job if isinstance(job, int) else job.id)


def status(job: Any) -> str:
    return row(job).status


def later(job: Any, seconds: float, *fields: str) -> None:
    """Move these moments of a job by so many seconds (negative: into the past)."""
    number = job if isinstance(job, int) else job.id
    Job.objects.filter(pk=number).update(**{name: F(name) + timedelta(seconds=seconds) for name in fields})


def seat_rests_s(pool: str = "gateway") -> float:
    """Return for how long the pool's only seat still rests; its last state is its attempt's end."""
    found = sql.row(
        "SELECT extract(epoch FROM s.free_at - clock_timestamp())::float AS s FROM jobs_seat s WHERE pool = %(pool)s",
        pool=pool,
    )
    assert found is not None
    assert Seat.objects.filter(pool=pool, job__isnull=True).count() == 1
    return float(found["s"])
