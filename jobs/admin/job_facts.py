"""The facts on one job's page, each a name and a cell."""

from collections.abc import Iterator

from django.utils.html import format_html
from django.utils.safestring import SafeString

from jobs.admin import cells
from jobs.console import machine, words
from jobs.models import Call, Job, Status, Watch, Worker
from jobs.models.job import QUEUED

type Fact = tuple[str, SafeString | str]

PROMOTED = {
    "staff": "promoted by staff",
    "now": "staff want it to run now",
    "watch": "a screen is open on it",
    "patience": "it had waited too long",
}


def of(job: Job) -> Iterator[Fact]:
    """Yield what is known; a fact that does not apply is left out."""
    yield "Kind", job.kind
    yield "Owner", job.owner or "–"
    yield "Subject", job.subject or "–"
    yield "Lane", cells.link("lane", job.lane)
    yield "Pool", cells.link("pool", job.pool)
    if job.status in QUEUED:
        yield "Order", _order(job)
    yield from _times(job)
    yield "Spent", _spent(job)
    if job.status == Status.RUNNING:
        yield from _running(job)
    if job.stop_by:
        yield "Stop asked by", job.stop_by
    yield "Fingerprint", job.fingerprint or "–"
    if job.wanted_fingerprint:
        yield "Wanted fingerprint", job.wanted_fingerprint


def _order(job: Job) -> str:
    watched = Watch.objects.filter(job=job.pk).count()
    screens = f", {words.counted(watched, 'open screen')}" if watched else ""
    if job.band == 0:
        return f"Before all others: {PROMOTED.get(job.promoted, 'promoted')}{screens}"
    return f"By its turn, {job.turn:%Y-%m-%d %H:%M:%S} (priority {job.priority}){screens}"


def _times(job: Job) -> Iterator[Fact]:
    for name, moment in (
        ("Put in line", job.created_at),
        ("Set for", job.run_at),
        ("Started", job.started_at),
        ("Deadline", job.deadline),
        ("Ended", job.ended_at),
    ):
        if moment is not None:
            yield name, cells.time(moment)


def _spent(job: Job) -> str:
    said = [words.counted(job.attempts, "failed attempt")]
    if job.crashes:
        said.append(f"its process died {words.counted(job.crashes, 'time')}")
    if job.downs:
        said.append(f"upstream down {words.counted(job.downs, 'time')}")
    return ", ".join(said)


def _running(job: Job) -> Iterator[Fact]:
    worker = Worker.objects.filter(pk__in=[job.worker]).first()
    named = cells.link("worker", worker.pk, str(worker)) if worker else f"{job.worker} (gone)"
    yield "Worker", format_html("{}, slot {}", named, job.slot)
    for seat in machine.seats(pool=job.pool) if job.pool else ():
        if seat.job == job.pk:
            yield "Seat", cells.link("seat", seat.id, f"seat {seat.id} of {seat.pool}")
    call = Call.objects.filter(pk=job.pk).first()
    if call and call.token == job.token:
        yield "Call", _call(call)


def _call(call: Call) -> str:
    how = "streamed" if call.streamed else "in one piece"
    began = f"Begun {words.when(call.started_at)}, {how}"
    if call.over_at:
        return f"{began}; ended {words.when(call.over_at)}."
    if call.broken_at:
        return f"{began}; broken off {words.when(call.broken_at)}, it may still run up there."
    spoke = "its answer has begun" if call.spoke else "no word of an answer yet"
    return f"{began}; {spoke}; over by {words.clock(call.call_until)} at the latest."
