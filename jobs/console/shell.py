"""Jobs and pools as lines of text, for the command."""

from collections.abc import Iterator, Sequence

from jobs import ticket
from jobs.console import logged, machine, masked, waits, words
from jobs.console.workers import Worker
from jobs.models import Attempt, Item, Job, Payload

HEAD = ("ID", "STATE", "KIND", "OWNER", "SUBJECT", "TRIES", "SINCE", "WAITS FOR, OR ERROR")
LONGEST = 60
ITEMS = 50


def table(jobs: Sequence[Job]) -> Iterator[str]:
    """Yield one line a job under a heading; the last column is a sentence."""
    explained = waits.of(jobs)
    rows = [HEAD, *(_row(job, explained.get(job.pk, waits.NOTHING)) for job in jobs)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEAD) - 1)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        yield "  ".join([*cells, row[-1]]).rstrip()
    if not jobs:
        yield "No jobs."


def _row(job: Job, wait: waits.Wait) -> tuple[str, ...]:
    moment = job.ended_at or job.started_at or job.created_at
    said = wait.sentence or words.problem(job.error_kind, job.error)
    owner, subject = (text[:LONGEST] or "-" for text in (job.owner, job.subject))
    return (str(job.pk), job.status, job.kind, owner, subject, str(job.attempts), words.when(moment), said)


def described(job: Job) -> Iterator[str]:
    explained = ticket.of_job(job.pk)
    yield f"Job {job.pk}: {job.kind}, owner {job.owner or '-'}, subject {job.subject or '-'}"
    yield f"  {job.status}. {explained.sentence if explained else ''}".rstrip()
    if explained and explained.position and job.status != "scheduled":
        ahead = f"; before it: {words.listed(explained.ahead)}" if explained.ahead else ""
        yield f"  place {waits.place(explained.position)}{ahead}"
    yield f"  lane {job.lane or '-'}, pool {job.pool or '-'}, put in line {words.when(job.created_at)}"
    if job.error_kind or job.error:
        yield f"  error: {words.problem(job.error_kind, job.error)}"
    for line in (logged.so_far(job) or "").splitlines():
        yield f"  logs: {line}"
    for attempt in Attempt.objects.filter(job=job.pk).order_by("number"):
        lasted = words.lasting((attempt.ended_at - attempt.started_at).total_seconds())
        problem = words.problem(attempt.error_kind, attempt.error)
        yield f"  attempt {attempt.number}: {attempt.outcome} after {lasted}. {problem}".rstrip()
    yield from _items(job)
    payload = Payload.objects.filter(pk=job.pk).first()
    for name, value in (("given", payload.args), ("gave back", payload.result)) if payload else ():
        if shown := masked.shown(value):
            yield f"  {name}: {shown}"


def _items(job: Job) -> Iterator[str]:
    for item in Item.objects.filter(job=job.pk).order_by("position")[:ITEMS]:
        yield f"  item {item.key}: {item.status}. {item.error}".rstrip()
    left_out = Item.objects.filter(job=job.pk).count() - ITEMS
    if left_out > 0:
        yield f"  and {left_out:,} more items"


def pool(picture: machine.Pool) -> Iterator[str]:
    yield f"{picture.name}: {picture.state}, capacity {picture.capacity}, gap {picture.gap_s:g} s"
    if picture.sentence:
        yield f"  {picture.sentence}"
    for seat in picture.seats:
        job = f"{seat.kind or 'job'} {seat.job} " if seat.job else ""
        yield f"  seat {seat.id}: {seat.state} {job}{seat.sentence}".rstrip()
    if picture.surplus:
        more = words.counted(picture.surplus, "seat")
        yield f"  {more} more than the capacity: no job takes one until they have gone."
    for line in picture.lines:
        yield f"  {line.label}: {line.depth} in line, {line.running} running"


def workers(found: Sequence[Worker]) -> Iterator[str]:
    for worker in found:
        version = f", version {worker.version}" if worker.version else ""
        yield f"{worker.name}: {worker.state}, {worker.busy} of {words.counted(worker.slots, 'slot')} busy{version}"
        yield f"  started {words.when(worker.started_at)}, heard from {worker.beat} ago"
        pools = f"; pools {', '.join(worker.pools)}" if worker.pools else ""
        yield f"  serves {', '.join(worker.kinds)}{pools}"
    if not found:
        yield "No worker is running."
