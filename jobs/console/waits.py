"""What each job of a page waits for: the ticket's own statements, asked for all rows at once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db.models.functions import Now

from jobs import ticket
from jobs.conf import conf
from jobs.console import words
from jobs.models import Job, Progress, Status, Worker


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    """What a row says beside its state. `place` is its position in words."""

    reason: str = ""
    sentence: str = ""
    place: str = ""


NOTHING = Wait()


def of(jobs: Sequence[Job]) -> dict[int, Wait]:
    """Return what each active job waits for or how it runs, in at most three statements."""
    queued = [job for job in jobs if job.status in ticket.QUEUED]
    running = [job for job in jobs if job.status == Status.RUNNING]
    return {**_queued(queued), **_running(running)}


def _queued(jobs: list[Job]) -> dict[int, Wait]:
    if not jobs:
        return {}
    facts = {row["id"]: row for row in ticket.why([vars(job) for job in jobs])}
    return {job.pk: _wait(job, facts[job.pk], sum((facts[job.pk]["ahead"] or {}).values())) for job in jobs}


def _wait(job: Job, facts: dict[str, Any], ahead: int) -> Wait:
    reason, sentence = ticket.reason_of(vars(job), facts, ahead + 1)
    return Wait(reason=reason, sentence=sentence, place="" if job.status == Status.SCHEDULED else place(ahead + 1))


def place(position: int) -> str:
    return f"over {ticket.MOST:,}" if position > ticket.MOST else f"{position:,}"


def _running(jobs: list[Job]) -> dict[int, Wait]:
    if not jobs:
        return {}
    progress = {row.job: row for row in Progress.objects.filter(job__in=[job.pk for job in jobs], total__gt=0)}
    alive = _alive({job.worker for job in jobs if job.worker})
    return {job.pk: _run(job, progress.get(job.pk), silent=job.worker not in alive) for job in jobs}


def _alive(asked: Iterable[UUID]) -> set[UUID]:
    """Return those of the workers whose lease has not run out."""
    since = Now() - timedelta(seconds=conf().SELF_KILL_SECONDS)
    return set(Worker.objects.filter(pk__in=list(asked), heartbeat_at__gte=since).values_list("pk", flat=True))


def _run(job: Job, progress: Progress | None, *, silent: bool) -> Wait:
    if silent:
        return Wait(reason="silent_worker", sentence="Its worker has fallen silent; the job moves on soon.")
    if job.stop_token is not None and job.stop_token == job.token:
        return Wait(sentence="It is being stopped.")
    if progress:
        return Wait(sentence=f"{progress.done:,} of {progress.total:,} {progress.note}".strip() + ".")
    return Wait(sentence=f"Running, {words.when(job.started_at).removesuffix(' ago')} so far.")
