"""The face of the queue: the only module that others import."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from jobs import ticket as _tickets
from jobs.console import measures as _measures
from jobs.console.measures import Gauge
from jobs.exceptions import (
    Fenced,
    JobsError,
    LaneBusy,
    Misconfigured,
    Reject,
    Retry,
    Snooze,
    Stopped,
    TooLarge,
    UnknownKind,
    UpstreamDown,
    Yielded,
)
from jobs.registry import hold_kind, job, kind_of, label
from jobs.ticket import Ticket
from jobs.transitions import control, invariants, watches
from jobs.transitions.bulk import enqueue_many as _enqueue_many
from jobs.transitions.control import promote, retry, stop, supersede
from jobs.transitions.enqueue import Wish
from jobs.transitions.enqueue import attend as _attend
from jobs.transitions.enqueue import enqueue as _enqueue
from jobs.transitions.forget import forget, stop_all
from jobs.transitions.home import settle
from jobs.transitions.lanes import hold, holders
from jobs.transitions.outcomes import Ending
from jobs.worker.run import Call, Item, Run

INTERACTIVE = 0
PREFETCH = 10

__all__ = [
    "INTERACTIVE",
    "PREFETCH",
    "Call",
    "Ending",
    "Fenced",
    "Gauge",
    "Item",
    "JobsError",
    "LaneBusy",
    "Misconfigured",
    "New",
    "Reject",
    "Retry",
    "Run",
    "Snooze",
    "Stopped",
    "Ticket",
    "TooLarge",
    "UnknownKind",
    "UpstreamDown",
    "Yielded",
    "counts",
    "enqueue",
    "enqueue_many",
    "forget",
    "gauges",
    "health",
    "hold",
    "hold_kind",
    "holders",
    "job",
    "label",
    "promote",
    "retry",
    "retry_failed",
    "settle",
    "stop",
    "stop_all",
    "supersede",
    "ticket",
    "ticket_of",
    "tickets",
    "tickets_about",
    "watch",
]

# Of a job with items, a retry does again only what did not succeed.
retry_failed = control.retry


@dataclass(frozen=True, slots=True, kw_only=True)
class New:
    """One wish of many."""

    owner: str
    subject: str
    fingerprint: str = ""
    args: Mapping[str, Any] = field(default_factory=dict)


def enqueue(
    kind: str,
    owner: str,
    subject: str,
    *,
    fingerprint: str = "",
    priority: int = PREFETCH,
    args: Mapping[str, Any] | None = None,
    watch: str = "",
    items: Sequence[str] = (),
    run_at: datetime | None = None,
) -> Ticket:
    """Ask for work, or find that it was asked for; every poll of a screen may call this.

    `watch` names the user who looks at a screen that needs it: the job goes first while that lasts.
    Raises UnknownKind, and TooLarge when the arguments exceed 64 KiB.
    """
    wish = Wish(
        kind=kind_of(kind),
        owner=owner,
        subject=subject,
        fingerprint=fingerprint,
        priority=priority,
        args=args or {},
        watch=watch,
        items=items,
        run_at=run_at,
    )
    job = _enqueue(wish)
    return _tickets.explain([job])[0] if job else _tickets.being_enqueued(kind, owner, subject)


def enqueue_many(kind: str, news: Sequence[New], *, priority: int = PREFETCH) -> list[int]:
    """Ask for many jobs of a kind, up to 500 in one statement; return the ids of those that were new.

    More than 500 inside a transaction are asked for when it commits, and nothing is returned.
    """
    registered = kind_of(kind)
    wishes = [
        Wish(kind=registered, owner=new.owner, subject=new.subject, fingerprint=new.fingerprint, args=new.args)
        for new in news
    ]
    return _enqueue_many(kind, wishes, priority=priority)


def ticket(kind: str, owner: str, subject: str, *, watch: str = "") -> Ticket | None:
    """Return the newest job of this identity, explained; None when there never was one.

    `watch` is as in `enqueue`, for a screen that only looks: nothing is asked for.
    """
    if not watch:
        return _tickets.of_identity(kind, owner, subject)
    job = _attend(Wish(kind=kind_of(kind), owner=owner, subject=subject, args={}, watch=watch))
    return _tickets.explain([job])[0] if job else None


def tickets_about(kind: str, owner: str, subjects: Sequence[str]) -> dict[str, Ticket]:
    """Return the newest job of each of these subjects, in as few queries as for one."""
    return _tickets.of_identities(kind, owner, subjects)


def ticket_of(job_id: int) -> Ticket | None:
    return _tickets.of_job(job_id)


def tickets(owner: str, *, limit: int = 50) -> list[Ticket]:
    """Return the owner's active jobs in order, then those that ended within a day."""
    return _tickets.of_owner(owner, most=limit)


def watch(job_id: int, user: str) -> bool:
    """Say that a screen is open on the job; it goes first until 30 s after the last such call."""
    return watches.watch(job_id, user)


def health() -> list[str]:
    """Return a sentence for each rule of the queue that is broken now; nothing when all is well."""
    return [f"{violation.rule.name}: {violation.rule.sentence}" for violation in invariants.violations(deep=False)]


def gauges() -> list[Gauge]:
    """Return what a monitor reads of the queue."""
    return _measures.gauges()


def counts(owner: str) -> dict[str, int]:
    """Return how many active jobs the owner has, by status."""
    return _tickets.counts(owner)
