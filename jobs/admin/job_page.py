"""What one job's page shows: its ticket, its attempts and items, what it was given and gave back."""

import json
from dataclasses import dataclass

from django.db.models import Case, IntegerField, Value, When
from django.http import Http404

from jobs import ticket
from jobs.admin import job_facts
from jobs.admin.job_facts import Fact
from jobs.console import history, masked, operate, words
from jobs.models import Attempt, Audit, Item, Job, Payload
from jobs.ticket import Ticket

ATTEMPTS = 50
ITEMS = 200
RESULT = 200  # characters of an item's
WIDTH, NARROWEST = 240, 2
REPEATED = ("failed", "partial", "cancelled")


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """An attempt in the life of its job: where it lies in a drawing of WIDTH, how long it waited and lasted."""

    attempt: Attempt
    x: float
    width: float
    waited: str
    lasted: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    ticket: Ticket
    facts: tuple[Fact, ...]
    attempts: tuple[Span, ...]
    items: list[Item]
    args: str
    result: str
    audit: list[Audit]
    verbs: tuple[tuple[str, str], ...]
    problem: str

    @property
    def says(self) -> str:
        """The state stands beside it, so of a running job only how long and how long usually."""
        elapsed, usual = self.ticket.elapsed_s, self.ticket.usual_s
        if self.ticket.status != "running" or self.ticket.reason or self.ticket.stopping or elapsed is None:
            return self.ticket.sentence
        often = f"; usually {words.lasting(usual[0])} to {words.lasting(usual[1])}" if usual else ""
        return f"for {words.lasting(elapsed)}{often}."

    @property
    def item_counts(self) -> str:
        return words.listed(self.ticket.items)

    @property
    def items_left_out(self) -> int:
        return sum(self.ticket.items.values()) - len(self.items)

    @property
    def ahead(self) -> str:
        return ", ".join(f"{kind} ({n:,})" for kind, n in self.ticket.ahead.items())


def of(job: Job) -> Page:
    payload = Payload.objects.filter(pk=job.pk).first()
    explained = ticket.of_job(job.pk)
    if explained is None:
        raise Http404(f"Job {job.pk} has been pruned.")
    return Page(
        ticket=explained,
        facts=tuple(job_facts.of(job)),
        attempts=_spans(job),
        items=_items(job),
        args=masked.shown(payload.args) if payload else "",
        result=masked.shown(payload.result) if payload else "",
        audit=history.of(f"job {job.pk}"),
        verbs=tuple((verb, label) for verb, label in _labels() if _may(verb, job, explained)),
        problem=words.problem(job.error_kind, job.error),
    )


def _spans(job: Job) -> tuple[Span, ...]:
    """Return the newest attempts, the first of them first."""
    newest = Attempt.objects.filter(job=job.pk).order_by("-number")[:ATTEMPTS]
    attempts = sorted(newest, key=lambda attempt: attempt.number)
    if not attempts:
        return ()
    begins = job.created_at if attempts[0].number == 1 else attempts[0].started_at
    whole = max((attempts[-1].ended_at - begins).total_seconds(), 0.001)
    before, found = begins, []
    for attempt in attempts:
        waited, lasted = attempt.started_at - before, attempt.ended_at - attempt.started_at
        x = max(0.0, (attempt.started_at - begins).total_seconds() / whole * WIDTH)
        width = max(NARROWEST, lasted.total_seconds() / whole * WIDTH)
        found.append(
            Span(
                attempt=attempt,
                x=round(min(x, WIDTH - NARROWEST), 1),
                width=round(min(width, WIDTH - min(x, WIDTH - NARROWEST)), 1),
                waited=words.lasting(waited.total_seconds()),
                lasted=words.lasting(lasted.total_seconds()),
            )
        )
        before = attempt.ended_at
    return tuple(found)


def _items(job: Job) -> list[Item]:
    """Return the items, those that did not succeed first."""
    trouble = Case(
        When(status__in=("failed", "partial"), then=Value(0)),
        When(status="running", then=Value(1)),
        default=Value(2),
        output_field=IntegerField(),
    )
    items = list(Item.objects.filter(job=job.pk).order_by(trouble, "position")[:ITEMS])
    for item in items:
        item.said = _said(item)  # type: ignore[attr-defined]
    return items


def _said(item: Item) -> str:
    """Return what went wrong, or what came of it: what it says itself, or its result in one line."""
    result = item.result
    came = result.get("said") if isinstance(result, dict) else None
    return item.error or str(came or (json.dumps(masked.masked(result), ensure_ascii=False)[:RESULT] if result else ""))


def _labels() -> list[tuple[str, str]]:
    return [(name, verb.label) for name, verb in operate.VERBS.items()]


def _may(verb: str, job: Job, explained: Ticket) -> bool:
    """Tell whether the button makes sense now; the transition decides when it is pressed."""
    match verb:
        case "promote":
            return job.status in ticket.QUEUED and job.promoted not in ("staff", "now")
        case "run_now" | "priority":
            return job.status in ticket.QUEUED
        case "stop":
            return explained.can_stop
        case "retry_items":
            return explained.is_finished and any(
                explained.items.get(state) for state in ("failed", "partial", "cancelled")
            )
        case _:
            return explained.is_finished


def would_hurt(verb: str, job: int) -> bool:
    """Tell whether it is asked once more: to stop what only waits costs nothing."""
    return verb != "stop" or Job.objects.running().filter(pk=job).exists()
