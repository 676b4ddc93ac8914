"""One change of all jobs that match a filter: a job of the same queue, whose items are spans of ids."""

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from typing import Any
from uuid import uuid4

from django.db.models import QuerySet
from django.utils.dateparse import parse_datetime

from jobs import sql, ticket
from jobs.console import found, operate
from jobs.console.found import Sought
from jobs.console.operate import Report
from jobs.exceptions import Stopped
from jobs.models import Item, Job
from jobs.registry import kind_of
from jobs.ticket import Ticket
from jobs.transitions import audit
from jobs.transitions.enqueue import Wish, enqueue
from jobs.worker.run import Run

KIND = "operate"
SPAN = 2000  # ids of an item
MOST_ITEMS = 2000
LONGEST = 128  # of a subject
LOOKED_AT = 500  # rows that are read together

SPANNED = "SELECT min(id) AS first, max(id) AS last, clock_timestamp()::text AS now FROM jobs_job"


def ask(verb: str, wanted: Sought, *, by: str, priority: int = operate.USUAL) -> Ticket | None:
    """Put the change in line, of the jobs there are now; None when there is none. It is in the audit as asked."""
    there = sql.row(SPANNED) or {}
    if there["first"] is None:
        return None
    first, last = _within(wanted, there["first"], there["last"])
    span = max(SPAN, (last - first) // MOST_ITEMS + 1)
    args = {"verb": verb, "by": by, "priority": priority, "sought": wanted.asked, "asked_at": there["now"]}
    owner, subject = f"staff:{by}"[:64], _subject(verb, wanted, priority)
    before = ticket.of_identity(KIND, owner, subject)
    if before and before.is_active:
        return before
    made = enqueue(
        Wish(
            kind=kind_of(KIND),
            owner=owner,
            subject=subject,
            fingerprint=uuid4().hex,
            priority=0,
            args=args,
            items=[f"{begins}-{min(begins + span - 1, last)}" for begins in range(first, last + 1, span)],
        )
    )
    audit.write(by, f"jobs.{verb}", wanted.sentence[:200], new={"job": made["id"] if made else None})
    return ticket.explain([made])[0] if made else None


def _subject(verb: str, wanted: Sought, priority: int) -> str:
    label = operate.VERBS[verb].label + (f" to {priority}" if verb == "priority" else "")
    whole = f"{label}: {wanted.sentence}"
    return whole if len(whole) <= LONGEST else f"{whole[: LONGEST - 9]} {sha256(whole.encode()).hexdigest()[:8]}"


def _within(wanted: Sought, first: int, last: int) -> tuple[int, int]:
    """Return the ids between which the age is what is asked for."""
    if wanted.age not in found.AGES:
        return first, last
    since = found.first_since(found.AGES[wanted.age][1]) or first
    return (first, since - 1) if wanted.age == "older" else (since, last)


def work(run: Run) -> dict[str, Any]:
    """Do it span by span. What a span did is its item's result; a span that was broken off is done again."""
    total = Item.objects.filter(job=run.id).count()
    for done, item in enumerate(run.items(), start=1):
        report = Report()
        try:
            for ids in _ids(run.args, *map(int, item.key.split("-"))):
                run.check()
                verb = operate.VERBS[run.args["verb"]]
                report.add(verb(ids, by=run.args["by"], priority=run.args["priority"]))
        except Stopped:
            with run.save():
                item.partial(f"Broken off. {report.sentence}", _told(report))
            raise
        with run.save():
            item.ok(_told(report))
        run.progress(done, max(total, done), "spans of ids")
    return _told(_all_of(run.id))


def _ids(args: dict[str, Any], first: int, last: int) -> Iterator[list[int]]:
    """Yield the ids of the span that match; each is acted on before the next are read."""
    while True:
        rows = _matching(args).filter(pk__gte=first, pk__lte=last).order_by("pk")
        ids = list(rows.values_list("pk", flat=True)[:LOOKED_AT])
        if ids:
            yield ids
        if len(ids) < LOOKED_AT:
            return
        first = ids[-1] + 1


def _matching(args: dict[str, Any]) -> QuerySet[Job]:
    rows = Job.objects.filter(found.sought(args["sought"]).condition).exclude(kind=KIND)
    if args["verb"].startswith("retry"):  # not what has ended since, perhaps for the second time by this very change
        rows = rows.filter(ended_at__lt=parse_datetime(args["asked_at"]))
    return rows


def _told(report: Report) -> dict[str, Any]:
    return {"said": report.sentence, "moved": dict(report.moved), "not moved": dict(report.refused)}


def _all_of(job: int) -> Report:
    whole = Report()
    results: Any = Item.objects.filter(job=job, result__isnull=False).values_list("result", flat=True)
    for result in results:
        whole.add(Report(moved=Counter(result["moved"]), refused=Counter(result["not moved"])))
    return whole
